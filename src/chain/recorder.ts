import type { Step } from './outcome.ts';

/** Collects the warnings, audit annotations and steps of a request. */
export interface Recorder {
  warn(text: string): void;
  /** The first value of a key stays; a key that is not a qualified name is dropped. A function is called when annotations are read. */
  annotate(key: string, value: string | (() => string)): void;
  step(step: Step): void;
  readonly warnings: readonly string[];
  readonly annotations: { readonly [key: string]: string };
  readonly steps: readonly Step[];
}

/** Limits of the API server's warning recorder, in characters. */
const LONGEST_IF_MANY = 256;
const MOST_CHARACTERS = 4096;

export function createRecorder(): Recorder {
  const received: string[] = [];
  const annotations = new Map<string, string | (() => string)>();
  const steps: Step[] = [];
  return {
    warn(text) {
      if (text === '' || hasControlCharacters(text) || received.includes(text)) return;
      received.push(text);
    },
    annotate(key, value) {
      if (isAnnotationKey(key) && !annotations.has(key)) annotations.set(key, value);
    },
    step: (step) => steps.push(step),
    get warnings() {
      return limited(received);
    },
    get annotations() {
      return Object.fromEntries(
        [...annotations].map(([key, value]) => [key, typeof value === 'string' ? value : value()]),
      );
    },
    steps,
  };
}

/** Whole texts while their sum fits; otherwise each is shortened, and adding stops at the limit. */
function limited(texts: readonly string[]): readonly string[] {
  const total = texts.reduce((sum, text) => sum + length(text), 0);
  if (total <= MOST_CHARACTERS) return [...texts];
  const kept: string[] = [];
  let size = 0;
  for (const text of texts) {
    const cut = [...text].slice(0, LONGEST_IF_MANY).join('');
    if (size + length(cut) > MOST_CHARACTERS) break;
    size += length(cut);
    if (!kept.includes(cut)) kept.push(cut);
  }
  return kept;
}

function length(text: string): number {
  return [...text].length;
}

/** Headers cannot contain them. */
function hasControlCharacters(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters in question.
  return /[\u0000-\u001f\u007f]/.test(text);
}

/** `prefix/name`, both parts valid. */
function isAnnotationKey(key: string): boolean {
  const [prefix, name, ...rest] = key.split('/');
  return (
    rest.length === 0 &&
    name !== undefined &&
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(prefix ?? '') &&
    /^([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$/.test(name)
  );
}
