import { configureSdk } from './common-env.ts';
import type { Language } from './language.ts';

/** For applications that bring the SDK themselves: configuration only. */
export const sdk: Language = {
  name: 'sdk',
  forInitContainers: true,
  inject(targets, work) {
    for (const target of targets) configureSdk(work.plan.target(target), target.container, work, { env: [] });
  },
};
