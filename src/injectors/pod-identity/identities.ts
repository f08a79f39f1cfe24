import * as v from 'valibot';
import { isJsonObject } from '../../json/json.ts';
import { parseConfig } from '../../sdk/config.ts';
import { lowerCaseKeys } from './lower-case-keys.ts';

/** The ServiceAccounts that get container credentials, each as `namespace/name`. */
export type Identities = ReadonlySet<string>;

const identity = v.pipe(
  v.unknown(),
  v.transform(lowerCaseKeys),
  v.object({ namespace: v.string(), serviceaccount: v.string() }),
);
const schema = v.nullable(
  v.pipe(
    v.unknown(),
    // A list would do for valibot's `object`.
    v.check(isJsonObject, 'expected a map'),
    v.transform(lowerCaseKeys),
    v.object({ identities: v.nullish(v.array(identity), []) }),
  ),
);

/** Reads the container-credentials file; an empty one lists nobody. Throws where it is broken. */
export function parseIdentities(text: string): Identities {
  const list = text === '' ? [] : (parseConfig(schema, JSON.parse(text))?.identities ?? []);
  return new Set(list.map(({ namespace, serviceaccount }) => `${namespace}/${serviceaccount}`));
}
