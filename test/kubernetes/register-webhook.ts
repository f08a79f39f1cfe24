import { randomUUID } from 'node:crypto';
import { accepted, type Client } from './client.ts';
import { eventually } from './eventually.ts';

export type Rule = { apiGroups: string[]; apiVersions: string[]; resources: string[]; operations: string[] };

export type Registration = {
  /** Name of the configuration. Configurations are called in the order of their names. */
  name: string;
  url: string;
  caBundle: string;
  failurePolicy?: 'Fail' | 'Ignore';
  /** Default: Pods on CREATE. */
  rules?: readonly Rule[];
  timeoutSeconds?: number;
  namespaceSelector?: object;
  objectSelector?: object;
  matchConditions?: readonly { name: string; expression: string }[];
};

export type MutatingRegistration = Registration & { reinvocationPolicy?: 'Never' | 'IfNeeded' };

export type Registered = { remove(): Promise<void> };

export function registerMutating(client: Client, registration: MutatingRegistration): Promise<Registered> {
  return register(client, 'MutatingWebhookConfiguration', registration);
}

export function registerValidating(client: Client, registration: Registration): Promise<Registered> {
  return register(client, 'ValidatingWebhookConfiguration', registration);
}

type Kind = 'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration';

async function register(client: Client, kind: Kind, registration: MutatingRegistration): Promise<Registered> {
  const { name, url, caBundle, rules = [podsOnCreate], ...policies } = registration;
  const common = { sideEffects: 'None', admissionReviewVersions: ['v1'] };
  const path = `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}s`;
  const label = randomUUID();
  const webhooks = [
    {
      failurePolicy: 'Fail',
      ...common,
      ...policies,
      name: `${name}.podgraft.test`,
      rules,
      clientConfig: { url, caBundle },
    },
    { ...common, ...probe(label) },
  ];
  accepted(
    await client.request('POST', path, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind,
      metadata: { name },
      webhooks,
    }),
  );
  await eventually(`${kind} "${name}" takes effect`, async () => !(await probePasses(client, label)));
  return {
    async remove() {
      accepted(await client.request('DELETE', `${path}/${name}`));
      await eventually(`${kind} "${name}" is gone`, () => probePasses(client, label));
    },
  };
}

const podsOnCreate: Rule = {
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['pods'],
  operations: ['CREATE'],
};

/**
 * The API server watches configurations, so a new one takes effect shortly after it is stored, as a whole. A second webhook in the same
 * configuration shows when, without a call to the one under test: nothing listens at its address, so objects with its label are
 * rejected as soon as it is active.
 */
function probe(label: string) {
  return {
    name: 'probe.podgraft.test',
    failurePolicy: 'Fail',
    clientConfig: { url: 'https://127.0.0.1:1/' },
    objectSelector: { matchLabels: { probe: label } },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
  };
}

async function probePasses(client: Client, label: string): Promise<boolean> {
  const object = { metadata: { generateName: 'probe-', labels: { probe: label } } };
  const answer = await client.request('POST', '/api/v1/namespaces/default/configmaps?dryRun=All', object);
  if (answer.status === 500 && JSON.stringify(answer.body).includes('probe.podgraft.test')) return false;
  accepted(answer);
  return true;
}
