/** Where a template failed: Go's own wording as `reason`, and the place in fields for a tool to show. */
export interface TemplatePlace {
  readonly template: string;
  readonly line: number;
  /** In bytes from 0, as Go counts it. */
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
