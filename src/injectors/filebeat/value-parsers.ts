import { isQuantity } from '../../sdk/index.ts';

/** Parses the text of an annotation, or of the setting that is its default. */
export type Parser<T> = (text: string) => Parsed<T>;
export type Parsed<T> = { readonly value: T } | { readonly expected: string };

/** The API server rejects an image name with blanks around it, and no registry has one inside. */
export const image = matching(/^\S+$/, 'an image name');

export const configMapName = matching(
  /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
  'a ConfigMap name of lower-case letters, digits, "-" and "."',
);

export const positiveInteger = matching(/^[1-9]\d{0,8}$/, 'an integer of at least 1');

/** Filebeat does not split batches if the value is zero or negative. */
export const integer = matching(/^(0|-?[1-9]\d{0,8})$/, 'an integer');

export const quantity: Parser<string> = (text) =>
  isQuantity(text) && !text.startsWith('-')
    ? { value: text }
    : { expected: 'a quantity such as 100m, 0.5, 128Mi or 1Gi' };

export const lifecycleType = oneOf(['exec', 'httpget']);

export const command: Parser<readonly string[]> = (text) => {
  const value = text.split(',').map((part) => part.trim());
  return value.includes('')
    ? { expected: 'a command and its arguments, comma-separated, such as sh,-c,sleep 15' }
    : { value };
};

export const urlPath = matching(/^\/\S*$/, 'a path that starts with "/"');

/** A number, or a name in the form that Kubernetes requires (IANA_SVC_NAME). */
export const port: Parser<string | number> = (text) => {
  const number = Number(text);
  if (/^\d{1,5}$/.test(text) && number >= 1 && number <= 65535) return { value: number };
  return /^(?=.{1,15}$)(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*$/.test(text)
    ? { value: text }
    : { expected: 'a port number from 1 to 65535, or a port name of up to 15 lower-case letters and digits' };
};

export const scheme = oneOf(['HTTP', 'HTTPS']);

/** A value for a message, shortened: annotations may be 256 KiB long. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, 100) : value);
  return text.length > 100 ? `${text.slice(0, 96)}…"` : text;
}

function matching(pattern: RegExp, expected: string): Parser<string> {
  return (text) => (pattern.test(text) ? { value: text } : { expected });
}

function oneOf<const T extends string>(values: readonly T[]): Parser<T> {
  return (text) => {
    const value = values.find((candidate) => candidate.toLowerCase() === text.toLowerCase());
    return value === undefined ? { expected: values.join(' or ') } : { value };
  };
}
