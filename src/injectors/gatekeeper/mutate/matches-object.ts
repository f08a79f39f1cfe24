import { type JsonObject, type KubeObject, labelsOf, matchesSelector } from '../../../sdk/index.ts';
import type { Mutator } from '../resource/mutator.ts';
import { mutationFailed } from './mutation-failed.ts';
import type { Subject } from './subject.ts';
import { matchesGenerateName, matchesWildcard } from './wildcard.ts';

/** Whether `match` holds for an object as it is now. The index has compared its kinds already. */
export function matchesObject(mutator: Mutator, object: JsonObject, subject: Subject): boolean {
  return matchesNamespace(mutator, subject) && matchesContent(mutator, object, subject);
}

/** The part of `match` that no mutator's changes affect. */
export function matchesNamespace({ match }: Mutator, { isNamespace, namespace }: Subject): boolean {
  // Admission never sees objects that an expansion template generates.
  if (match.source === 'Generated') return false;
  const isNamespaced = !isNamespace && namespace !== '';
  if (match.scope === 'Cluster' && isNamespaced) return false;
  if (match.scope === 'Namespaced' && !isNamespaced) return false;
  if (!isNamespaced && !isNamespace) return true;
  if (match.namespaces.length > 0 && !isListed(match.namespaces, namespace)) return false;
  return !isListed(match.excludedNamespaces, namespace);
}

function isListed(patterns: readonly string[], namespace: string): boolean {
  for (const pattern of patterns) if (matchesWildcard(pattern, namespace)) return true;
  return false;
}

/** Whether there is another part of `match`. */
export function matchesByContent({ match: { name, labelSelector, namespaceSelector } }: Mutator): boolean {
  return name !== '' || labelSelector !== undefined || namespaceSelector !== undefined;
}

/** The other part of `match`. */
export function matchesContent(mutator: Mutator, object: JsonObject, subject: Subject): boolean {
  return matchesName(mutator, object) && matchesLabels(mutator, object, subject);
}

function matchesName({ match: { name } }: Mutator, object: JsonObject): boolean {
  if (name === '') return true;
  const { metadata } = object as unknown as KubeObject;
  return matchesWildcard(name, metadata.name ?? '') || matchesGenerateName(name, metadata.generateName ?? '');
}

function matchesLabels(mutator: Mutator, object: JsonObject, subject: Subject): boolean {
  const { labelSelector, namespaceSelector } = mutator.match;
  const labels = labelsOf(object as unknown as KubeObject);
  if (labelSelector !== undefined && !matchesSelector(labelSelector, labels)) return false;
  if (namespaceSelector === undefined) return true;
  if (subject.isNamespace) return matchesSelector(namespaceSelector, labels);
  if (subject.namespace === '') return true;
  const namespace = subject.namespaceObject();
  if (namespace !== undefined) return matchesSelector(namespaceSelector, labelsOf(namespace));
  throw mutationFailed(
    mutator,
    `namespaceSelector needs Namespace "${subject.namespace}", which is not known`,
  );
}
