import { intOf, type Struct, structType, typedMap, type Value } from '../../../gotemplate/index.ts';
import {
  canonicalQuantity,
  compareQuantities,
  isJsonObject,
  isQuantity,
  type Json,
} from '../../../sdk/index.ts';

/** Requests or limits by resource, with the methods of Kubernetes' ResourceList. */
export function resourceList(value: Json | undefined): Value {
  const raw = isJsonObject(value) ? value : undefined;
  const entries = raw && Object.fromEntries(Object.keys(raw).map((key) => [key, quantityValue(raw[key])]));
  const get = (resource: string) => () => quantityValue(raw?.[resource], 'pointer');
  return typedMap('resource.Quantity', entries ?? null, {
    Cpu: get('cpu'),
    Memory: get('memory'),
    Storage: get('storage'),
    StorageEphemeral: get('ephemeral-storage'),
    Pods: get('pods'),
  });
}

/** A quantity, which prints as Kubernetes writes it. */
export function quantityValue(value: Json | undefined, form: 'of' | 'pointer' = 'of'): Struct {
  const text = String(value ?? '0');
  return quantity[form]({ text: isQuantity(text) ? canonicalQuantity(text) : '0' });
}

interface Raw {
  readonly text: string;
}

const quantity = structType<Raw>({
  name: 'resource.Quantity',
  fields: { Format: () => 'DecimalSI' },
  methods: {
    String: (raw) => raw?.text ?? '<nil>',
    IsZero: (raw) => compareQuantities(raw?.text ?? '0', '0') === 0,
    Sign: (raw) => intOf('int', compareQuantities(raw?.text ?? '0', '0')),
    Value: (raw) => intOf('int64', roundedUp(raw, '1')),
    MilliValue: (raw) => intOf('int64', roundedUp(raw, '1m')),
  },
  json: ({ text }) => text,
});

/** How many whole units it takes. */
function roundedUp(raw: Raw | null, unit: string): bigint {
  const text = raw?.text ?? '0';
  const isNegative = compareQuantities(text, '0') < 0;
  // A search by halves is exact for every notation.
  let [low, high] = [0n, 1n];
  const size = isNegative ? text.replace(/^-/, '') : text;
  const reaches = (count: bigint) => compareQuantities(unit === '1' ? String(count) : `${count}m`, size) >= 0;
  while (!reaches(high)) high *= 2n;
  while (low < high) {
    const middle = (low + high) / 2n;
    if (reaches(middle)) high = middle;
    else low = middle + 1n;
  }
  return isNegative ? -low : low;
}
