import * as v from 'valibot';
import { cacheByObject, configFrom, type KubeObject } from '../../sdk/index.ts';
import { parseRoleMap } from './account-lists.ts';
import { allowedSchema } from './allowed-schema.ts';
import { DEFAULT_EXPIRATION, withinLimits } from './expiration.ts';
import { identitiesFile } from './identities-file.ts';
import { joinPath } from './token.ts';

export const REGION_VARIABLES = ['AWS_DEFAULT_REGION', 'AWS_REGION'] as const;

const flag = (fallback: boolean) => v.optional(v.boolean(), fallback);
const text = (fallback: string) => v.optional(v.pipe(v.string(), v.nonEmpty('must not be empty')), fallback);
const mountPath = (fallback: string) =>
  v.optional(v.pipe(v.string(), v.regex(/^\/[^:]+$/, 'expected an absolute path without ":"')), fallback);
/** A Go duration. */
const ignored = () => v.optional(v.union([v.string(), v.number()]));

/** In the token volume of a role. */
export const TOKEN_PATH = 'token';

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
      v.pipe(v.string(), v.regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'expected a volume name')),
      'eks-pod-identity-token',
    ),
    containerCredentialsTokenPath: v.optional(
      v.pipe(v.string(), v.regex(/^(?!\/|\.\.|.*\/\.\.(\/|$))[^:]+$/, 'expected a relative path')),
      'eks-pod-identity-token',
    ),
    containerCredentialsFullUri: text('http://169.254.170.23/v1/credentials'),
    // Accepted for those who copy all flags of the original: unknown accounts are always looked up, watches need no resync.
    serviceAccountLookupGracePeriod: ignored(),
    resyncPeriod: ignored(),
    strict: flag(false),
    allowed: v.optional(allowedSchema, {}),
  }),
  v.forward(
    v.check(
      ({ composeRoleArn, accountId }) => !composeRoleArn || accountId !== undefined,
      'required by "composeRoleArn"',
    ),
    ['accountId'],
  ),
  v.forward(
    v.check(
      ({ composeRoleArn, partition, awsDefaultRegion }) =>
        !composeRoleArn || partition !== undefined || awsDefaultRegion !== '',
      'required by "composeRoleArn" unless "awsDefaultRegion" is set',
    ),
    ['partition'],
  ),
  v.transform((flags) => {
    const { annotationPrefix: prefix, awsDefaultRegion: region, accountId } = flags;
    const { watchContainerCredentialsConfig: path, partition = partitionOf(region) } = flags;
    return {
      ...flags,
      annotations: {
        roleArn: `${prefix}/role-arn`,
        audience: `${prefix}/audience`,
        regionalSts: `${prefix}/sts-regional-endpoints`,
        expiration: `${prefix}/token-expiration`,
        skipContainers: `${prefix}/skip-containers`,
      },
      regionEnv: region === '' ? [] : REGION_VARIABLES.map((name) => ({ name, value: region })),
      /** Turns a role's name into its ARN; undefined if annotations have to contain the ARN. */
      rolePrefix: flags.composeRoleArn ? `arn:${partition}:iam::${accountId}:role/` : undefined,
      tokenFile: joinPath(flags.tokenMountPath, TOKEN_PATH),
      containerCredentialsTokenFile: joinPath(
        flags.containerCredentialsTokenMountPath,
        flags.containerCredentialsTokenPath,
      ),
      identities: path === '' ? undefined : identitiesFile(path),
      /** Cached: a map of a thousand roles takes milliseconds to parse, and every Pod needs it. */
      roleMapOf: cacheByObject((configMap: KubeObject) => parseRoleMap(configMap, flags.tokenExpiration)),
    };
  }),
);

/** Reads `with:`. The keys are the flags of the Amazon EKS Pod Identity Webhook in camelCase, with its defaults. */
export const readSettings = configFrom(schema);

export type Settings = v.InferOutput<typeof schema>;

/** The partition of a region: the second part of every ARN there. */
export function partitionOf(region: string): string {
  return PARTITIONS.find(([prefix]) => region.startsWith(prefix))?.[1] ?? 'aws';
}

const PARTITIONS = [
  ['cn-', 'aws-cn'],
  ['us-gov-', 'aws-us-gov'],
  ['us-iso-', 'aws-iso'],
  ['us-isob-', 'aws-iso-b'],
  ['eusc-', 'aws-eusc'],
] as const;
