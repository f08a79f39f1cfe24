import type { JsonObject } from '../../src/json/json.ts';

/** What the Amazon EKS Pod Identity Webhook knows when a Pod is created. */
export interface Situation {
  readonly namespace: string;
  readonly flags: Flags;
  /** The annotations of all ServiceAccounts, by `namespace/name`. */
  readonly accounts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The ConfigMap of roles, by `namespace/name`; the namespace may be `*`. */
  readonly roles: Readonly<Record<string, RoleEntry>>;
  /** The accounts of the file for container credentials, as `namespace/name`. */
  readonly identities: readonly string[];
  /** The names in the Pod's annotation `skip-containers`. */
  readonly skipped: readonly string[];
  readonly pod: ModelPod;
}

export interface Flags {
  readonly tokenAudience: string;
  readonly tokenMountPath: string;
  readonly tokenExpiration: number;
  readonly awsDefaultRegion: string;
  readonly stsRegionalEndpoint: boolean;
  readonly composeRoleArn: boolean;
}

export interface RoleEntry {
  readonly RoleARN: string;
  readonly Audience?: string;
  readonly UseRegionalSTS?: boolean;
  readonly TokenExpiration?: number;
}

export interface ModelPod {
  readonly metadata: { labels?: Record<string, string>; annotations?: Record<string, string> };
  readonly spec: {
    serviceAccountName: string;
    nodeSelector?: Record<string, string>;
    volumes?: { name: string; [source: string]: unknown }[];
    containers: ModelContainer[];
    initContainers?: ModelContainer[];
  };
}

export interface ModelContainer {
  readonly name: string;
  env?: { name: string; value: string }[];
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
}

export type Method = 'none' | 'container credentials' | 'web identity';

/** In place of a lifetime that the webhook chooses at random. */
export const RANDOM_LIFETIME = 'random';

/**
 * What the Amazon EKS Pod Identity Webhook makes of a Pod: a model of its documented rules, which shares no code with the injector. It
 * is not the webhook's own code.
 */
export function eksWebhookModel(situation: Situation): { readonly method: Method; readonly pod: JsonObject } {
  const pod = structuredClone(situation.pod);
  const { flags, accounts, roles, namespace } = situation;
  const account = `${namespace}/${pod.spec.serviceAccountName}`;
  const annotations = accounts[account];
  const own = annotations && {
    role: roleOf(annotations[`${PREFIX}/role-arn`] ?? '', flags),
    audience: annotations[`${PREFIX}/audience`] ?? flags.tokenAudience,
    regional: truth(annotations[`${PREFIX}/sts-regional-endpoints`]) ?? flags.stsRegionalEndpoint,
    lifetime: seconds(annotations[`${PREFIX}/token-expiration`]) ?? Math.max(600, flags.tokenExpiration),
  };
  const asked = seconds(pod.metadata.annotations?.[`${PREFIX}/token-expiration`]);

  if (situation.identities.includes(account)) {
    const source = own ?? entry(roles[account], flags) ?? { regional: false, lifetime: 86_400 };
    const lifetime = asked ?? source.lifetime;
    pod.metadata.labels = { ...pod.metadata.labels, 'eks.amazonaws.com/pod-identity': 'enabled' };
    const path = '/var/run/secrets/pods.eks.amazonaws.com/serviceaccount';
    inject(situation, pod, source.regional, {
      volume: 'eks-pod-identity-token',
      path,
      token: {
        audience: 'pods.eks.amazonaws.com',
        expirationSeconds: lifetime === 86_400 ? RANDOM_LIFETIME : lifetime,
        path: 'eks-pod-identity-token',
      },
      pair: [
        ['AWS_CONTAINER_CREDENTIALS_FULL_URI', 'http://169.254.170.23/v1/credentials'],
        ['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE', `${path}/eks-pod-identity-token`],
      ],
    });
    return { method: 'container credentials', pod: pod as unknown as JsonObject };
  }

  const source = own?.role
    ? own
    : (entry(roles[account], flags) ?? entry(roles[`*/${pod.spec.serviceAccountName}`], flags));
  if (source === undefined) return { method: 'none', pod: pod as unknown as JsonObject };
  inject(situation, pod, source.regional, {
    volume: 'aws-iam-token',
    path: flags.tokenMountPath,
    token: {
      ...(source.audience !== '' && { audience: source.audience }),
      expirationSeconds: asked ?? source.lifetime,
      path: 'token',
    },
    pair: [
      ['AWS_ROLE_ARN', source.role],
      ['AWS_WEB_IDENTITY_TOKEN_FILE', `${flags.tokenMountPath}/token`],
    ],
  });
  return { method: 'web identity', pod: pod as unknown as JsonObject };
}

