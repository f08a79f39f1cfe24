import type { JsonObject } from '../json/json.ts';
import { sameJson } from '../json/same-json.ts';

/**
 * Tracks which webhooks or policies run again in the second round. Each of the two has its own tracker: a member that ran before a
 * change, and has `reinvocationPolicy: IfNeeded`, runs again.
 */
export class Reinvocation {
  readonly #previous = new Set<string>();
  readonly #again = new Set<string>();
  #output: JsonObject | null | undefined;

  isAgain(member: string): boolean {
    return this.#again.has(member);
  }

  /** After a member changed the object. */
  changed(): void {
    for (const member of this.#previous) this.#again.add(member);
    this.#previous.clear();
  }

  /** After a member was invoked that wants to see later changes. */
  invoked(member: string): void {
    this.#previous.add(member);
  }

  /** At the start of the second round: others may have changed the object since the first. */
  compare(object: JsonObject | null): void {
    if (this.#output !== undefined && !sameJson(this.#output, object)) this.changed();
  }

  /** At the end of each round. */
  finished(object: JsonObject | null): void {
    this.#output = object;
  }
}
