import { annotationsOf, builtin, type Context, type StringMap } from '../../sdk/index.ts';
import type { AccountSettings } from './account-lists.ts';
import { DEFAULT_EXPIRATION, parseExpiration } from './expiration.ts';
import type { Settings } from './settings.ts';

// A live view keeps every object in memory, so these name the only fields used besides metadata.
export const SERVICE_ACCOUNT = { ...builtin('ServiceAccount'), fields: [] };
export const CONFIG_MAP = { ...builtin('ConfigMap'), fields: ['data'] };
/** The ConfigMap of roles, in the namespace that the configuration sets. */
export const ROLE_MAP_NAME = 'pod-identity-webhook';

/** A Pod's ServiceAccount, and its settings from every source. */
export interface Account {
  /** `namespace/name`. */
  readonly key: string;
  /** Undefined if the ServiceAccount was not found. */
  readonly annotations: StringMap | undefined;
  /** From its annotations. */
  readonly own: AccountSettings | undefined;
  /** From the ConfigMap entry for this account. */
  readonly mapped?: AccountSettings | undefined;
  /** From the ConfigMap entry for this name in any namespace. */
  readonly mappedAnywhere?: AccountSettings | undefined;
  /** Why the ConfigMap cannot be used. */
  readonly problem?: string;
}

/** For an account without any source. */
export const UNKNOWN_ACCOUNT: AccountSettings = {
  roleArn: '',
  audience: '',
  regionalSts: false,
  expiration: DEFAULT_EXPIRATION,
};

export function findAccount(name: string, { request, cluster, config }: Context<Settings>): Account {
  const key = `${request.namespace}/${name}`;
  const serviceAccount = cluster.get(SERVICE_ACCOUNT, request.namespace, name);
  const annotations = serviceAccount && annotationsOf(serviceAccount);
  const account = { key, annotations, own: annotations && ownSettings(annotations, config) };
  if (!config.watchConfigMap) return account;
  const configMap = cluster.get(CONFIG_MAP, config.namespace, ROLE_MAP_NAME);
  if (configMap === undefined) return account;
  const map = config.roleMapOf(configMap);
  if ('problem' in map) return { ...account, problem: map.problem };
  return { ...account, mapped: map.roles.get(key), mappedAnywhere: map.roles.get(`*/${name}`) };
}

function ownSettings(annotations: StringMap, config: Settings): AccountSettings {
  const { annotations: names, rolePrefix } = config;
  const role = annotations[names.roleArn] ?? '';
  const isName = rolePrefix !== undefined && role !== '' && !role.includes('arn:');
  return {
    roleArn: isName ? rolePrefix + role : role,
    audience: annotations[names.audience] ?? config.tokenAudience,
    regionalSts: parseBool(annotations[names.regionalSts]) ?? config.stsRegionalEndpoint,
    expiration: parseExpiration(annotations[names.expiration]) ?? config.tokenExpiration,
  };
}

/** Like Go's strconv.ParseBool. */
function parseBool(text = ''): boolean | undefined {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false;
  return undefined;
}
