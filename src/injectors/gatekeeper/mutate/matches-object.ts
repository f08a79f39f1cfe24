import { type JsonObject, type KubeObject, labelsOf, matchesSelector } from '../../../sdk/index.ts';
import type { Mutator } from '../resource/mutator.ts';
import { mutationFailed } from './mutation-failed.ts';
import type { Subject } from './subject.ts';
import { matchesGenerateName, matchesWildcard } from './wildcard.ts';

/** Whether `match` holds for an object as it is now. The index has compared its kinds already. */
export function matchesObject(mutator: Mutator, object: JsonObject, subject: Subject): boolean {
  const { match } = mutator;
  // Admission never sees objects that an expansion template generates.
  if (match.source === 'Generated') return false;
  const { isNamespace, namespace } = subject;
  const isNamespaced = !isNamespace && namespace !== '';
  if (match.scope === 'Cluster' && isNamespaced) return false;
  if (match.scope === 'Namespaced' && !isNamespaced) return false;
  if (isNamespaced || isNamespace) {
    const isListed = match.namespaces.some((pattern) => matchesWildcard(pattern, namespace));
    if (match.namespaces.length > 0 && !isListed) return false;
    if (match.excludedNamespaces.some((pattern) => matchesWildcard(pattern, namespace))) return false;
  }
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
