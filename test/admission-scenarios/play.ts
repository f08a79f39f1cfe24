import type { JsonObject } from '../../src/json/json.ts';
import type { UserInfo } from '../../src/policy/attributes.ts';
import type { HookServer } from './hook-server.ts';
import type { Scenario } from './scenario.ts';

/** The plugins that the recorded server ran; ServiceAccount was off for most scenarios. */
export function pluginsOf({ plugins }: Scenario): string[] {
  const names = [
    'NamespaceLifecycle',
    'LimitRanger',
    'ServiceAccount',
    'Priority',
    'DefaultTolerationSeconds',
  ];
  return plugins.includes('without ServiceAccount')
    ? names.filter((name) => name !== 'ServiceAccount')
    : names;
}

/** The users of the recorded server. Headers for impersonation were not recorded. */
export function usersOf({ name }: Scenario): { readonly [name: string]: UserInfo } {
  const authenticated = ['system:authenticated'];
  const admin = { username: 'admin', uid: 'admin-uid', groups: ['system:masters', ...authenticated] };
  const eve = { username: 'eve', uid: 'u-1', groups: ['g1', ...authenticated], extra: { scopes: ['view'] } };
  return {
    admin: name === 'userinfo-extra' ? eve : admin,
    alice: { username: 'alice', uid: 'alice-uid', groups: authenticated },
    rs: {
      username: 'system:serviceaccount:kube-system:replicaset-controller',
      uid: 'rs-uid',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', ...authenticated],
    },
  };
}

/** A recorded configuration with the address and the CA of the hooks, which were not recorded. */
export function withHooks(
  configuration: JsonObject,
  { name }: Pick<Scenario, 'name'>,
  hooks: HookServer,
): JsonObject {
  if (!Array.isArray(configuration.webhooks)) return configuration;
  const caBundle =
    name === 'tls-unknown-ca-fail'
      ? undefined
      : name === 'bad-cabundle-call'
        ? Buffer.from('nonsense').toString('base64')
        : hooks.caBundle;
  const webhooks = (configuration.webhooks as readonly JsonObject[]).map((webhook) => {
    const clientConfig = webhook.clientConfig as JsonObject;
    const url =
      typeof clientConfig.url === 'string' ? clientConfig.url.replace(':16444', `:${hooks.port}`) : undefined;
    return {
      ...webhook,
      clientConfig: { ...clientConfig, ...(url && { url }), ...(caBundle && { caBundle }) },
    };
  });
  return { ...configuration, webhooks } as JsonObject;
}
