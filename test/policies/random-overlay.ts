import fc from 'fast-check';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/json/json.ts';

const optional = <T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(fields, { requiredKeys: [] });
const text = fc.constantFrom('a', 'b', "it's", 'x y', '-Xmx1g');
const word = fc.constantFrom('a', 'b', 'high');
const filledBy = (value: fc.Arbitrary<string>, separator: string) =>
  fc.oneof(
    value,
    value.map((each) => ({ $force: each })),
    fc.constant({ $absent: true }),
    fc.uniqueArray(value, { minLength: 1, maxLength: 3 }).map((parts) => ({ $tokens: { separator, parts } })),
  );
const filled = filledBy(text, ' ');
const label = filledBy(word, '.');
const env = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('MODE', 'NODE', 'EMPTY', 'JAVA_TOOL_OPTIONS', 'NEW', 'ALSO'),
    value: filled,
  }),
  { maxLength: 3, selector: ({ name }) => name },
);
const amount = fc.constantFrom('10m', '100m', '3');
const wish = fc.oneof(
  amount,
  amount.map((value) => ({ $force: value })),
);
const container = optional<JsonObject>({
  env,
  resources: optional({
    requests: optional({ cpu: wish }),
    limits: fc.oneof(optional({ memory: fc.constantFrom('64Mi', '2Gi') })),
  }),
  imagePullPolicy: fc.oneof(fc.constant('Always'), fc.constant({ $force: 'Never' })),
  securityContext: optional({
    runAsUser: fc.oneof(fc.constant(7), fc.constant({ $force: 8 }), fc.constant({ $atLeast: 9 })),
    capabilities: optional({ drop: fc.subarray(['ALL', 'NET_RAW']), add: fc.subarray(['CHOWN', 'KILL']) }),
  }),
  args: fc.oneof(fc.constant(['x', 'y']), fc.constant({ $force: ['z'] })),
  livenessProbe: fc.oneof(
    fc.constant({ tcpSocket: { port: 80 } }),
    fc.constant({ timeoutSeconds: { $force: 9 } }),
    fc.constant({ $absent: true }),
  ),
  volumeMounts: fc.subarray([
    { name: 'tmp', mountPath: '/tmp' },
    { name: 'tmp', mountPath: '/other', readOnly: true },
  ]),
  ports: fc.subarray([{ containerPort: 80 }, { containerPort: 81, name: 'extra' }]),
} as never);
const named = (names: readonly string[]) =>
  fc.tuple(fc.constantFrom(...names), container).map(([name, fields]): JsonObject => ({ ...fields, name }));
const added = fc
  .tuple(
    named(['sidecar', 'app-new']),
    fc.constantFrom(undefined, 'first', 'last', { before: 'app' }, { after: 'app' }),
  )
  .map(([fields, at]): JsonObject => ({ image: 'new:1', ...fields, ...(at !== undefined && { $at: at }) }));
const containers = fc.uniqueArray(
  fc.oneof(
    named(['app', 'app-log']),
    named(['*', 'app*', '*-log']),
    added,
    fc.constantFrom<JsonObject>({ $absent: { name: 'debug-1' } }, { $absent: { name: 'app-*' } }),
  ),
  { maxLength: 4, selector: (item) => JSON.stringify(item.name ?? item) },
);

/** Overlays for Pods that use all directives, with names and fields that meet those of the Pods. */
export const randomOverlay = optional<JsonObject>({
  metadata: optional({
    labels: optional({ app: label, tier: label, new: label }),
    annotations: optional({ 'example.com/a': filled, 'example.com/b': filled }),
  }),
  spec: optional({
    hostname: word,
    terminationGracePeriodSeconds: fc.oneof(fc.constant({ $atLeast: 15 }), fc.constant({ $force: 5 })),
    nodeSelector: optional({ disk: label, zone: label }),
    tolerations: fc.subarray([
      { key: 'spot', operator: 'Exists' },
      { key: 'gpu', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 30 },
      { $absent: { key: 'spot' } },
    ]),
    imagePullSecrets: fc.subarray([{ name: 'mine' }, { name: 'regcred' }]),
    securityContext: optional({ runAsUser: fc.constant(5), fsGroup: fc.constant(6) }),
    containers,
    initContainers: fc.uniqueArray(added, { maxLength: 2, selector: ({ name }) => name }),
    volumes: fc.subarray([
      { name: '*', emptyDir: { sizeLimit: { $force: '1Gi' } } },
      { name: 'cfg', emptyDir: { $force: {} } },
      { name: 'ca', configMap: { name: 'ca' } },
    ]),
  } as never),
} as never) as unknown as fc.Arbitrary<JsonObject>;

/** Such overlays with conditions and values from expressions at random places. They do not depend on parts that overlays change. */
export const randomConditionalOverlay = fc
  .tuple(randomOverlay, fc.array(fc.nat(99), { minLength: 200, maxLength: 200 }))
  .map(([overlay, numbers]): JsonObject => {
    let count = 0;
    const next = () => numbers[count++ % numbers.length] as number;
    return { ...overlay, ...(withExpressions(overlay, next, [], false) as JsonObject) };
  });

const CONDITIONS = [
  'has(object.spec.subdomain)',
  '!has(object.spec.subdomain)',
  "object.metadata.name.startsWith('w')",
  "object.metadata.name == 'other' // never",
  "request.operation == 'CREATE' && request.namespace != ''",
];
const ITEM_CONDITIONS = ["item.name.startsWith('app')", "item.image.startsWith('docker.io/')"];
const VALUES = [
  "'x-' + object.metadata.name",
  'object.metadata.name',
  'object.spec.?subdomain',
  "object.spec.?subdomain.orValue('none')",
  "has(object.spec.subdomain) ? 'yes' : ''",
];

function withExpressions(
  value: Json,
  next: () => number,
  path: readonly string[],
  isInPattern: boolean,
): Json {
  if (isJsonArray(value)) {
    return value.map((each) => {
      const isPattern =
        isJsonObject(each) && String(each.name ?? '').includes('*') && path.at(-1) === 'containers';
      return withExpressions(each, next, [...path, '-'], isInPattern || isPattern);
    });
  }
  const key = path.at(-1) ?? '';
  if (!isJsonObject(value)) {
    const [map, field] = key === '$force' ? [path.at(-3), path.at(-2)] : [path.at(-2), key];
    const isText = typeof value === 'string' && (TEXTS.has(map ?? '') || field === 'value');
    if (!isText || next() >= 40) return value;
    const values = isInPattern ? [...VALUES, 'item.name'] : VALUES;
    return { $cel: values[next() % values.length] as string };
  }
  const fields = Object.entries(value).map(([name, child]) => {
    const isOpaque = name === '$absent' || name === '$tokens' || name === '$at' || name === '$atLeast';
    return [name, isOpaque ? child : withExpressions(child, next, [...path, name], isInPattern)] as const;
  });
  const own: JsonObject = Object.fromEntries(fields);
  // Not for the whole overlay, nor for a value inside a directive.
  if (path.length === 0 || key === '$force' || next() >= 25) return own;
  const conditions = isInPattern ? [...CONDITIONS, ...ITEM_CONDITIONS] : CONDITIONS;
  return { $when: conditions[next() % conditions.length] as string, ...own };
}

/** Maps whose values are any text. */
const TEXTS = new Set(['labels', 'annotations', 'nodeSelector']);
