import { configureSdk, sdkMounts } from '../environment/configure-sdk.ts';
import type { Language } from '../injection.ts';
import { quoted } from '../message.ts';
import { mountProblem } from '../plan/mount-problem.ts';

/** For applications that contain the SDK: adds its configuration only. */
export const sdk: Language = {
  supportsInitContainers: true,
  inject(targets, injection) {
    for (const target of targets) {
      const { container } = target;
      const problem = mountProblem(container, sdkMounts(injection));
      if (problem === undefined)
        configureSdk(injection.plan.target(target), container, injection, { env: [] });
      else injection.problems.push(`cannot inject sdk into container ${quoted(container.name)}: ${problem}`);
    }
  },
};
