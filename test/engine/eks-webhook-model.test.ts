import { expect, test } from 'vitest';
import { filesView } from '../../src/cluster/views/files-view.ts';
import { textFiles } from '../../src/files/text-files.ts';
import { podIdentity } from '../../src/injectors/pod-identity/pod-identity.ts';
import { readSettings } from '../../src/injectors/pod-identity/settings.ts';
import type { JsonObject } from '../../src/json/json.ts';
import { asJson, type KubeObject } from '../../src/kube/kube-object.ts';
import { createPipeline } from '../../src/pipeline/pipeline.ts';
import { requestFor } from '../../src/pipeline/run-manifest.ts';
import { runPipeline } from '../../src/pipeline/run-pipeline.ts';
import { type Random, randomFrom } from '../differential/random.ts';
import {
  eksWebhookModel,
  type Method,
  type ModelContainer,
  RANDOM_LIFETIME,
  type Situation,
} from './eks-webhook-model.ts';

const FILE = '/etc/identities.json';
const CASES = 3000;

/** The original's code cannot be had from the module proxy, so that it is not among the judges of test/differential. */
test('pod-identity does what the rules of the Amazon EKS Pod Identity Webhook demand, for random Pods', () => {
  const methods = new Map<Method, number>();
  for (let seed = 1; seed <= CASES; seed++) {
    const situation = randomSituation(randomFrom(seed));
    const { method, pod } = eksWebhookModel(situation);
    const { first, second } = podgraft(situation);
    expect(withoutLifetime(first, pod), `seed ${seed}: ${JSON.stringify(situation)}`).toEqual(pod);
    expect(second).toEqual(first);
    methods.set(method, (methods.get(method) ?? 0) + 1);
  }
  for (const method of ['none', 'container credentials', 'web identity'] as const)
    expect(methods.get(method), method).toBeGreaterThan(CASES / 20);
});

/** The Pod after the first and after a second call. */
function podgraft({ pod, flags, accounts, roles, identities, namespace }: Situation) {
  const config = readSettings({
    ...flags,
    accountId: '444455556666',
    watchConfigMap: true,
    watchContainerCredentialsConfig: FILE,
  });
  const cluster = filesView([
    ...Object.entries(accounts).map(([key, annotations]) => {
      const [space = '', name = ''] = key.split('/');
      return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: space, name, annotations } };
    }),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'eks', name: 'pod-identity-webhook' },
      data: { config: JSON.stringify(roles) },
    },
  ]);
  const listed = identities.map((key) => {
    const [space, serviceAccount] = key.split('/');
    return { namespace: space, serviceAccount };
  });
  const files = textFiles({ [FILE]: JSON.stringify({ identities: listed }) });
  const pipeline = createPipeline([{ name: 'pod-identity', injector: podIdentity, config }]);
  const run = (subject: JsonObject): JsonObject => {
    const object = { apiVersion: 'v1', kind: 'Pod', ...subject } as unknown as KubeObject;
    const request = requestFor(object, { operation: 'CREATE', namespace, username: 'test' });
    const outcome = runPipeline(pipeline, { ...request, uid: 'u' }, object, cluster, files);
    if (!outcome.allowed) throw new Error(outcome.reason);
    const { apiVersion: _, kind: __, ...rest } = asJson(outcome.object);
    return rest;
  };
  const first = run(pod as unknown as JsonObject);
  return { first, second: run(first) };
}

/** A lifetime between 22 and 24 hours counts as the random one that the model expects. */
function withoutLifetime(found: JsonObject, expected: JsonObject): JsonObject {
  if (!JSON.stringify(expected).includes(`"${RANDOM_LIFETIME}"`)) return found;
  const text = JSON.stringify(found, (key, value) =>
    key === 'expirationSeconds' && value >= 79_200 && value <= 86_400 ? RANDOM_LIFETIME : value,
  );
  return JSON.parse(text) as JsonObject;
}

const ROLE = 'arn:aws:iam::111122223333:role/reports';
const NUMBERS = ['3600', '86400', '5', '-1', '+700', '0x10', '1.5', '', '1e4', ' 900'];

