import * as v from 'valibot';
import { ConfigError, isJsonObject, type JsonObject, type KubeObject, parseConfig } from '../../sdk/index.ts';
import { withinLimits } from './expiration.ts';

/** The ServiceAccounts that get container credentials, each as `namespace/name`. */
export type Identities = ReadonlySet<string>;

const fileSchema = v.nullable(
  v.pipe(
    v.unknown(),
    // valibot's `object` accepts a list.
    v.check(isJsonObject, 'expected a map'),
    v.transform(lowerCaseKeys),
    v.object({ identities: v.nullish(v.array(v.unknown()), []) }),
  ),
);

/**
 * Parses the container-credentials file, which may be empty. Throws if it is invalid as a whole. An entry that names no
 * account is reported and skipped: it must not deny all others their credentials.
 */
export function parseIdentities(text: string, report: (problem: string) => void = () => {}): Identities {
  const list = text === '' ? [] : (parseConfig(fileSchema, JSON.parse(text))?.identities ?? []);
  const accounts = new Set<string>();
  for (const [index, item] of list.entries()) {
    const { namespace, serviceaccount } = fieldsOf(item);
    if (isFilled(namespace) && isFilled(serviceaccount)) accounts.add(`${namespace}/${serviceaccount}`);
    else report(`identities[${index}] is skipped: expected "namespace" and "serviceAccount"`);
  }
  return accounts;
}

function fieldsOf(item: unknown): JsonObject {
  const fields = lowerCaseKeys(item);
  return isJsonObject(fields) ? fields : {};
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The settings of one ServiceAccount, from its annotations or from the ConfigMap of roles. */
export interface AccountSettings {
  /** Empty if it has no role. */
  readonly roleArn: string;
  readonly audience: string;
  readonly regionalSts: boolean;
  readonly expiration: number;
}

/** Keyed by `namespace/name`, where the namespace may be `*`. */
export type RoleMap = { readonly roles: ReadonlyMap<string, AccountSettings> } | { readonly problem: string };

const roleSchema = v.object({
  rolearn: v.nullish(v.string(), ''),
  audience: v.nullish(v.string(), ''),
  useregionalsts: v.nullish(v.boolean(), false),
  tokenexpiration: v.nullish(v.pipe(v.number(), v.integer()), 0),
});
/** A null entry has no role, like an empty one. */
const entrySchema = v.pipe(
  v.unknown(),
  v.transform((entry) => lowerCaseKeys(entry ?? {})),
  roleSchema,
);
const mapSchema = v.nullable(v.record(v.string(), entrySchema));

/** Parses the key `config` of the ConfigMap of roles. */
export function parseRoleMap({ data }: KubeObject, defaultExpiration: number): RoleMap {
  const text = isJsonObject(data) ? data.config : undefined;
  if (typeof text !== 'string') return { problem: 'missing key "config"' };
  try {
    const entries = Object.entries(parseConfig(mapSchema, JSON.parse(text)) ?? {});
    const roles = entries.map(([account, role]): [string, AccountSettings] => [
      account,
      {
        roleArn: role.rolearn,
        audience: role.audience,
        regionalSts: role.useregionalsts,
        expiration: role.tokenexpiration === 0 ? defaultExpiration : withinLimits(role.tokenexpiration),
      },
    ]);
    return { roles: new Map(roles) };
  } catch (error) {
    return { problem: `key "config": ${error instanceof ConfigError ? error.message : 'invalid JSON'}` };
  }
}

/** Go's JSON decoder, for which these files were written, ignores the case of keys. */
function lowerCaseKeys(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key.toLowerCase(), child]));
}
