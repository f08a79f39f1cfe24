import { type FunctionMap, func } from '../func.ts';

/** Sprig's conversions between ways to write a name of several words. */
export const CASE: FunctionMap = {
  camelcase: func('func(string) string', camelCase),
  snakecase: func('func(string) string', (text: string) => lowerCase(text, '_')),
  kebabcase: func('func(string) string', (text: string) => lowerCase(text, '-')),
};

const CONNECTOR = /[-_\s\u0085]/u;
const UPPER = /\p{Lu}/u;

/** Connectors at the start are kept, and of several in a row all but the last. */
function camelCase(text: string): string {
  const chars = [...text];
  const start = chars.findIndex((char) => !CONNECTOR.test(char));
  if (start < 0) return text + (chars.at(-1) ?? '');
  let isRunOfUpper = UPPER.test(chars[start] ?? '');
  let previous = upper(chars[start] ?? '');
  let out = chars.slice(0, start).join('');
  for (const char of chars.slice(start + 1)) {
    let next = char;
    if (CONNECTOR.test(previous)) {
      if (CONNECTOR.test(char)) {
        out += previous;
        previous = char;
        continue;
      }
      isRunOfUpper = UPPER.test(char);
      next = upper(char);
    } else {
      isRunOfUpper &&= UPPER.test(char);
      if (isRunOfUpper) next = lower(char);
      out += previous;
    }
    previous = next;
  }
  return out + previous;
}

function upper(char: string): string {
  const changed = char.toUpperCase();
  return [...changed].length === 1 ? changed : char;
}

function lower(char: string): string {
  const changed = char.toLowerCase();
  return [...changed].length === 1 ? changed : char;
}

type Kind = 'connector' | 'punctuation' | 'upper' | 'letters' | 'number' | 'other' | 'end';

interface Word {
  readonly kind: Kind;
  readonly text: string;
}

/** In this order: the first that matches is the next word. `HTTPStatus` is two words. */
const LETTER = '[\\p{L}--\\p{Lu}]';
const WORDS: readonly (readonly [Kind, RegExp])[] = (
  [
    ['connector', '[\\-_\\s\\u0085]+'],
    ['punctuation', '\\p{P}+'],
    ['upper', `\\p{Lu}+(?=\\p{Lu}${LETTER})|\\p{Lu}${LETTER}+|\\p{Lu}+`],
    ['letters', `${LETTER}+`],
    ['number', '\\p{N}+'],
    ['other', '[^\\-_\\s\\u0085\\p{P}\\p{L}\\p{N}]+'],
  ] as const
).map(([kind, source]) => [kind, new RegExp(source, 'vy')]);

function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  for (let at = 0; at < text.length; at += words.at(-1)?.text.length ?? 1) {
    const found = WORDS.flatMap(([kind, pattern]) => {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      return match === null ? [] : [{ kind, text: match[0] }];
    })[0];
    words.push(found ?? { kind: 'other', text: text[at] ?? '' });
  }
  return words;
}

const END: Word = { kind: 'end', text: '' };

/** Words in lower case with a connector between them. A number belongs to the word before it, unless letters follow. */
function lowerCase(text: string, connector: string): string {
  const words = wordsOf(text);
  let out = '';
  let at = 0;
  const write = ({ kind, text: word }: Word) => {
    const isChanged = kind === 'upper' || kind === 'connector';
    out += isChanged
      ? [...word].map((char) => (CONNECTOR.test(char) ? connector : lower(char))).join('')
      : word;
  };
  const current = () => words[at] ?? END;
  const connect = () => {
    if (!['end', 'punctuation', 'connector'].includes(current().kind)) out += connector;
  };
  const writeRun = () => {
    for (; current().kind === 'letters' || current().kind === 'number'; at++) write(current());
    connect();
  };
  while (at < words.length - 1) {
    const word = current();
    write(word);
    at++;
    if (word.kind === 'connector' || word.kind === 'punctuation') continue;
    if (word.kind === 'number') writeRun();
    else if (current().kind !== 'number') connect();
    else if (at < words.length - 1) {
      const number = current();
      at++;
      if (current().kind === 'letters') {
        out += connector;
        write(number);
        writeRun();
      } else {
        write(number);
        connect();
      }
    }
  }
  write(current());
  return out;
}
