import { type ScalarTag, Schema, stringify } from 'yaml';

/** Writes YAML. Strings that YAML 1.1, or kubectl's reading of it, takes for something else are quoted. */
export function toYaml(value: unknown): string {
  return stringify(value, { ...PRINT_OPTIONS, lineWidth: 0, aliasDuplicateObjects: false });
}

/**
 * Scalars as kubectl and the API server's libraries read them (sigs.k8s.io/yaml on go.yaml.in/yaml/v2): mostly YAML 1.1, in which
 * `0400` is octal and `yes` is true. But times and numbers such as `1:30` are strings, and `0o17` is a number.
 */
const TAGS: ScalarTag[] = [
  {
    tag: 'tag:yaml.org,2002:null',
    default: true,
    identify: (value) => value === null,
    test: /^(?:~|null|Null|NULL)?$/,
    resolve: () => null,
    stringify: () => 'null',
  },
  {
    tag: 'tag:yaml.org,2002:bool',
    default: true,
    identify: (value) => typeof value === 'boolean',
    test: /^(?:[yYnN]|[yY]es|YES|[nN]o|NO|[tT]rue|TRUE|[fF]alse|FALSE|[oO]n|ON|[oO]ff|OFF)$/,
    resolve: (text) => /^(?:y|t|on$)/i.test(text),
    stringify: ({ value }) => String(value),
  },
  ...['int', 'float'].map(
    (name): ScalarTag => ({
      tag: `tag:yaml.org,2002:${name}`,
      default: true,
      identify: (value) => typeof value === 'number',
      // Go ignores underscores anywhere. Texts that match but are not numbers to Go stay strings.
      test: /^(?=[-+.\d])(?:[-+_]*(?:\d[\d_]*(?:\.[\d_]*)?|\.[\d_]+)(?:[eE][-+_]*[\d_]+)?|[-+_]*0_*(?:[xX][\da-fA-F_]+|[oO][0-7_]+|[bB][-+]?[01_]+)|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
      resolve: (text, onError) => {
        if (/[in]/i.test(text)) onError(`${text} has no equivalent in JSON`);
        return numberIn(text) ?? text;
      },
      stringify: ({ value }) => JSON.stringify(value),
    }),
  ),
];

/** One for all documents, since creating a schema takes longer than parsing a short document. */
export const KUBERNETES_SCHEMA = new Schema({
  schema: 'failsafe',
  customTags: TAGS,
  merge: true,
  resolveKnownTags: false,
});

/** `compat` quotes what other parsers of YAML 1.1 do not read as strings. */
export const PRINT_OPTIONS = {
  schema: 'failsafe',
  customTags: TAGS,
  compat: 'yaml-1.1',
  resolveKnownTags: false,
} as const;

/** As strconv.ParseInt and ParseFloat, in the order in which yaml.v2 calls them. */
function numberIn(text: string): number | undefined {
  if (text.startsWith('.')) return POINT_FIRST.test(text) ? finite(text.replaceAll('_', '')) : undefined;
  const plain = text.replaceAll('_', '').replace(/^0b([-+])/, '$10b');
  return integerIn(plain) ?? (DECIMAL.test(plain) ? finite(plain) : undefined);
}

const POINT_FIRST = /^\.\d+(?:_\d+)*(?:[eE][-+]?\d+(?:_\d+)*)?$/;
const DECIMAL = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;

/** A number with a prefix for its base. Undefined if it exceeds 64 bits. */
function integerIn(text: string): number | undefined {
  const [, sign = '', x, o, b] = /^([-+]?)0(?:[xX]([\da-fA-F]+)|[oO]?([0-7]+)|[bB]([01]+))$/.exec(text) ?? [];
  const prefixed = x ? `0x${x}` : o ? `0o${o}` : b && `0b${b}`;
  if (prefixed === undefined)
    return /^[-+]?\d+$/.test(text) && !/^[-+]?0./.test(text) ? Number(text) + 0 : undefined;
  const value = BigInt(prefixed);
  const most = sign === '' ? 2n ** 64n - 1n : sign === '-' ? 2n ** 63n : 2n ** 63n - 1n;
  return value > most ? undefined : Number(sign === '-' ? -value : value);
}

function finite(text: string): number | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
