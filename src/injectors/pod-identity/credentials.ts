import { type Force, force } from '../../graft/directive.ts';
import { stable } from '../../json/stable.ts';
import type { EnvVar, Pod } from '../../kube/generated/types.ts';
import { annotationsOf, type DeepReadonly } from '../../kube/kube-object.ts';
import type { Context } from '../../sdk/injector.ts';
import { keyOf } from '../../sdk/memory.ts';
import {
  type Account,
  type AccountSettings,
  findAccount,
  ROLE_MAP_NAME,
  UNKNOWN_ACCOUNT,
} from './account.ts';
import { parseExpiration, spread } from './expiration.ts';
import { joinPath } from './mount-path.ts';
import { looksLikeRoleArn } from './role-arn.ts';
import type { Settings } from './settings.ts';
import { type TokenVolume, tokenVolume } from './token-volume.ts';

/** How a Pod comes by its AWS credentials: a token, and variables that tell the AWS SDKs what to do with it. */
export interface Credentials {
  readonly identity: readonly [EnvVar, tokenFile: EnvVar];
  readonly regionalSts: boolean;
  readonly token: Token;
  readonly volume: TokenVolume;
  readonly mount: { readonly name: string; readonly readOnly: true; readonly mountPath: string };
  readonly labels?: { readonly [name: string]: Force<string> };
  readonly warnings: readonly string[];
}

export interface Token {
  readonly volume: string;
  readonly mountPath: string;
  readonly path: string;
  readonly audience: string;
  readonly expirationSeconds: number;
}

export interface NoCredentials {
  readonly none: string;
  /** Whether somebody seems to expect credentials nevertheless. */
  readonly suspicious: boolean;
}

/** Decides between container credentials, a role, and nothing. One source wins whole. */
export function findCredentials(
  pod: DeepReadonly<Pod>,
  context: Context<Settings>,
): Credentials | NoCredentials {
  const { config, files } = context;
  const account = findAccount(serviceAccountNameOf(pod), context);
  if (config.identities && files.get(config.identities)?.has(account.key)) {
    return containerCredentials(pod, account, context);
  }
  const role = account.own?.roleArn ? account.own : (account.mapped ?? account.mappedAnywhere);
  if (role === undefined || role.roleArn === '') return noCredentials(account, config);
  return webIdentity(pod, account, role, config);
}

/** The API server writes the name out before webhooks are called; in a file it may be missing. */
export function serviceAccountNameOf({ spec }: DeepReadonly<Pod>): string {
  return spec?.serviceAccountName || spec?.serviceAccount || 'default';
}

function containerCredentials(
  pod: DeepReadonly<Pod>,
  account: Account,
  { request, config }: Context<Settings>,
): Credentials {
  const settings = account.own ?? account.mapped ?? UNKNOWN_ACCOUNT;
  const { uid = request.uid, name, generateName } = pod.metadata;
  const seed = [account.key, uid, name ?? generateName].join('/');
  const token: Token = {
    volume: config.containerCredentialsTokenVolumeName,
    mountPath: config.containerCredentialsTokenMountPath,
    path: config.containerCredentialsTokenPath,
    audience: config.containerCredentialsAudience,
    expirationSeconds: spread(expirationFor(pod, settings, config), seed),
  };
  return {
    identity: [
      { name: 'AWS_CONTAINER_CREDENTIALS_FULL_URI', value: config.containerCredentialsFullUri },
      { name: 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE', value: tokenFile(token, isForWindows(pod)) },
    ],
    regionalSts: settings.regionalSts,
    ...inPod(token),
    // Whatever the Pod says there: others tell by it how the Pod comes by its credentials.
    labels: { 'eks.amazonaws.com/pod-identity': force('enabled') },
    warnings: [],
  };
}

/** The same ones for all Pods of an account that ask for nothing else. */
function webIdentity(
  pod: DeepReadonly<Pod>,
  { key }: Account,
  role: AccountSettings,
  config: Settings,
): Credentials {
  const { roleArn, audience, regionalSts } = role;
  const expirationSeconds = expirationFor(pod, role, config);
  const windows = isForWindows(pod);
  const texts = [key, roleArn, audience, String(regionalSts), String(expirationSeconds), String(windows)];
  return config.credentials(keyOf(texts), () => {
    const token = {
      volume: 'aws-iam-token',
      mountPath: config.tokenMountPath,
      path: 'token',
      audience,
      expirationSeconds,
    };
    return stable({
      identity: [
        { name: 'AWS_ROLE_ARN', value: roleArn },
        { name: 'AWS_WEB_IDENTITY_TOKEN_FILE', value: tokenFile(token, windows) },
      ],
      regionalSts,
      ...inPod(token),
      warnings: looksLikeRoleArn(roleArn)
        ? []
        : [`role "${roleArn}" of ServiceAccount "${key}" does not look like the ARN of an IAM role`],
    });
  });
}

function inPod(token: Token): Pick<Credentials, 'token' | 'volume' | 'mount'> {
  const mount = { name: token.volume, readOnly: true, mountPath: token.mountPath } as const;
  return { token, volume: tokenVolume(token), mount };
}

function expirationFor(pod: DeepReadonly<Pod>, settings: AccountSettings, config: Settings): number {
  return parseExpiration(annotationsOf(pod)[config.annotations.expiration]) ?? settings.expiration;
}

/** The mount's path stays as it is on Windows, too; only programs have to be told of the drive. */
function tokenFile({ mountPath, path }: Token, forWindows: boolean): string {
  const file = joinPath(mountPath, path);
  return forWindows ? `C:${file.replaceAll('/', '\\')}` : file;
}

function isForWindows({ spec }: DeepReadonly<Pod>): boolean {
  const selector = spec?.nodeSelector;
  return selector?.['kubernetes.io/os'] === 'windows' || selector?.['beta.kubernetes.io/os'] === 'windows';
}

function noCredentials(account: Account, config: Settings): NoCredentials {
  const { key, own, annotations, problem } = account;
  if (problem !== undefined) {
    const none = `ConfigMap "${config.namespace}/${ROLE_MAP_NAME}" cannot be read: ${problem}`;
    return { none, suspicious: true };
  }
  if (own === undefined) return { none: `ServiceAccount "${key}" is not known`, suspicious: true };
  const annotated = Object.values(config.annotations).filter((name) => Object.hasOwn(annotations, name));
  if (annotated.length === 0) return { none: `ServiceAccount "${key}" has no role`, suspicious: false };
  return { none: `ServiceAccount "${key}" has "${annotated.join('", "')}" but no role`, suspicious: true };
}
