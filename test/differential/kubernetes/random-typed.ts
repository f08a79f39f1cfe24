import type { Json, JsonObject } from '../../../src/json/json.ts';
import {
  type ListType,
  type StructType,
  type TypedValue,
  typedKind,
} from '../../../src/kube/typed/schema.ts';
import type { Random } from '../../fuzz/random.ts';

/** A Pod with any of the fields that Kubernetes defines, mostly in unrealistic combinations. */
export function randomTypedPod(random: Random): JsonObject {
  const spec = randomStruct(fieldOf(POD, 'spec'), random, 0);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', ...randomStruct(fieldOf(POD, 'metadata'), random, 3) },
    spec: {
      ...spec,
      containers: random.list(2, () => randomStruct(CONTAINER, random, 2)),
      ...(random.chance(0.3) && { initContainers: random.list(2, () => randomStruct(CONTAINER, random, 2)) }),
      ...(random.chance(0.5) && { volumes: random.list(3, () => randomStruct(VOLUME, random, 2)) }),
    },
  };
}

const POD = typedKind('v1', 'Pod') as StructType;
const CONTAINER = itemOf(fieldOf(POD, 'spec'), 'containers');
const VOLUME = itemOf(fieldOf(POD, 'spec'), 'volumes');

function fieldOf(type: StructType, name: string): StructType {
  return type.fields().get(name)?.type as StructType;
}

function itemOf(type: StructType, name: string): StructType {
  const list = type.fields().get(name)?.type as ListType;
  return list.item as StructType;
}

/** Deeper parts have fewer fields. */
function randomStruct(type: StructType, random: Random, depth: number): JsonObject {
  const fields = [...type.fields()];
  const some = random.some(fields, Math.min(0.6, 2.5 / fields.length) / (1 + depth / 4));
  return Object.fromEntries(
    some.map(([name, field]) => [name, randomField(name, field.type, random, depth + 1)]),
  );
}

function randomField(name: string, type: TypedValue, random: Random, depth: number): Json {
  if (random.chance(0.02)) return null;
  if (random.chance(0.003)) return random.pick<Json>(['text', 5, true, [], {}, 1.5]);
  return randomValue(name, type, random, depth);
}

function randomValue(name: string, type: TypedValue, random: Random, depth: number): Json {
  const { pick, int } = random;
  switch (type.type) {
    case 'struct':
      return depth > 8 ? {} : randomStruct(type, random, depth);
    case 'list':
      return random.list(2, () => randomValue(name, type.item, random, depth + 1));
    case 'map':
      return Object.fromEntries(
        random.list(2, (index) => [
          pick(['cpu', 'memory', `key-${index}`]),
          randomValue(name, type.values, random, depth + 1),
        ]),
      );
    case 'boolean':
      return random.chance(0.5);
    case 'int32':
    case 'int64':
      return pick([0, 1, 30, int(70_000), -1]);
    case 'number':
      return pick([0, 1.5, 2]);
    case 'quantity':
      return pick<Json>([
        '1',
        '0',
        '100m',
        '1Gi',
        '1e3',
        '1500m',
        '0.5',
        2,
        0,
        '1024Ki',
        '.5',
        '-1',
        '1000Ki',
      ]);
    case 'intOrString':
      return pick<Json>([0, 8080, 'http', '', '25%']);
    case 'time':
    case 'microTime':
      return random.chance(0.1) ? '2026-01-02T03:04:05+02:00' : '2026-01-02T03:04:05Z';
    case 'bytes':
      return pick(['', 'YQ==']);
    case 'object':
    case 'any':
      return pick<Json>([{}, { a: 1 }]);
    default:
      return pick(TEXTS[name] ?? ['', 'a', 'web', 'Some text', 'v1']);
  }
}

/** Values that decide about defaults. */
const TEXTS: { readonly [field: string]: readonly string[] } = {
  image: ['web', 'web:latest', 'web:1', 'registry:5000/web', 'web@sha256:0123', ''],
  reference: ['web', 'web:latest', 'web:1', ''],
  protocol: ['TCP', 'UDP', ''],
  restartPolicy: ['Always', 'Never', ''],
  dnsPolicy: ['ClusterFirst', 'None', ''],
  imagePullPolicy: ['Always', 'Never', ''],
  scheme: ['HTTP', 'HTTPS', ''],
  path: ['/', '/ready', ''],
  serviceAccountName: ['shop', ''],
  serviceAccount: ['shop', 'other', ''],
  type: ['', 'Directory', 'Localhost', 'RuntimeDefault', 'Unconfined'],
};
