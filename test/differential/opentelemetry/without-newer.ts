import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../src/json/json.ts';

const ATTACH = 'otel-agent-attach-';
const WEB_SERVER = /^otel-agent-(source-container-clone|attach-)/;

/** Where podgraft follows newer versions of the operator than the judge's. Such parts are not compared. */
export const NEWER: { readonly [change: string]: (container: JsonObject) => JsonObject } = {
  'the scripts, environments and texts of Apache and nginx': (container) => {
    if (!WEB_SERVER.test(String(container.name))) return container;
    const { command: _command, args: _args, ...rest } = container;
    if (container.name !== `${ATTACH}apache` && container.name !== `${ATTACH}nginx`) return rest;
    const own = envOf(container).filter(({ name }) =>
      /_(AGENT_CONF|SERVICE_INSTANCE_ID)$/.test(String(name)),
    );
    return {
      ...rest,
      env: own.map((entry) => ('value' in entry ? { ...entry, value: statements(entry.value) } : entry)),
    };
  },
  "the folder of .NET's profiler, which has no architecture in its name any more": (container) =>
    withEnvValue(container, 'CORECLR_PROFILER_PATH', (value) =>
      value.replace(/\/(linux|linux-musl)-x64\//, '/$1/'),
    ),
  'the security context of init containers': (container) => {
    const name = String(container.name);
    if (!WEB_SERVER.test(name) && !name.startsWith('opentelemetry-auto-instrumentation-')) return container;
    const { securityContext: _securityContext, ...rest } = container;
    return rest;
  },
  "the security context of Go's agent": (container) => {
    if (container.name !== 'opentelemetry-auto-instrumentation') return container;
    const { securityContext: _securityContext, ...rest } = container;
    return rest;
  },
  'OTEL_METRICS_EXPORTER for Node.js': (container) => {
    const isNode = envOf(container).some(
      ({ name, value }) =>
        name === 'NODE_OPTIONS' && String(value).includes('otel-auto-instrumentation-nodejs'),
    );
    return isNode ? withEnv(container, ({ name }) => name !== 'OTEL_METRICS_EXPORTER') : container;
  },
};

/** A Pod without the parts that are not compared. */
export function withoutNewer(pod: JsonObject): JsonObject {
  const spec = pod.spec as JsonObject;
  const changed = (list: Json | undefined) =>
    isJsonArray(list)
      ? list
          .filter(isJsonObject)
          .map((container) => Object.values(NEWER).reduce((next, change) => change(next), container))
      : [];
  return {
    ...pod,
    spec: {
      ...spec,
      containers: changed(spec.containers),
      initContainers: changed(spec.initContainers),
    },
  };
}

/** Without comments and empty lines. */
function statements(text: Json | undefined): string {
  const lines = String(text)
    .split('\n')
    .map((line) => line.trim().replace(/\s+/g, ' '));
  return lines.filter((line) => line !== '' && !line.startsWith('#')).join('\n');
}

function envOf({ env }: JsonObject): readonly JsonObject[] {
  return isJsonArray(env) ? env.filter(isJsonObject) : [];
}

function withEnv(container: JsonObject, isKept: (entry: JsonObject) => boolean): JsonObject {
  return { ...container, env: envOf(container).filter(isKept) };
}

function withEnvValue(container: JsonObject, name: string, change: (value: string) => string): JsonObject {
  if (!envOf(container).some((entry) => entry.name === name)) return container;
  const env = envOf(container).map((entry) =>
    entry.name === name ? { ...entry, value: change(String(entry.value)) } : entry,
  );
  return { ...container, env };
}
