import type { JsonObject } from '../json/json.ts';
import type { Session } from './session.ts';
import type { Subject } from './subject.ts';

/** Something that every well-behaved webhook, or every set of them, does. */
export interface Check {
  readonly id: string;
  /** What holds if it passes. */
  readonly title: string;
  readonly why: string;
  /** How to fix it. */
  readonly fix: string;
  readonly scope: /** Every mutating webhook by itself. */
    | 'mutating'
    /** Every webhook by itself. */
    | 'each'
    /** All webhooks together. */
    | 'set';
  readonly objects: /** Every object of the corpus. */
    | 'all'
    /** The smallest first, until one causes a problem: for slow checks. */
    | 'smallest'
    /** One, because its content does not matter. */
    | 'one';
  /** Undefined if the check passes or does not apply to the object. */
  examine(subjects: readonly Subject[], object: JsonObject, session: Session): Promise<Problem | undefined>;
  /** Whether a smaller object shows the problem, too, if `examine` is not a reliable answer. */
  persists?(subjects: readonly Subject[], object: JsonObject, session: Session): Promise<boolean>;
}

export interface Problem {
  /** One sentence, with the values. */
  readonly message: string;
  /** Where in the object: `spec.containers[app]`. */
  readonly paths?: readonly string[];
  /** The webhooks that are responsible, unless all examined ones are. */
  readonly culprits?: readonly string[];
  /** The object has no part in this problem, so shrinking it is pointless. */
  readonly isAboutServer?: boolean;
  /** The body that shows it, if it is not a review of an object. */
  readonly body?: string;
}
