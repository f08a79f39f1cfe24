import { PYTHON_PLATFORM } from './annotations.ts';
import type { Work } from './common-env.ts';
import { copiedAgent } from './copied-agent.ts';
import type { EnvPlan } from './env-plan.ts';
import { annotation } from './subject.ts';

const PATH = 'PYTHONPATH';

/** The agent's folder in the image, by C library: its compiled parts are for one of them only. */
const SOURCES: ReadonlyMap<string, string> = new Map([
  ['', '/autoinstrumentation/.'],
  ['glibc', '/autoinstrumentation/.'],
  ['musl', '/autoinstrumentation-musl/.'],
]);

export const python = copiedAgent({
  name: 'python',
  memory: '64Mi',
  lengthened: [PATH],
  refusal: ({ subject }) => {
    const platform = annotation(subject, PYTHON_PLATFORM);
    if (SOURCES.has(platform)) return undefined;
    return `annotation "${PYTHON_PLATFORM}" is "${platform}", expected glibc or musl`;
  },
  command: (folder, { subject }) => [
    'cp',
    '-r',
    SOURCES.get(annotation(subject, PYTHON_PLATFORM)) ?? '',
    folder,
  ],
  mountPath: () => '/otel-auto-instrumentation-python',
  paths: (env, mountPath) => {
    const first = `${mountPath}/opentelemetry/instrumentation/auto_instrumentation`;
    env.extend(PATH, (text) => {
      const parts = text.split(':');
      if (parts.includes(first) && parts.includes(mountPath)) return text;
      return [first, ...(text === '' ? [] : [text]), mountPath].join(':');
    });
  },
  options: (env, _, work) => {
    env.add({ name: 'OTEL_EXPORTER_OTLP_PROTOCOL', value: 'http/protobuf' });
    for (const signal of ['TRACES', 'METRICS', 'LOGS']) {
      env.add({ name: `OTEL_${signal}_EXPORTER`, value: 'otlp' });
    }
    hintAtPort(env, work);
  },
});

/** Other languages speak gRPC to the same endpoint by default, so that it often names gRPC's port. */
function hintAtPort(env: EnvPlan, { subject, instrumentation }: Work): void {
  const protocol = env.get('OTEL_EXPORTER_OTLP_PROTOCOL')?.value;
  const endpoint =
    env.get('OTEL_EXPORTER_OTLP_ENDPOINT')?.value ?? instrumentation.spec.exporter.endpoint ?? '';
  if (protocol !== 'http/protobuf' || !/:4317\/?$/.test(endpoint)) return;
  subject.hints.push(
    `python sends ${protocol} to ${endpoint}, where collectors expect gRPC: set OTEL_EXPORTER_OTLP_ENDPOINT to port 4318 under python.env of Instrumentation "${instrumentation.name}"`,
  );
}
