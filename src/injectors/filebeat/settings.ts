import * as v from 'valibot';
import { isJsonObject } from '../../json/json.ts';
import type { SecurityContext } from '../../kube/generated/types.ts';
import type { DeepReadonly } from '../../kube/kube-object.ts';
import { isLess } from '../../kube/quantity.ts';
import { newMemory } from '../../sdk/memory.ts';
import { annotationKeys } from './annotation-keys.ts';
import type { Ask } from './ask.ts';
import { quoted } from './parsed.ts';
import { RESOURCES } from './resources.ts';
import * as kinds from './value-kinds.ts';

export type Settings = v.InferOutput<typeof settingsSchema>;

/** What stands under `with:`. Every default of the injector is here. */
export const settingsSchema = v.pipe(
  v.strictObject({
    annotationPrefix: v.optional(
      v.pipe(
        v.string(),
        v.regex(
          /^([a-z0-9.-]{1,253}\/)?([A-Za-z0-9][A-Za-z0-9._-]{0,30})?$/,
          'expected how the keys of the annotations begin, such as "filebeat." or "example.com/filebeat."',
        ),
      ),
      'filebeat.',
    ),
    logPath: parsed(kinds.logPath, '/var/log/*.log'),
    configMap: parsed(kinds.configMapName, 'filebeat-config'),
    image: parsed(kinds.image, 'docker.elastic.co/beats/filebeat:9.2.2'),
    worker: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.transform(String)), 1),
    bulkMaxSize: v.optional(v.pipe(v.number(), v.integer(), v.transform(String)), 2048),
    resources: v.optional(v.strictObject({ requests: amounts(), limits: amounts() }), {}),
    lifecycle: v.optional(
      v.strictObject({
        type: v.optional(v.picklist(['exec', 'httpget']), 'exec'),
        exec: v.optional(v.strictObject({ command: command(['sh', '-c', 'sleep 15']) }), {}),
        httpget: v.optional(
          v.strictObject({
            path: parsed(kinds.urlPath, '/'),
            port: v.optional(
              v.pipe(v.union([v.number(), v.string()]), v.transform(String), read(kinds.port)),
              8080,
            ),
            scheme: v.optional(v.picklist(['HTTP', 'HTTPS']), 'HTTP'),
          }),
          {},
        ),
      }),
      {},
    ),
    sidecar: v.optional(v.picklist(['container', 'native', 'auto']), 'auto'),
    /** Read as the minor version. A text: YAML takes 1.30 for 1.3. */
    kubernetesVersion: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^v?1\.\d{1,3}([.+-].*)?$/, 'expected a version such as "1.33"'),
        v.transform((version) => Number(version.split(/[.+-]/)[1])),
      ),
    ),
    initContainers: v.optional(v.boolean(), false),
    /** Credentials come to the sidecar from a Secret; the ConfigMap only names their variables. */
    envFrom: v.optional(v.array(envFromSource())),
    /** For namespaces that enforce a Pod Security Standard. */
    securityContext: v.optional(v.custom<DeepReadonly<SecurityContext>>(isJsonObject, 'expected a map')),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { requests, limits } = dataset.value.resources;
    for (const resource of RESOURCES) {
      const [request, limit] = [requests[resource], limits[resource]];
      if (!isLess(limit, request)) continue;
      addIssue({
        message: `the ${resource} limit "${limit}" is less than the ${resource} request "${request}"`,
      });
    }
  }),
  v.transform((settings) => {
    const keys = annotationKeys(settings.annotationPrefix);
    return { ...settings, keys, annotationKeys: Object.values(keys), asks: newMemory<Ask>() };
  }),
);

/** A setting obeys the rules of the annotation it is the default of. */
function parsed<T>(kind: kinds.ValueKind<T>, fallback: string) {
  return v.optional(v.pipe(v.string(), read(kind)), fallback);
}

function read<T>(kind: kinds.ValueKind<T>) {
  return v.rawTransform<string, T>(({ dataset, addIssue, NEVER }) => {
    const result = kind(dataset.value);
    if ('value' in result) return result.value;
    addIssue({ message: `expected ${result.expected}, found ${quoted(dataset.value)}` });
    return NEVER;
  });
}

function amounts() {
  return v.optional(
    v.strictObject({ cpu: parsed(kinds.quantity, '100m'), memory: parsed(kinds.quantity, '128Mi') }),
    {},
  );
}

function command(fallback: string[]) {
  return v.optional(v.pipe(v.array(v.string()), v.minLength(1, 'expected a command')), fallback);
}

function envFromSource() {
  const source = v.strictObject({ name: v.string(), optional: v.optional(v.boolean()) });
  return v.strictObject({
    prefix: v.optional(v.string()),
    secretRef: v.optional(source),
    configMapRef: v.optional(source),
  });
}