const PREFIX = 'eks.amazonaws.com';

interface Injection {
  readonly volume: string;
  readonly path: string;
  readonly token: object;
  readonly pair: readonly [[string, string], [string, string]];
}

function inject({ flags, skipped }: Situation, pod: ModelPod, regional: boolean, injection: Injection): void {
  const { spec } = pod;
  const { volume, path, token, pair } = injection;
  const os = spec.nodeSelector?.['kubernetes.io/os'] ?? spec.nodeSelector?.['beta.kubernetes.io/os'];
  const [first, [file, unix]] = pair;
  const shown = os === 'windows' ? `C:${unix.split('/').join('\\')}` : unix;
  for (const container of [...spec.containers, ...(spec.initContainers ?? [])]) {
    if (skipped.includes(container.name)) continue;
    const names = new Set(container.env?.map(({ name }) => name));
    const hasPair = names.has(first[0]) || names.has(file);
    const hasRegion = names.has('AWS_REGION') || names.has('AWS_DEFAULT_REGION');
    if (hasPair && hasRegion && names.has('AWS_STS_REGIONAL_ENDPOINTS')) continue;
    const added: [string, string][] = [];
    if (regional && !names.has('AWS_STS_REGIONAL_ENDPOINTS'))
      added.push(['AWS_STS_REGIONAL_ENDPOINTS', 'regional']);
    if (flags.awsDefaultRegion !== '' && !hasRegion)
      added.push(['AWS_DEFAULT_REGION', flags.awsDefaultRegion], ['AWS_REGION', flags.awsDefaultRegion]);
    if (!hasPair) added.push(first, [file, shown]);
    if (added.length > 0)
      container.env = [...(container.env ?? []), ...added.map(([name, value]) => ({ name, value }))];
    if (container.volumeMounts?.some(({ name }) => name === volume)) continue;
    container.volumeMounts = [
      ...(container.volumeMounts ?? []),
      { name: volume, readOnly: true, mountPath: path },
    ];
  }
  if (spec.volumes?.some(({ name }) => name === volume)) return;
  const projected = { sources: [{ serviceAccountToken: token }] };
  spec.volumes = [{ name: volume, projected }, ...(spec.volumes ?? [])];
}

/** Go's ParseBool; undefined if invalid. */
function truth(text: string | undefined): boolean | undefined {
  if (text !== undefined && '1 t T TRUE true True'.split(' ').includes(text)) return true;
  return text !== undefined && '0 f F FALSE false False'.split(' ').includes(text) ? false : undefined;
}

/** A lifetime of an annotation; undefined if invalid. */
function seconds(text: string | undefined): number | undefined {
  return text !== undefined && /^[+-]?\d+$/.test(text) ? Math.max(600, Number(text)) : undefined;
}

function roleOf(text: string, { composeRoleArn, awsDefaultRegion: region }: Flags): string {
  if (!composeRoleArn || text === '' || text.includes('arn:')) return text;
  const partition = region.startsWith('cn-') ? 'aws-cn' : region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
  return `arn:${partition}:iam::444455556666:role/${text}`;
}

function entry(found: RoleEntry | undefined, flags: Flags) {
  if (found === undefined) return undefined;
  const { RoleARN: role, Audience: audience = '', UseRegionalSTS: regional = false, TokenExpiration } = found;
  return { role, audience, regional, lifetime: TokenExpiration || Math.max(600, flags.tokenExpiration) };
}
