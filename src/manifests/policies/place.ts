import { escapeSegment } from '../../json/pointer.ts';
import { fieldOf, quoted } from './cel-text.ts';

/** A place of the object: the CEL expressions of its value and of its JSON Pointer. */
export interface Place {
  readonly value: string;
  /** Constant text, and expressions of indices in between. */
  readonly path: readonly (string | { readonly index: string })[];
}

export const ROOT: Place = { value: 'object', path: [] };

export function memberOf({ value, path }: Place, key: string): Place {
  return { value: fieldOf(value, key), path: [...path, `/${escapeSegment(key)}`] };
}

export function itemOf({ path }: Place, index: string, value: string): Place {
  return { value, path: [...path, '/', { index }] };
}

export function pathText({ path }: Place, end = ''): string {
  const texts: string[] = [];
  let text = '';
  for (const part of [...path, end]) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    texts.push(quoted(text), `string(${part.index})`);
    text = '';
  }
  if (text !== '' || texts.length === 0) texts.push(quoted(text));
  return texts.join(' + ');
}

/** How a change is written: as an operation, or only as its path, to count what would still change. */
export interface ChangeWriter {
  /** `value` is CEL. */
  add(path: string, value: string): string;
  remove(path: string): string;
}

export const OPERATIONS: ChangeWriter = {
  add: (path, value) => `JSONPatch{op: 'add', path: ${path}, value: ${value}}`,
  remove: (path) => `JSONPatch{op: 'remove', path: ${path}}`,
};

export const PATHS: ChangeWriter = { add: (path) => path, remove: (path) => path };
