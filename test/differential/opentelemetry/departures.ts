import { isJsonObject, type JsonObject } from '../../../src/json/json.ts';
import type { KubeObject } from '../../../src/kube/kube-object.ts';
import type { OperatorCase } from './random-cases.ts';

/** A case in which the two systems differ. */
export interface Place {
  readonly subject: OperatorCase;
  /** The operator's error. It admits the Pod as it was, and only logs the error. */
  readonly theirs: string;
}

/** A difference that docs/injectors/opentelemetry.md documents. */
export interface Departure {
  /** Turns a case that is equal into one that needs the rule. */
  readonly change: (subject: OperatorCase) => OperatorCase;
  readonly applies: (line: string, place: Place) => boolean;
}

const PREFIX = 'instrumentation.opentelemetry.io';

export const DEPARTURES: { readonly [reason: string]: Departure } = {
  'Secret and ConfigMap for TLS are mounted as optional': {
    change: withExporter({ tls: { configMapName: 'authority', ca_file: 'ca.crt' } }),
    applies: (line) => /^\/spec\/volumes\/otel-auto-(secret|configmap)-/.test(line),
  },
  "the annotation service.namespace counts for Apache's and nginx's modules, too": {
    change: withOnly(
      { 'inject-apache-httpd': 'true' },
      { 'resource.opentelemetry.io/service.namespace': 'eu' },
    ),
    applies: (line) => /_AGENT_CONF\/value: /.test(line),
  },
  "Go's agent does not get attributes that the application sets itself": {
    change: (subject) =>
      withContainer({
        image: 'web:1',
        env: [{ name: 'OTEL_RESOURCE_ATTRIBUTES', value: 'service.version=9' }],
      })(withOnly(GO)(withOwner(undefined)(subject))),
    applies: (line) => /opentelemetry-auto-instrumentation\/env\/OTEL_RESOURCE_ATTRIBUTES\/value/.test(line),
  },
  "Go's agent is a native sidecar in a Job, which it would keep from finishing": {
    change: (subject) => ({ ...withOwner('Job')(withOnly(GO)(subject)), native: true }),
    applies: (_, { subject }) => isJob(subject) && annotation(subject, `${PREFIX}/inject-go`) !== '',
  },
  'an Instrumentation that is missing does not keep others from being injected': {
    change: withOnly({
      'inject-java': 'true',
      'java-container-names': 'web',
      'inject-sdk': 'missing',
      'sdk-container-names': 'web',
    }),
    applies: (_, { theirs }) => theirs.includes('not found'),
  },
  'spaces in lists of names are allowed': {
    change: withOnly({ 'inject-java': 'true', 'container-names': ' web ' }),
    applies: (_, { subject }) => / /.test(annotation(subject, `${PREFIX}/container-names`)),
  },
  'two languages in a container set each variable once': {
    change: (subject) => ({
      ...withOnly({ 'inject-java': 'true', 'inject-nodejs': 'true' })(subject),
      multi: false,
    }),
    applies: (_, { subject }) => languages(subject).length > 1,
  },
  'a variable that is set through valueFrom is left alone, and nothing is left behind': {
    change: (subject) =>
      withContainer({
        env: [{ name: 'JAVA_TOOL_OPTIONS', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } }],
      })(withOnly({ 'inject-java': 'true' })(subject)),
    applies: (_, { subject }) => JSON.stringify(subject.pod.spec).includes('configMapKeyRef'),
  },
  'an empty PYTHONPATH has no empty part': {
    change: (subject) =>
      withContainer({ env: [{ name: 'PYTHONPATH', value: '' }] })(
        withOnly({ 'inject-python': 'true' })(subject),
      ),
    applies: (line) => /env\/PYTHONPATH\/value: /.test(line),
  },
  'a port that two components share is declared once': {
    change: withCollector({ prometheus: {} }),
    applies: (line) => /otc-container\/ports\//.test(line),
  },
  'the proxy of a service mesh is not instrumented': {
    change: (subject) =>
      withContainer({ name: 'istio-proxy', image: 'proxy:1' })(withOnly({ 'inject-sdk': 'true' })(subject)),
    applies: (_, { subject }) => JSON.stringify(subject.pod.spec).includes('"istio-proxy"'),
  },
};

