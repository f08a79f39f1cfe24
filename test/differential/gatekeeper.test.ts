import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/json/json.ts';
import type { KubeObject } from '../../src/kube/kube-object.ts';
import { expectAgreement, SEEDS } from './differential.ts';
import { judge, oracle } from './judge-mutation.ts';
import { type MutationCase, randomMutation } from './random-mutators.ts';

afterAll(() => oracle?.stop());

const PODS = [{ groups: [''], versions: ['v1'], kinds: ['Pod'] }];

function mutator(kind: string, location: string, parameters: JsonObject, match: JsonObject = {}): KubeObject {
  const spec = { applyTo: PODS, match, location, parameters };
  return { apiVersion: 'mutations.gatekeeper.sh/v1', kind, metadata: { name: 'a' }, spec } as KubeObject;
}

function example(mutator: KubeObject, spec: JsonObject = {}): MutationCase {
  const metadata = { name: 'web', namespace: 'shop' };
  const object = { apiVersion: 'v1', kind: 'Pod', metadata, spec } as unknown as KubeObject;
  return { mutators: [mutator], object, username: 'ann', operation: 'CREATE' };
}

/** The smallest cases that need a rule. */
const EXAMPLES: { readonly [rule: string]: MutationCase } = {
  'integers in values are not floats': example(
    mutator('Assign', 'spec.ports[port: 80]', { assign: { value: { port: 80 } } }),
  ),
  'null is absent': example(mutator('Assign', 'spec.list[k: v].a', { assign: { value: 'x' } }), {
    list: null,
  }),
  'pruning a missing list changes nothing': example(
    mutator('ModifySet', 'spec.a[k: v].b', { operation: 'prune', values: { fromList: ['x'] } }),
  ),
  'path tests are compared by depth': example(
    mutator('Assign', 'spec.a.b', {
      assign: { value: 'x' },
      pathTests: [
        { subPath: 'spec.a.b', condition: 'MustNotExist' },
        { subPath: 'spec', condition: 'MustExist' },
      ],
    }),
  ),
  'a ModifySet without values changes nothing': example(
    mutator('ModifySet', 'spec.a[k: v].b', { values: {} }),
  ),
  'an empty location is refused when it is read': example(
    mutator('ModifySet', '', { values: { fromList: [] } }, { name: 'other' }),
  ),
  'an unknown Namespace matters only if everything else matches': example(
    mutator('Assign', 'spec.a', { assign: { value: 'x' } }, { namespaceSelector: {}, name: 'other' }),
  ),
  'fields beside the assigned ones stay inside lists and whole values': example(
    mutator('Assign', 'spec.containers[name: app].livenessProbe', {
      assign: { value: { periodSeconds: 5 } },
    }),
    { containers: [{ name: 'app', livenessProbe: { periodSeconds: 5, timeoutSeconds: 9 } }] },
  ),
  'values that Go omits are absent': example(
    mutator('Assign', 'spec.hostNetwork', { assign: { value: false } }),
  ),
};

const SUITE = { system: 'gatekeeper', name: 'mutators and objects' };

describe.skipIf(oracle === undefined)('Gatekeeper', () => {
  it.each(SEEDS)('agrees on random mutators and objects, with %s', async (_, seed) => {
    await expectAgreement({ generate: randomMutation, judge }, SUITE, seed);
  });

  it.each(Object.entries(EXAMPLES))('still needs the rule: %s', async (rule, example) => {
    expect(await judge(example)).toEqual({ departure: rule });
  });
});
