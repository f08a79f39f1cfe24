import { afterEach, describe, expect, test } from 'vitest';
import { filesView } from '../../src/cluster/views/files-view.ts';
import { parseManifests } from '../../src/files/read-manifests.ts';
import { STAMP } from '../stamp.ts';
import { patchOf, postReview, responseOf, type Server, serve, withRequest } from './fixtures.ts';

/** Adds a toleration each time it runs, to Pods that their author has given the label. */
const POLICIES = parseManifests(
  `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: counter}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    objectSelector: {matchLabels: {level: high}}
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  mutations:
    - patchType: JSONPatch
      jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/spec/tolerations/-', value: Object.spec.tolerations{key: 'a'}}]"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: counter}
spec: {policyName: counter}
`,
  'policies.yaml',
);

// A Pod's author chooses its values. Under failurePolicy Ignore, a 500 would create it without any injection.
const CASES: readonly (readonly [string, string, string])[] = [
  [
    'an expression fails',
    'use: overlay\n    with: {overlay: {spec: {priority: {$cel: "int(object.metadata.labels.level)"}}}}',
    "expression 'int(object.metadata.labels.level)' resulted in error: type conversion error from 'string' to 'int'",
  ],
  [
    'an expression gives a value of the wrong type',
    'use: overlay\n    with: {overlay: {spec: {priority: {$cel: "dyn(object.metadata.labels.level)"}}}}',
    'spec.priority: ',
  ],
  [
    'a condition fails',
    'use: metadata\n    match: {conditions: ["int(object.metadata.labels.level) > 1"]}\n    with: {labels: {a: b}}',
    "condition 'int(object.metadata.labels.level) > 1' resulted in error: ",
  ],
  [
    'a Gatekeeper mutator cannot be applied',
    `use: gatekeeper
    with:
      cluster: false
      resources:
        - apiVersion: mutations.gatekeeper.sh/v1
          kind: Assign
          metadata: {name: level}
          spec:
            applyTo: [{groups: [""], kinds: [Pod], versions: [v1]}]
            location: spec.tolerations.key
            parameters: {assign: {value: x}}`,
    'Assign "level": ',
  ],
  [
    'a policy does not settle',
    'use: admission-policy',
    'MutatingAdmissionPolicy "counter" would change the object every time it runs',
  ],
];

const object = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', labels: { level: 'high' } },
  spec: { containers: [{ name: 'web', image: 'nginx' }], tolerations: [{ key: 'a' }] },
};

describe.each(CASES)('%s', (_, injector, reason) => {
  let server: Server;
  afterEach(() => server.drain());
  const ask = async (onError: string) => {
    const config = `${STAMP}  - name: level\n    ${onError}${injector}\n`;
    server = await serve(config, { cluster: filesView(POLICIES) });
    return postReview(server, withRequest({ object }));
  };

  test('the object is denied, with a reason that names the injector', async () => {
    const answer = await ask('');
    const message = expect.stringContaining(`Injector "level" failed: ${reason}`);
    expect(answer.status).toBe(200);
    expect(responseOf(answer)).toMatchObject({ allowed: false, status: { code: 403, message } });
    expect(server.log.lines.join('\n')).toContain('level');
    expect(await server.metrics.registry.metrics()).toContain(
      'podgraft_reviews_total{injector="level",verdict="denied",operation="CREATE",kind="Pod"} 1',
    );
  });

  test('with onError: skip the others do their work, with a warning', async () => {
    const answer = await ask('onError: skip\n    ');
    const warning = expect.stringContaining(`Injector "level" failed: ${reason}`);
    expect(responseOf(answer)).toMatchObject({ allowed: true, warnings: [warning] });
    expect(patchOf(answer)).toMatchObject([
      { op: 'add', path: '/metadata/annotations', value: { 'injected-by': 'my-webhook' } },
    ]);
  });
});
