import { PodgraftError } from '../podgraft-error.ts';

/** A text that is no YAML, or none of the kind that is read here. */
export class YamlInvalid extends PodgraftError {
  readonly line: number;
  readonly why: string;

  constructor(line: number, why: string, options?: ErrorOptions) {
    super('INPUT_INVALID', `Cannot read YAML: line ${line}: ${why}`, options);
    this.line = line;
    this.why = why;
  }
}
