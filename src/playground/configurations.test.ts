import { expect, test } from 'vitest';
import { createPipeline } from '../pipeline/pipeline.ts';
import type { AnyInjector } from '../sdk/injector.ts';
import { configurationsFor } from './configurations.ts';

const binding = (name: string) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name },
  spec: { policyName: 'owners', validationActions: ['Deny'] },
});
const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } };

function configured(runs?: readonly string[]) {
  const injector: AnyInjector = {
    name: 'house-policies',
    summary: '',
    match: {},
    inject: () => ({ skip: 'none' }),
    ...(runs && { runs }),
  };
  return configurationsFor(createPipeline([{ name: 'own', injector }]), [binding('owners'), map]);
}

test("policies are the API server's, unless an injector runs them", () => {
  expect(configured()).toEqual([binding('owners')]);
  expect(configured(['ValidatingAdmissionPolicyBinding'])).toEqual([]);
});
