import type { Work } from './common-env.ts';
import type { LanguageName } from './language-name.ts';
import type { Target } from './pod-plan.ts';

/** How one language gets into containers. What stands in its way it reports to the subject, and then adds nothing. */
export interface Language {
  readonly name: LanguageName;
  /** Whether its agent works in init containers too. */
  readonly forInitContainers: boolean;
  inject(targets: readonly Target[], work: Work): void;
}