/** The reason of a difference; undefined if it is not documented. */
export function departure(line: string, place: Place): string | undefined {
  return Object.keys(DEPARTURES).find((reason) => DEPARTURES[reason]?.applies(line, place));
}

const GO = { 'inject-go': 'true', 'otel-go-auto-target-exe': '/app' };

function annotation({ pod }: OperatorCase, name: string): string {
  return pod.metadata.annotations?.[name] ?? '';
}

function languages({ pod }: OperatorCase): readonly string[] {
  return Object.keys(pod.metadata.annotations ?? {}).filter((key) => key.startsWith(`${PREFIX}/inject-`));
}

function isJob({ pod }: OperatorCase): boolean {
  return pod.metadata.ownerReferences?.some(({ kind }) => kind === 'Job') ?? false;
}

/** With these annotations, and a Pod of which the first container is the target. */
function withOnly(own: { readonly [name: string]: string }, more: { readonly [name: string]: string } = {}) {
  const entries = Object.entries(own).map(([name, value]) => [`${PREFIX}/${name}`, value]);
  return (subject: OperatorCase): OperatorCase => ({
    ...subject,
    pod: {
      ...subject.pod,
      metadata: { ...subject.pod.metadata, annotations: { ...Object.fromEntries(entries), ...more } },
    } as KubeObject,
  });
}

function withContainer(change: JsonObject) {
  return (subject: OperatorCase): OperatorCase => {
    const spec = subject.pod.spec as unknown as JsonObject & {
      containers: readonly [JsonObject, ...JsonObject[]];
    };
    const [first, ...others] = spec.containers;
    const containers = [{ ...first, ...change }, { name: 'second', image: 'second:1' }, ...others];
    return { ...subject, pod: { ...subject.pod, spec: { ...spec, containers } } as unknown as KubeObject };
  };
}

function withOwner(kind: string | undefined) {
  return (subject: OperatorCase): OperatorCase => {
    const { ownerReferences: _owners, ...metadata } = subject.pod.metadata;
    const owner = { apiVersion: 'batch/v1', kind, name: 'once', uid: 'u', controller: true };
    const job = { apiVersion: 'batch/v1', kind, metadata: { name: 'once', namespace: 'shop', uid: 'u' } };
    return {
      ...subject,
      objects: [
        ...subject.objects.filter(({ metadata: { name } }) => name !== 'once'),
        ...(kind ? [job as KubeObject] : []),
      ],
      pod: {
        ...subject.pod,
        metadata: { ...metadata, ...(kind && { ownerReferences: [owner] }) },
      } as KubeObject,
    };
  };
}

function withExporter(exporter: JsonObject) {
  return (subject: OperatorCase): OperatorCase => {
    const changed = withOnly({ 'inject-sdk': 'inst' })(subject);
    return withSpec(changed, 'Instrumentation', (spec) => ({ ...spec, exporter }));
  };
}

function withCollector(exporters: JsonObject) {
  return (subject: OperatorCase): OperatorCase => {
    const changed = withOnly({}, { 'sidecar.opentelemetry.io/inject': 'col' })(subject);
    const service = { pipelines: { traces: { receivers: ['otlp'], exporters: Object.keys(exporters) } } };
    const config = { receivers: { otlp: { protocols: { grpc: {} } } }, exporters, service };
    return withSpec(changed, 'OpenTelemetryCollector', (spec) => ({ ...spec, config }));
  };
}

function withSpec(
  subject: OperatorCase,
  kind: string,
  change: (spec: JsonObject) => JsonObject,
): OperatorCase {
  const objects = subject.objects.map((object) => {
    const { spec } = object as unknown as JsonObject;
    return object.kind === kind && isJsonObject(spec)
      ? ({ ...object, spec: change(spec) } as KubeObject)
      : object;
  });
  return { ...subject, objects };
}
