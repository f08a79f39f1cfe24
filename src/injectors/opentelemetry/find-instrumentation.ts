import { INJECT, isTrue } from './annotations.ts';
import { INSTRUMENTATION, type Instrumentation, readInstrumentation } from './instrumentation.ts';
import type { LanguageName } from './language-name.ts';
import type { Subject } from './subject.ts';

type Found = Instrumentation | { readonly problem: string };

/** The Instrumentation that an annotation's value means: the namespace's only one, one by name, or one of elsewhere. */
export function findInstrumentation(value: string, language: LanguageName, subject: Subject): Found {
  if (isTrue(value)) return onlyOne(language, subject);
  const { namespace, name } = instanceOf(value, subject.namespace);
  const object = subject.cluster.get(INSTRUMENTATION, namespace, name);
  if (object !== undefined) return readInstrumentation(object);
  const configured = configuredFor(namespace, subject).find((candidate) => candidate.name === name);
  return configured ?? { problem: `there is no Instrumentation "${name}" in namespace "${namespace}"` };
}

/** `name`, or `namespace/name`. */
export function instanceOf(value: string, namespace: string): { namespace: string; name: string } {
  const slash = value.indexOf('/');
  if (slash < 0) return { namespace, name: value };
  return { namespace: value.slice(0, slash), name: value.slice(slash + 1) };
}

function onlyOne(language: LanguageName, subject: Subject): Found {
  const { namespace } = subject;
  const objects = subject.cluster.list(INSTRUMENTATION, namespace);
  const [object] = objects;
  if (object !== undefined && objects.length === 1) return readInstrumentation(object);
  const candidates = objects.length === 0 ? configuredFor(namespace, subject) : [];
  const [configured] = candidates;
  if (configured !== undefined && candidates.length === 1) return configured;
  const names = [
    ...objects.map(({ metadata }) => metadata.name ?? ''),
    ...candidates.map(({ name }) => name),
  ];
  if (names.length === 0) {
    return {
      problem: `there is no Instrumentation in namespace "${namespace}": create one, or set annotation "${INJECT[language]}" to NAMESPACE/NAME of another`,
    };
  }
  return {
    problem: `there are ${names.length} Instrumentations for namespace "${namespace}" (${names.toSorted().join(', ')}): set annotation "${INJECT[language]}" to the name of one`,
  };
}

function configuredFor(namespace: string, { options }: Subject): readonly Instrumentation[] {
  return options.instrumentations.filter(
    (candidate) => candidate.namespace === undefined || candidate.namespace === namespace,
  );
}
