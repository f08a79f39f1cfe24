import type { KubeObject } from '../kube/kube-object.ts';
import type { InputObject } from './read-input.ts';

/** An error or a warning about the input. */
export interface Message {
  readonly severity: 'error' | 'warning';
  readonly text: string;
  /** Absent if it concerns a file or the configuration. */
  readonly input?: InputObject;
}

/** Writes to stderr. An error sets the exit code. */
export function writeMessage({ severity, text, input }: Message): void {
  const place = input === undefined ? '' : `${input.place}: ${nameOf(input.object)}: `;
  for (const line of (place + text).split('\n')) process.stderr.write(`${severity}: ${line}\n`);
  if (severity === 'error') process.exitCode = 1;
}

export function nameOf(object: KubeObject): string {
  const { name, generateName } = object.metadata;
  return `${object.kind} "${name ?? `${generateName ?? ''}*`}"`;
}
