import { isJsonArray } from '../../json/json.ts';
import type { Patch } from '../../json/operation.ts';
import type { Webhook } from './webhook.ts';

/** A patch of the configuration that adds a match condition. */
export function addCondition({ path, spec }: Webhook, name: string, expression: string): Patch {
  const condition = { name, expression };
  return isJsonArray(spec.matchConditions)
    ? [{ op: 'add', path: `${path}/matchConditions/-`, value: condition }]
    : [{ op: 'add', path: `${path}/matchConditions`, value: [condition] }];
}
