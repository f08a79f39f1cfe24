import { byteLength } from '../golang/utf8.ts';

/** Where a template failed. */
export interface TemplatePlace {
  readonly template: string;
  readonly line: number;
  /** In bytes, starting at 0, as in Go. */
  readonly column: number;
  /** The action, or the part of it that failed. */
  readonly action: string;
}

export class TemplateError extends Error implements TemplatePlace {
  readonly phase: 'parse' | 'execute';
  readonly template: string;
  readonly line: number;
  readonly column: number;
  readonly action: string;
  readonly reason: string;

  constructor(
    phase: 'parse' | 'execute',
    place: TemplatePlace,
    message: string,
    reason: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TemplateError';
    this.phase = phase;
    this.template = place.template;
    this.line = place.line;
    this.column = place.column;
    this.action = place.action;
    this.reason = reason;
  }
}

/** The line and column of a position. They are counted only when an error is reported. */
export function placeAt(source: { name: string; text: string }, pos: number, action: string): TemplatePlace {
  const before = source.text.slice(0, pos);
  const lineStart = before.lastIndexOf('\n') + 1;
  let line = 1;
  for (let at = before.indexOf('\n'); at >= 0; at = before.indexOf('\n', at + 1)) line++;
  return { template: source.name, line, column: byteLength(before.slice(lineStart)), action };
}
