import { firstMessages, quoted, shortened } from '../../sdk/index.ts';
import { injectKey, instanceOf, isTrue } from './annotations.ts';
import { namespaceViolation } from './guardrails.ts';
import type { Injection } from './injection.ts';
import type { LanguageRequest } from './language-requests.ts';
import { preparedLanguage } from './prepared-language.ts';
import { INSTRUMENTATION, type Instrumentation, parseInstrumentation } from './resources/instrumentation.ts';
import type { Invalid } from './resources/schema.ts';
import { targetsOf } from './targets.ts';

/** Far more than the configuration of any real Pod: it is repeated in each container. */
const MOST_CHARACTERS = 8_000_000;

/** Plans the injection of one requested language. */
export function instrument(request: LanguageRequest, injection: Injection): void {
  const { language } = request;
  const instrumentation = findInstrumentation(request, injection);
  if (instrumentation === undefined) return;
  if ('problem' in instrumentation) {
    injection.problems.push(`cannot inject ${language}: ${instrumentation.problem}`);
    return;
  }
  const prepared = preparedLanguage(language, instrumentation, injection.options);
  const { problem, violation } = prepared;
  if (problem !== undefined) {
    injection.problems.push(`cannot inject ${language}: ${problem}`);
    return;
  }
  if (violation !== undefined) {
    injection.denials.push(`cannot inject ${language}: ${violation}`);
    return;
  }
  const { supportsInitContainers, size, inject } = prepared;
  const targets = targetsOf(request, supportsInitContainers, injection);
  if (targets.length > 1 && targets.length * sizeWithAnnotations(size, injection) > MOST_CHARACTERS) {
    injection.problems.push(
      `cannot inject ${language}: the configuration is too large for ${targets.length} containers`,
    );
    return;
  }
  inject(targets, injection);
}

/** About the number of characters that are added to each container. */
function sizeWithAnnotations(specSize: number, { podAnnotations, resourceAnnotations }: Injection): number {
  let size = specSize;
  for (const key of resourceAnnotations) size += key.length + (podAnnotations[key]?.length ?? 0);
  return size;
}

/** Undefined if the configuration forbids it. */
function findInstrumentation(
  request: LanguageRequest,
  injection: Injection,
): Instrumentation | Invalid | undefined {
  if (isTrue(request.instance)) return onlyInstrumentation(request, injection);
  const { namespace, name } = instanceOf(request.instance, injection.namespace);
  const violation = namespaceViolation(namespace, injection.namespace, injection.options);
  if (violation !== undefined) {
    injection.denials.push(`cannot inject ${request.language}: ${violation}`);
    return undefined;
  }
  const object = injection.cluster.get(INSTRUMENTATION, namespace, name);
  if (object !== undefined) return parseInstrumentation(object);
  const configured = configuredFor(namespace, injection).find((candidate) => candidate.name === name);
  return (
    configured ?? { problem: `Instrumentation ${quoted(name)} not found in namespace ${quoted(namespace)}` }
  );
}

function onlyInstrumentation({ language }: LanguageRequest, injection: Injection): Instrumentation | Invalid {
  const { namespace, cluster } = injection;
  const objects = cluster.list(INSTRUMENTATION, namespace);
  const [object] = objects;
  if (object !== undefined && objects.length === 1) return parseInstrumentation(object);
  const configured = objects.length === 0 ? configuredFor(namespace, injection) : [];
  const [instrumentation] = configured;
  if (instrumentation !== undefined && configured.length === 1) return instrumentation;
  const names = [
    ...objects.map(({ metadata }) => metadata.name ?? ''),
    ...configured.map(({ name }) => name),
  ];
  const problem =
    names.length === 0
      ? `no Instrumentation in namespace "${namespace}": create one, or set annotation "${injectKey(language)}" to NAMESPACE/NAME of another`
      : `expected one Instrumentation for namespace "${namespace}", found ${names.length} (${firstMessages(names.sort().map(shortened), 10).join(', ')}): set annotation "${injectKey(language)}" to one of these names`;
  return { problem };
}

function configuredFor(namespace: string, { options }: Injection): readonly Instrumentation[] {
  return options.instrumentations.filter(
    (candidate) => candidate.namespace === undefined || candidate.namespace === namespace,
  );
}
