import * as v from 'valibot';
import { type DeepReadonly, isJsonObject, isLess, type SecurityContext } from '../../sdk/index.ts';
import { allowedSchema } from './allowed.ts';
import { parseLogPath } from './log-path.ts';
import * as parsers from './value-parsers.ts';

export const RESOURCES = ['cpu', 'memory'] as const;

export type Settings = v.InferOutput<typeof settingsSchema>;

/** The schema of `with:`, with every default of the injector. */
export const settingsSchema = v.pipe(
  v.strictObject({
    annotationPrefix: v.optional(
      v.pipe(
        v.string(),
        v.regex(
          /^([a-z0-9.-]{1,253}\/)?([A-Za-z0-9][A-Za-z0-9._-]{0,30})?$/,
          'expected a prefix of annotation keys, such as "filebeat." or "example.com/filebeat."',
        ),
      ),
      'filebeat.',
    ),
    logPath: parsed(parseLogPath, '/var/log/*.log'),
    configMap: parsed(parsers.configMapName, 'filebeat-config'),
    image: parsed(parsers.image, 'docker.elastic.co/beats/filebeat:9.2.2'),
    worker: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.transform(String)), 1),
    bulkMaxSize: v.optional(v.pipe(v.number(), v.integer(), v.transform(String)), 2048),
    resources: v.optional(v.strictObject({ requests: amounts(), limits: amounts() }), {}),
    lifecycle: v.optional(
      v.strictObject({
        type: v.optional(v.picklist(['exec', 'httpget']), 'exec'),
        exec: v.optional(v.strictObject({ command: command(['sh', '-c', 'sleep 15']) }), {}),
        httpget: v.optional(
          v.strictObject({
            path: parsed(parsers.urlPath, '/'),
            port: v.optional(
              v.pipe(v.union([v.number(), v.string()]), v.transform(String), parseWith(parsers.port)),
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
    /** Parsed to the minor version. A string, because YAML reads 1.30 as 1.3. */
    kubernetesVersion: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^v?1\.\d{1,3}([.+-].*)?$/, 'expected a version such as "1.33"'),
        v.transform((version) => Number(version.split(/[.+-]/)[1])),
      ),
    ),
    initContainers: v.optional(v.boolean(), false),
    /** The source of credentials: `filebeat.yml` in the ConfigMap refers to its variables. */
    envFrom: v.optional(v.array(envFromSource())),
    /** For namespaces that enforce a Pod Security Standard. */
    securityContext: v.optional(v.custom<DeepReadonly<SecurityContext>>(isJsonObject, 'expected a map')),
    allowed: v.optional(allowedSchema, {}),
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
);

/** A setting follows the rules of the annotation whose default it is. */
function parsed<T>(parse: parsers.Parser<T>, fallback: string) {
  return v.optional(v.pipe(v.string(), parseWith(parse)), fallback);
}

function parseWith<T>(parse: parsers.Parser<T>) {
  return v.rawTransform<string, T>(({ dataset, addIssue, NEVER }) => {
    const result = parse(dataset.value);
    if ('value' in result) return result.value;
    addIssue({ message: `expected ${result.expected}, found ${parsers.quoted(dataset.value)}` });
    return NEVER;
  });
}

function amounts() {
  return v.optional(
    v.strictObject({ cpu: parsed(parsers.quantity, '100m'), memory: parsed(parsers.quantity, '128Mi') }),
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
