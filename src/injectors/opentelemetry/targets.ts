import { CONTAINER_NAMES, LANGUAGE_CONTAINER_NAMES, textOf } from './annotations.ts';
import { defaultContainer } from './default-container.ts';
import type { LanguageName } from './language-name.ts';
import { languages } from './languages.ts';
import type { Target } from './pod-plan.ts';
import type { Requested } from './requested.ts';
import type { Subject } from './subject.ts';

/** The containers that a request means: init containers as they stand in the Pod, then others as they are named. */
export function targetsOf({ language, containers: names }: Requested, subject: Subject): readonly Target[] {
  const { pod, problems, hints } = subject;
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
  const missing: string[] = [];
  for (const name of new Set(names)) {
    const container = containers.find((candidate) => candidate.name === name);
    if (container !== undefined) targets.push({ container, place: 'containers' });
    else if (!initContainers.some((candidate) => candidate.name === name)) {
      missing.push(`${language} is not injected into container "${name}": the Pod has none of that name`);
    } else if (!forInitContainers) {
      problems.push(`${language} is not injected into container "${name}": it is an init container`);
    }
  }
  const isFine = targets.length > 0 && isNamespaceList(language, subject);
  (isFine ? hints : problems).push(...missing);
  return targets;
}

/** A Namespace names the containers of all its Pods, of which each has some. */
function isNamespaceList(language: LanguageName, { podAnnotations }: Subject): boolean {
  const keys = [CONTAINER_NAMES, LANGUAGE_CONTAINER_NAMES[language]];
  return keys.every((key) => textOf(podAnnotations, key) === '');
}
