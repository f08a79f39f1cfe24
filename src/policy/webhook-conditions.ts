import { cacheByObject } from '../cache.ts';
import { kubernetesEnvironment } from '../cel/kubernetes-environment.ts';
import { BOOL } from '../cel/types.ts';
import type { JsonObject } from '../json/json.ts';
import { itemsOf, membersOf } from '../kube/json-parts.ts';
import { type Compiled, tryCompile } from './compile-policy.ts';

/** The programs of a webhook's match conditions, or why they do not compile. */
export const webhookConditions = cacheByObject((webhook: JsonObject): readonly Compiled[] => {
  const environment = kubernetesEnvironment({ authorizer: true });
  return itemsOf(webhook.matchConditions).map((condition) => {
    const { expression } = membersOf(condition);
    return tryCompile(typeof expression === 'string' ? expression : '', environment, BOOL);
  });
});