function randomSituation(random: Random): Situation {
  const { chance, pick } = random;
  const name = pick(['reports', 'web', 'default']);
  const composeRoleArn = chance(0.3);
  const account = (): Record<string, string> => ({
    ...(chance(0.6) && {
      'eks.amazonaws.com/role-arn': pick([ROLE, 'not-an-arn', ...(composeRoleArn ? ['team/reports'] : [''])]),
    }),
    ...(chance(0.3) && { 'eks.amazonaws.com/audience': pick(['sts.cn-north-1.amazonaws.com', 'a']) }),
    ...(chance(0.3) && {
      'eks.amazonaws.com/sts-regional-endpoints': pick(['true', 'T', '1', 'false', '0', 'yes', '', 'tRUE']),
    }),
    ...(chance(0.3) && { 'eks.amazonaws.com/token-expiration': pick(NUMBERS) }),
    ...(chance(0.1) && { 'example.com/role-arn': ROLE }),
  });
  const role = () => ({
    RoleARN: `${ROLE}-of-map`,
    ...(chance(0.5) && { Audience: 'of-map' }),
    ...(chance(0.5) && { UseRegionalSTS: chance(0.5) }),
    ...(chance(0.5) && { TokenExpiration: pick([0, 600, 7200, 86_400]) }),
  });
  const [skip, skipped] = pick<[string | undefined, readonly string[]]>([
    [undefined, []],
    [undefined, []],
    ['web', ['web']],
    ['web,setup', ['web', 'setup']],
    [' web,helper', [' web', 'helper']],
    ['"web",x', ['web', 'x']],
    ['we"b', []],
    ['', []],
  ]);
  const lifetime = chance(0.2) ? pick(NUMBERS) : undefined;
  const annotations = {
    ...(skip !== undefined && { 'eks.amazonaws.com/skip-containers': skip }),
    ...(lifetime !== undefined && { 'eks.amazonaws.com/token-expiration': lifetime }),
  };
  const container = (each: string) => randomContainer(random, each);
  return {
    namespace: pick(['team-a', 'team-b']),
    flags: {
      tokenAudience: pick(['sts.amazonaws.com', 'other']),
      tokenMountPath: pick(['/var/run/secrets/eks.amazonaws.com/serviceaccount', '/aws']),
      tokenExpiration: pick([86_400, 3600, 5]),
      awsDefaultRegion: pick(
        composeRoleArn ? ['eu-central-1', 'cn-north-1', 'us-gov-west-1'] : ['', 'eu-central-1'],
      ),
      stsRegionalEndpoint: chance(0.3),
      composeRoleArn,
    },
    accounts: { ...(chance(0.9) && { 'team-a/reports': account() }), 'team-b/web': account() },
    roles: {
      ...(chance(0.2) && { 'team-a/reports': role() }),
      ...(chance(0.2) && { '*/reports': role() }),
      ...(chance(0.1) && { '*/web': role() }),
      ...(chance(0.1) && { 'team-*/default': role() }),
    },
    identities: random.some(['team-a/reports', 'team-b/web', 'team-b/reports'], 0.25),
    skipped,
    pod: {
      metadata: { labels: { app: 'a' }, ...(Object.keys(annotations).length > 0 && { annotations }) },
      spec: {
        serviceAccountName: name,
        ...(chance(0.15) && {
          nodeSelector: pick<Record<string, string>>([
            { 'kubernetes.io/os': 'windows' },
            { 'beta.kubernetes.io/os': 'windows' },
            { 'kubernetes.io/os': 'linux' },
          ]),
        }),
        ...(chance(0.3) && { volumes: [{ name: 'data', emptyDir: {} }] }),
        containers: [container('web'), ...(chance(0.4) ? [container('helper')] : [])],
        ...(chance(0.3) && { initContainers: [container('setup')] }),
      },
    },
  };
}

/** The documented departures, such as another volume at the token's path, are left to the cases of the injector. */
function randomContainer(random: Random, name: string): ModelContainer {
  const env = random.some(
    [
      'AWS_STS_REGIONAL_ENDPOINTS',
      'AWS_REGION',
      'AWS_DEFAULT_REGION',
      'AWS_ROLE_ARN',
      'AWS_WEB_IDENTITY_TOKEN_FILE',
      'AWS_CONTAINER_CREDENTIALS_FULL_URI',
      'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
      'OTHER',
    ],
    random.pick([0, 0.1, 0.5]),
  );
  return {
    name,
    ...(env.length > 0 && { env: env.map((each) => ({ name: each, value: 'mine' })) }),
    ...(random.chance(0.3) && { volumeMounts: [{ name: 'data', mountPath: '/data' }] }),
  };
}
