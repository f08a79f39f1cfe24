import { isJsonArray, isJsonObject } from '../../json/json.ts';
import type { Patch } from '../../json/operation.ts';
import { membersOf } from '../../kube/json-parts.ts';
import { stringsOf } from './text.ts';
import type { Webhook } from './webhook.ts';

const NAME = 'kubernetes.io/metadata.name';

/** A patch of the configuration that excludes namespaces from a webhook. */
export function excludeNamespaces({ path, spec }: Webhook, namespaces: readonly string[]): Patch {
  const at = `${path}/namespaceSelector`;
  const requirement = { key: NAME, operator: 'NotIn', values: [...namespaces] };
  if (!isJsonObject(spec.namespaceSelector))
    return [{ op: 'add', path: at, value: { matchExpressions: [requirement] } }];
  const { matchExpressions } = spec.namespaceSelector;
  if (!isJsonArray(matchExpressions))
    return [{ op: 'add', path: `${at}/matchExpressions`, value: [requirement] }];
  const existing = matchExpressions.findIndex((each) => {
    const { key, operator } = membersOf(each);
    return key === NAME && operator === 'NotIn';
  });
  if (existing < 0) return [{ op: 'add', path: `${at}/matchExpressions/-`, value: requirement }];
  const values = stringsOf(membersOf(matchExpressions[existing]).values);
  return namespaces
    .filter((name) => !values.includes(name))
    .map((value) => ({ op: 'add', path: `${at}/matchExpressions/${existing}/values/-`, value }));
}
