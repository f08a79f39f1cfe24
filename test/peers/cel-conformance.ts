/** A test of cel-spec as its package stores it: protobuf's JSON. */
export interface ConformanceTest {
  readonly name?: string;
  readonly expr: string;
  readonly value?: ConformanceValue;
  readonly evalError?: unknown;
  readonly typedResult?: { readonly result?: ConformanceValue };
}

type ConformanceValue = Readonly<Record<string, unknown>>;

interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { readonly original: object }[];
}

/** All tests by suite/section/test. */
export function conformanceTests(root: Suite): ReadonlyMap<string, ConformanceTest> {
  const tests = new Map<string, ConformanceTest>();
  const walk = ({ suites = [], tests: own = [] }: Suite, path: readonly string[]) => {
    for (const suite of suites) walk(suite, [...path, suite.name]);
    for (const { original } of own as readonly { readonly original: ConformanceTest }[]) {
      const name = original.name ?? original.expr.replace(/\s+/g, ' ').trim();
      tests.set([...path, name].join('/'), original);
    }
  };
  walk(root, []);
  return tests;
}

/** A value in the notation of the cases. */
export function tagConformanceValue(value: ConformanceValue): unknown {
  const [[kind, content] = ['', undefined]] = Object.entries(value);
  switch (kind) {
    case 'int64Value':
      return { int: tagInteger(String(content)) };
    case 'uint64Value':
      return { uint: tagInteger(String(content)) };
    case 'doubleValue':
      return { double: Object.is(content, -0) ? '-0' : content };
    case 'bytesValue':
      return { bytes: content };
    case 'typeValue':
      return { type: content };
    case 'listValue': {
      const { values = [] } = content as { values?: readonly ConformanceValue[] };
      return values.map(tagConformanceValue);
    }
    case 'mapValue': {
      const { entries = [] } = content as { entries?: readonly Record<'key' | 'value', ConformanceValue>[] };
      const tagged = entries.map((entry) => [
        tagConformanceValue(entry.key),
        tagConformanceValue(entry.value),
      ]);
      return { map: tagged.toSorted(([a], [b]) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) };
    }
    default:
      return content;
  }
}

function tagInteger(text: string): number | string {
  const number = Number(text);
  return Math.abs(number) <= 2 ** 53 ? number : text;
}
