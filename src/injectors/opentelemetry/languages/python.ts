import { shortened } from '../../../sdk/index.ts';
import { PYTHON_PLATFORM } from '../annotations.ts';
import { copiedAgent } from './copied-agent.ts';

const FOLDER = '/otel-auto-instrumentation-python';
const FIRST_PATH = `${FOLDER}/opentelemetry/instrumentation/auto_instrumentation`;

/** The agent's folder in the image. Each has compiled parts for one C library. */
const SOURCES = { glibc: '/autoinstrumentation/.', musl: '/autoinstrumentation-musl/.' };

export const python = copiedAgent(
  ({ name, spec }, source) => ({
    name: 'python',
    section: spec.python,
    resources: spec.python.resourceRequirements,
    memory: '64Mi',
    folder: FOLDER,
    copyCommand: ['cp', '-r', source, FOLDER],
    paths: [{ name: 'PYTHONPATH', extend: withAgentPaths }],
    options: [
      { name: 'OTEL_EXPORTER_OTLP_PROTOCOL', value: 'http/protobuf' },
      { name: 'OTEL_TRACES_EXPORTER', value: 'otlp' },
      { name: 'OTEL_METRICS_EXPORTER', value: 'otlp' },
      { name: 'OTEL_LOGS_EXPORTER', value: 'otlp' },
    ],
    // The endpoint often has the port for gRPC, which other languages use by default.
    advice: (env) => {
      const protocol = env.get('OTEL_EXPORTER_OTLP_PROTOCOL')?.value;
      const endpoint = env.get('OTEL_EXPORTER_OTLP_ENDPOINT')?.value ?? '';
      if (protocol !== 'http/protobuf' || !/:4317\/?$/.test(endpoint)) return undefined;
      return `python sends ${protocol} to ${shortened(endpoint)}, where collectors expect gRPC: set OTEL_EXPORTER_OTLP_ENDPOINT to port 4318 under python.env of Instrumentation "${name}"`;
    },
  }),
  { annotation: PYTHON_PLATFORM, folders: SOURCES },
);

function withAgentPaths(value: string): string {
  const paths = value.split(':');
  if (paths.includes(FIRST_PATH) && paths.includes(FOLDER)) return value;
  return [FIRST_PATH, ...(value === '' ? [] : [value]), FOLDER].join(':');
}
