import {
  annotationsOf,
  type Context,
  type DeepReadonly,
  deny,
  type EnvVar,
  type Force,
  force,
  isObjectName,
  type Pod,
  quoted,
  skip,
  type Verdict,
} from '../../sdk/index.ts';
import { type Account, findAccount, ROLE_MAP_NAME, UNKNOWN_ACCOUNT } from './account.ts';
import type { AccountSettings } from './account-lists.ts';
import { parseExpiration, spread } from './expiration.ts';
import { type Settings, TOKEN_PATH } from './settings.ts';
import { type Token, visiblePath } from './token.ts';
import { expirationViolation, roleViolation } from './violations.ts';

/** How a Pod gets AWS credentials: a token, and the variables by which the AWS SDKs exchange it. */
export interface Credentials {
  readonly identity: readonly [EnvVar, tokenFile: EnvVar];
  readonly regionalSts: boolean;
  readonly token: Token;
  readonly labels?: { readonly [name: string]: Force<string> };
  readonly warnings: readonly string[];
}

/** Decides between container credentials, a role, and none. A single source provides all settings. */
export function findCredentials(pod: DeepReadonly<Pod>, context: Context<Settings>): Credentials | Verdict {
  const { config, files } = context;
  const name = serviceAccountNameOf(pod);
  if (!isObjectName(name)) return withoutCredentials(`no ServiceAccount can have the name ${quoted(name)}`);
  const account = findAccount(name, context);
  if (config.identities && files.get(config.identities)?.has(account.key)) {
    const settings = account.own ?? account.mapped ?? UNKNOWN_ACCOUNT;
    const violation = expirationViolation(pod, account, settings, config);
    return violation ? notAllowed(violation) : containerCredentials(pod, account, settings, context);
  }
  const role = account.own?.roleArn ? account.own : (account.mapped ?? account.mappedAnywhere);
  if (role === undefined || role.roleArn === '') return noCredentials(account, config);
  const violation = roleViolation(account, role, config) ?? expirationViolation(pod, account, role, config);
  return violation ? notAllowed(violation) : webIdentity(pod, account, role, config);
}

function notAllowed(violation: string): Verdict {
  return deny(`Cannot inject AWS credentials: ${violation}`);
}

/** The API server sets the name before it calls webhooks; a manifest file may omit it. */
export function serviceAccountNameOf({ spec }: DeepReadonly<Pod>): string {
  return spec?.serviceAccountName || spec?.serviceAccount || 'default';
}

function containerCredentials(
  pod: DeepReadonly<Pod>,
  account: Account,
  settings: AccountSettings,
  { request, config }: Context<Settings>,
): Credentials {
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
      {
        name: 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
        value: visiblePath(config.containerCredentialsTokenFile, pod),
      },
    ],
    regionalSts: settings.regionalSts,
    token,
    // Overrides the Pod's own value: other programs recognize the method by this label.
    labels: { 'eks.amazonaws.com/pod-identity': force('enabled') },
    warnings: [],
  };
}

function webIdentity(
  pod: DeepReadonly<Pod>,
  { key }: Account,
  role: AccountSettings,
  config: Settings,
): Credentials {
  const { roleArn, audience, regionalSts } = role;
  const token: Token = {
    volume: 'aws-iam-token',
    mountPath: config.tokenMountPath,
    path: TOKEN_PATH,
    audience,
    expirationSeconds: expirationFor(pod, role, config),
  };
  return {
    identity: [
      { name: 'AWS_ROLE_ARN', value: roleArn },
      { name: 'AWS_WEB_IDENTITY_TOKEN_FILE', value: visiblePath(config.tokenFile, pod) },
    ],
    regionalSts,
    token,
    warnings: looksLikeRoleArn(roleArn)
      ? []
      : [
          `role ${quoted(roleArn)} of ServiceAccount ${quoted(key)} does not look like the ARN of an IAM role`,
        ],
  };
}

function expirationFor(pod: DeepReadonly<Pod>, settings: AccountSettings, config: Settings): number {
  return parseExpiration(annotationsOf(pod)[config.annotations.expiration]) ?? settings.expiration;
}

export function looksLikeRoleArn(text: string): boolean {
  return /^arn:aws[a-z0-9-]*:iam::\d{12}:role\/[\w\-/.@+=,]+$/.test(text);
}

/** Skips the Pod, with a warning if its user seems to expect credentials. */
function noCredentials({ key, annotations, problem }: Account, config: Settings): Verdict {
  if (problem !== undefined) {
    return withoutCredentials(`cannot read ConfigMap "${config.namespace}/${ROLE_MAP_NAME}": ${problem}`);
  }
  if (annotations === undefined) return withoutCredentials(`ServiceAccount ${quoted(key)} not found`);
  const annotated = Object.values(config.annotations).filter((name) => Object.hasOwn(annotations, name));
  if (annotated.length === 0) return skip(`ServiceAccount ${quoted(key)} has no role`);
  return withoutCredentials(`ServiceAccount ${quoted(key)} has "${annotated.join('", "')}" but no role`);
}

function withoutCredentials(reason: string): Verdict {
  return skip(reason, [`no AWS credentials were injected: ${reason}`]);
}
