import { defaultContainer } from './default-container.ts';
import { languages } from './languages.ts';
import type { Target } from './pod-plan.ts';
import type { Requested } from './requested.ts';
import type { Subject } from './subject.ts';

/** The containers that a request means: init containers as they stand in the Pod, then others as they are named. */
export function targetsOf({ language, containers: names }: Requested, subject: Subject): readonly Target[] {
  const { pod, problems } = subject;
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  if (names.length === 0) {
    const container = defaultContainer(pod);
    return container === undefined ? [] : [{ container, place: 'containers' }];
  }
  const { forInitContainers } = languages[language];
  const targets: Target[] = [];
  for (const container of initContainers) {
    if (forInitContainers && names.includes(container.name))
      targets.push({ container, place: 'initContainers' });
  }
  for (const name of new Set(names)) {
    const container = containers.find((candidate) => candidate.name === name);
    if (container !== undefined) targets.push({ container, place: 'containers' });
    else if (!initContainers.some((candidate) => candidate.name === name)) {
      problems.push(`${language} is not injected into container "${name}": the Pod has none of that name`);
    } else if (!forInitContainers) {
      problems.push(`${language} is not injected into container "${name}": it is an init container`);
    }
  }
  return targets;
}
