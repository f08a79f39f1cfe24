import { textFiles } from '../../src/files/text-files.ts';
import { loadCatalog } from '../../src/injectors/catalog.ts';
import { createPipeline, type Entry, type Pipeline } from '../../src/pipeline/pipeline.ts';
import type { AnyInjector } from '../../src/sdk/injector.ts';
import { EXPRESSIONS, MUTATORS } from './policies.ts';
import type { Random } from './random.ts';

const catalog = await loadCatalog();

interface Choice {
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

for (const choice of CHOICES) await injectorOf(choice).prepare?.(choice.with);

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
  const shuffled = random.shuffled(CHOICES);
  const different = shuffled.filter(
    ({ use }, index) => shuffled.findIndex((choice) => choice.use === use) === index,
  );
  return configurationOf(different.slice(0, kind < 5 ? 1 : kind < 7 ? 2 : different.length));
}

export function configurationOf(choices: readonly Choice[]): Configuration {
  return {
    name: choices.map(({ name }) => name).join(', '),
    pipeline: createPipeline(choices.map(entryOf), ['kube-system']),
  };
}

function entryOf(choice: Choice): Entry {
  const injector = injectorOf(choice);
  return { name: choice.name, injector, config: injector.config?.(choice.with) };
}

function injectorOf({ use }: Choice): AnyInjector {
  const injector = catalog.find((each) => each.name === use);
  if (injector === undefined) throw new Error(`Unknown injector "${use}"`);
  return injector;
}
