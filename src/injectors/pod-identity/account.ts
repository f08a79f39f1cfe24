import { annotationsOf, type KubeObject, type StringMap } from '../../kube/kube-object.ts';
import { builtin } from '../../kube/resource.ts';
import type { Context } from '../../sdk/injector.ts';
import { DEFAULT_EXPIRATION, parseExpiration, withinLimits } from './expiration.ts';
import { type MappedRole, roleMapOf } from './role-map.ts';
import type { Settings } from './settings.ts';

// A live view keeps every one of them in memory: only these fields, beside metadata, are looked at.
export const SERVICE_ACCOUNT = { ...builtin('ServiceAccount'), fields: [] };
export const CONFIG_MAP = { ...builtin('ConfigMap'), fields: ['data'] };
/** The ConfigMap of roles, in the namespace that `with:` names. */
export const ROLE_MAP_NAME = 'pod-identity-webhook';

/** What is known of a Pod's ServiceAccount, wherever it stands. */
export interface Account {
  /** `namespace/name`. */
  readonly key: string;
  /** As its own annotations have it; undefined where the cluster view does not hold it. */
  readonly own: AccountSettings | undefined;
  /** All annotations that it has. */
  readonly annotations: StringMap;
  /** As the ConfigMap has it under just this name. */
  readonly mapped: AccountSettings | undefined;
  /** As the ConfigMap has it for any namespace. */
  readonly mappedAnywhere: AccountSettings | undefined;
  /** Why the ConfigMap is of no use. */
  readonly problem: string | undefined;
}

export interface AccountSettings {
  /** Empty where there is none. */
  readonly roleArn: string;
  readonly audience: string;
  readonly regionalSts: boolean;
  readonly expiration: number;
}

/** Where nobody says anything about an account. */
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
  const configMap = config.watchConfigMap
    ? cluster.get(CONFIG_MAP, config.namespace, ROLE_MAP_NAME)
    : undefined;
  return {
    key,
    own: serviceAccount && ownSettings(serviceAccount, config),
    annotations: annotations ?? {},
    ...inRoleMap(configMap, key, `*/${name}`, config),
  };
}

/** Read once for each state of an account: a view hands out the same object until it changes. */
function ownSettings(account: KubeObject, config: Settings): AccountSettings {
  const known = config.accounts.get(account);
  if (known !== undefined) return known;
  const settings = readOwnSettings(annotationsOf(account), config);
  config.accounts.set(account, settings);
  return settings;
}

function readOwnSettings(annotations: StringMap, config: Settings): AccountSettings {
  const { annotations: names, rolePrefix } = config;
  const role = annotations[names.roleArn] ?? '';
  const composed = rolePrefix !== undefined && role !== '' && !role.includes('arn:');
  return {
    roleArn: composed ? rolePrefix + role : role,
    audience: annotations[names.audience] ?? config.tokenAudience,
    regionalSts: parseBool(annotations[names.regionalSts]) ?? config.stsRegionalEndpoint,
    expiration: parseExpiration(annotations[names.expiration]) ?? config.tokenExpiration,
  };
}

/** As Go's strconv.ParseBool. */
function parseBool(text = ''): boolean | undefined {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false;
  return undefined;
}

function inRoleMap(configMap: KubeObject | undefined, key: string, anywhere: string, config: Settings) {
  if (configMap === undefined) return NOT_MAPPED;
  const map = roleMapOf(configMap);
  if ('problem' in map) return { mapped: undefined, mappedAnywhere: undefined, problem: map.problem };
  const settings = (role: MappedRole | undefined): AccountSettings | undefined =>
    role && {
      ...role,
      expiration: role.expiration === 0 ? config.tokenExpiration : withinLimits(role.expiration),
    };
  return {
    mapped: settings(map.roles.get(key)),
    mappedAnywhere: settings(map.roles.get(anywhere)),
    problem: undefined,
  };
}

const NOT_MAPPED = { mapped: undefined, mappedAnywhere: undefined, problem: undefined };
