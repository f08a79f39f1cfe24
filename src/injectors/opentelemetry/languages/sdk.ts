import { quoted } from '../../../sdk/index.ts';
import { prepareSdk } from '../environment/prepare-sdk.ts';
import type { Language } from '../injection.ts';
import { mountProblem } from '../plan/mount-problem.ts';

/** For applications that contain the SDK: adds its configuration only. */
export const sdk: Language = {
  supportsInitContainers: true,
  prepare({ spec }) {
    const { mounts, start } = prepareSdk(spec, { env: [] });
    return (targets, injection) => {
      const configure = start(injection);
      for (const target of targets) {
        const { container } = target;
        const problem = mountProblem(container, mounts);
        if (problem === undefined) configure(injection.plan.target(target), container);
        else
          injection.problems.push(`cannot inject sdk into container ${quoted(container.name)}: ${problem}`);
      }
    };
  },
};
