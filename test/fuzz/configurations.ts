import { textFiles } from '../../src/files/text-files.ts';
import { loadCatalog } from '../../src/injectors/catalog.ts';
import { createPipeline, type Entry, type Pipeline } from '../../src/pipeline/pipeline.ts';
import type { AnyInjector } from '../../src/sdk/injector.ts';
import { EXPRESSIONS, MUTATORS } from './policies.ts';
import type { Random } from './random.ts';

const catalog = await loadCatalog();

export interface Choice {
  readonly name: string;
  readonly use: string;
  readonly with: object;
}

const OVERLAY = {
  overlay: {
    metadata: { labels: { team: 'a' } },
    spec: {
      securityContext: { runAsNonRoot: { $force: true } },
      tolerations: [{ key: 'spot', operator: 'Exists' }],
      containers: [
        {
          name: '*',
          env: [{ name: 'REGION', value: 'eu' }],
          securityContext: { allowPrivilegeEscalation: { $force: false } },
          resources: { requests: { cpu: '10m' } },
        },
        { name: 'agent', image: 'agent:1', $at: 'last' },
      ],
    },
  },
};

/** Every injector with the settings that change the most. */
export const CHOICES: readonly Choice[] = [
  { name: 'metadata', use: 'metadata', with: { labels: { a: 'b' }, annotations: { c: 'd' } } },
  { name: 'overlay', use: 'overlay', with: OVERLAY },
  { name: 'overlay-expressions', use: 'overlay', with: EXPRESSIONS },
  { name: 'gatekeeper', use: 'gatekeeper', with: { resources: MUTATORS, cluster: false } },
  { name: 'admission-policy', use: 'admission-policy', with: {} },
  { name: 'filebeat', use: 'filebeat', with: {} },
  { name: 'filebeat-container', use: 'filebeat', with: { sidecar: 'container' } },
  { name: 'filebeat-native', use: 'filebeat', with: { sidecar: 'native', initContainers: true } },
  {
    name: 'pod-identity',
    use: 'pod-identity',
    with: { watchConfigMap: true, awsDefaultRegion: 'eu-central-1' },
  },
  {
    name: 'pod-identity-composed',
    use: 'pod-identity',
    with: {
      composeRoleArn: true,
      accountId: '111122223333',
      partition: 'aws',
      watchContainerCredentialsConfig: '/identities.json',
      strict: true,
    },
  },
  {
    name: 'opentelemetry',
    use: 'opentelemetry',
    with: { languages: ['java', 'nodejs', 'python', 'dotnet', 'go', 'apache-httpd', 'nginx', 'sdk'] },
  },
  { name: 'opentelemetry-container', use: 'opentelemetry', with: { sidecar: 'container', strict: true } },
  { name: 'istio', use: 'istio', with: {} },
  { name: 'istio-container', use: 'istio', with: { nativeSidecars: false, checkSelectors: true } },
  {
    name: 'istio-openshift',
    use: 'istio',
    with: { platform: 'openshift', injectPath: '/inject/cluster/c/net/n' },
  },
];

/** With guardrails, which deny. */
const GUARDED: readonly Choice[] = [
  {
    name: 'istio-guarded',
    use: 'istio',
    with: {
      forbiddenAnnotations: ['sidecar.istio.io/userVolume'],
      allowedImages: ['registry.example/*', 'helper', 'proxy:*'],
      allowOverrides: false,
    },
  },
  {
    name: 'opentelemetry-guarded',
    use: 'opentelemetry',
    with: {
      languages: ['java', 'python', 'sdk'],
      sharedNamespaces: [],
      allowedImages: ['ghcr.io/*'],
      maxResources: { cpu: '1', memory: '1Gi' },
    },
  },
  {
    name: 'filebeat-guarded',
    use: 'filebeat',
    with: { allowed: { images: ['docker.elastic.co/*'], logPaths: ['/var/log/*'], configMaps: ['none'] } },
  },
  {
    name: 'pod-identity-guarded',
    use: 'pod-identity',
    with: { allowed: { roleArns: ['arn:aws:iam::111122223333:role/*'] } },
  },
];

for (const choice of [...CHOICES, ...GUARDED]) await injectorOf(choice).prepare?.(choice.with);

export const files = textFiles({
  '/identities.json': '{"identities":[{"namespace":"team-a","serviceAccount":"listed"}]}',
});

export interface Configuration {
  readonly name: string;
  readonly pipeline: Pipeline;
}

/** One injector, two, or one of each, in any order. */
export function randomConfiguration(random: Random): Configuration {
  const kind = random.int(10);
  const shuffled = random.shuffled([...CHOICES, ...GUARDED]);
  const different = shuffled.filter(
    ({ use }, index) => shuffled.findIndex((choice) => choice.use === use) === index,
  );
  const choices = different.slice(0, kind < 5 ? 1 : kind < 7 ? 2 : different.length);
  return configurationOf(
    choices.map((choice) => ({
      ...choice,
      // Those for everything are for Pods on CREATE if nothing else is said.
      ...(FOR_ALL.includes(choice.use) &&
        random.chance(0.5) && { match: { kinds: ['*'], operations: ['CREATE', 'UPDATE'] } }),
      ...(random.chance(0.2) && { onError: 'skip' }),
    })),
  );
}

const FOR_ALL: readonly string[] = ['metadata', 'overlay'];

type Setting = Choice & Pick<Entry, 'match' | 'onError'>;

export function configurationOf(choices: readonly Setting[]): Configuration {
  return {
    name: choices.map(({ name, onError }) => `${name}${onError === 'skip' ? ' (skip)' : ''}`).join(', '),
    pipeline: createPipeline(choices.map(entryOf), ['kube-system']),
  };
}

function entryOf({ match, onError, ...choice }: Setting): Entry {
  const injector = injectorOf(choice);
  return {
    name: choice.name,
    injector,
    config: injector.config?.(choice.with),
    ...(match && { match }),
    ...(onError && { onError }),
  };
}

function injectorOf({ use }: Choice): AnyInjector {
  const injector = catalog.find((each) => each.name === use);
  if (injector === undefined) throw new Error(`Unknown injector "${use}"`);
  return injector;
}
