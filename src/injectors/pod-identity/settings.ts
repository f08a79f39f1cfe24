import * as v from 'valibot';
import { stable } from '../../json/stable.ts';
import type { EnvVar } from '../../kube/generated/types.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { configFrom } from '../../sdk/config.ts';
import type { FileSource } from '../../sdk/file-view.ts';
import { newMemory } from '../../sdk/memory.ts';
import type { AccountSettings } from './account.ts';
import type { Credentials } from './credentials.ts';
import { DEFAULT_EXPIRATION, withinLimits } from './expiration.ts';
import { type Identities, parseIdentities } from './identities.ts';
import { partitionOf } from './role-arn.ts';

const flag = (byDefault: boolean) => v.optional(v.boolean(), byDefault);
const text = (byDefault: string) =>
  v.optional(v.pipe(v.string(), v.nonEmpty('must not be empty')), byDefault);
const mountPath = (byDefault: string) =>
  v.optional(v.pipe(v.string(), v.regex(/^\/[^:]+$/, 'expected an absolute path without ":"')), byDefault);
/** A Go duration that nobody reads. */
const unread = () => v.optional(v.union([v.string(), v.number()]));

const schema = v.pipe(
  v.strictObject({
    annotationPrefix: text('eks.amazonaws.com'),
    tokenAudience: text('sts.amazonaws.com'),
    tokenMountPath: mountPath('/var/run/secrets/eks.amazonaws.com/serviceaccount'),
    tokenExpiration: v.optional(
      v.pipe(v.number(), v.integer('expected a whole number of seconds'), v.transform(withinLimits)),
      DEFAULT_EXPIRATION,
    ),
    awsDefaultRegion: v.optional(v.string(), ''),
    stsRegionalEndpoint: flag(false),
    namespace: text('eks'),
    watchConfigMap: flag(false),
    composeRoleArn: flag(false),
    accountId: v.optional(
      v.pipe(v.string(), v.regex(/^\d{12}$/, 'expected the 12 digits of an AWS account')),
    ),
    partition: v.optional(
      v.pipe(v.string(), v.regex(/^aws[a-z0-9-]*$/, 'expected a partition such as "aws-cn"')),
    ),
    watchContainerCredentialsConfig: v.optional(v.string(), ''),
    containerCredentialsAudience: text('pods.eks.amazonaws.com'),
    containerCredentialsTokenMountPath: mountPath('/var/run/secrets/pods.eks.amazonaws.com/serviceaccount'),
    containerCredentialsTokenVolumeName: v.optional(
      v.pipe(v.string(), v.regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'expected the name of a volume')),
      'eks-pod-identity-token',
    ),
    containerCredentialsTokenPath: v.optional(
      v.pipe(v.string(), v.regex(/^(?!\/|\.\.|.*\/\.\.(\/|$))[^:]+$/, 'expected a relative path')),
      'eks-pod-identity-token',
    ),
    containerCredentialsFullUri: text('http://169.254.170.23/v1/credentials'),
    // What they are for is always done, so that whoever brings along all flags need not leave them out.
    serviceAccountLookupGracePeriod: unread(),
    resyncPeriod: unread(),
    strict: flag(false),
  }),
  v.forward(
    v.check(
      ({ composeRoleArn, accountId }) => !composeRoleArn || accountId !== undefined,
      'needed for "composeRoleArn"',
    ),
    ['accountId'],
  ),
  v.forward(
    v.check(
      ({ composeRoleArn, partition, awsDefaultRegion }) =>
        !composeRoleArn || partition !== undefined || awsDefaultRegion !== '',
      'needed for "composeRoleArn", unless "awsDefaultRegion" tells it',
    ),
    ['partition'],
  ),
  v.transform(prepare),
);

/** Reads `with:`. The keys are the flags of the Amazon EKS Pod Identity Webhook in camelCase, with its defaults. */
export const readSettings = configFrom(schema);

export type Settings = v.InferOutput<typeof schema>;

interface Flags {
  readonly annotationPrefix: string;
  readonly awsDefaultRegion: string;
  readonly composeRoleArn: boolean;
  readonly accountId?: string | undefined;
  readonly partition?: string | undefined;
  readonly watchContainerCredentialsConfig: string;
}

/** What depends on the configuration alone, made once. */
function prepare<F extends Flags>(flags: F) {
  const { annotationPrefix: prefix, watchContainerCredentialsConfig: path } = flags;
  const { accountId, partition = partitionOf(flags.awsDefaultRegion) } = flags;
  return {
    ...flags,
    annotations: {
      roleArn: `${prefix}/role-arn`,
      audience: `${prefix}/audience`,
      regionalSts: `${prefix}/sts-regional-endpoints`,
      expiration: `${prefix}/token-expiration`,
      skipContainers: `${prefix}/skip-containers`,
    },
    regionEnv: flags.awsDefaultRegion === '' ? [] : stable(regionEnv(flags.awsDefaultRegion)),
    /** What was read of ServiceAccounts, and made for Pods, before. */
    accounts: new WeakMap<KubeObject, AccountSettings>(),
    credentials: newMemory<Credentials>(),
    /** What stands before a role's name; undefined where names are not made into ARNs. */
    rolePrefix: flags.composeRoleArn ? `arn:${partition}:iam::${accountId}:role/` : undefined,
    identities: path === '' ? undefined : ({ path, parse: parseIdentities } satisfies FileSource<Identities>),
  };
}

function regionEnv(value: string): EnvVar[] {
  return REGION_VARIABLES.map((name) => ({ name, value }));
}

export const REGION_VARIABLES = ['AWS_DEFAULT_REGION', 'AWS_REGION'] as const;
