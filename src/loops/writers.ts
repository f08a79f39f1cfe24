import type { Writer } from './field-history.ts';

const MOST = 10_000;
const OTHERS: Writer = { kind: 'user', name: 'others', detail: '' };

/** One object for each writer, so that they can be compared and take no memory for each write. */
export class Writers {
  readonly #known = new Map<string, Writer>();

  get(kind: Writer['kind'], name: string, detail: string): Writer {
    const key = `${kind} ${name} ${detail}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= MOST) return OTHERS;
    const writer = { kind, name, detail };
    this.#known.set(key, writer);
    return writer;
  }
}
