import { accepted, type Client } from './client.ts';

/**
 * Keeps a policy with ConfigMaps as parameters, for as long as the control plane runs. If the last one went, later policies would see the
 * ConfigMaps of that moment: a bug of Kubernetes 1.36.
 */
export async function keepParams(client: Client): Promise<void> {
  const metadata = { name: 'keeps-params' };
  const rule = {
    apiGroups: ['example.com'],
    apiVersions: ['v1'],
    operations: ['CREATE'],
    resources: ['nothing'],
  };
  const expression = "[JSONPatch{op: 'test', path: '/metadata/name', value: 'x'}]";
  await create('mutatingadmissionpolicies', {
    reinvocationPolicy: 'Never',
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    matchConstraints: { resourceRules: [rule] },
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
  });
  await create('mutatingadmissionpolicybindings', {
    policyName: metadata.name,
    paramRef: { name: 'none', namespace: 'default', parameterNotFoundAction: 'Allow' },
  });

  async function create(resource: string, spec: object): Promise<void> {
    const path = `/apis/admissionregistration.k8s.io/v1/${resource}`;
    const answer = await client.request('POST', path, { metadata, spec });
    // Another test file may have created it.
    if (answer.status !== 409) accepted(answer);
  }
}
