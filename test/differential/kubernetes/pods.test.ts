import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/json/json.ts';
import { expectAgreement, SEEDS } from '../differential.ts';
import { judgeStored, oracle } from './judge-stored-pod.ts';
import { judgeValidation } from './judge-validation.ts';
import { randomInjectedPod } from './random-pods.ts';
import { randomTypedPod } from './random-typed.ts';

afterAll(() => oracle?.stop());

const WEB = { name: 'web', image: 'web' };

function pod(
  container: JsonObject,
  spec: JsonObject = {},
  metadata: JsonObject = { name: 'web' },
): JsonObject {
  return { metadata, spec: { containers: [{ ...WEB, ...container }], ...spec } };
}

/** The smallest Pods that need a rule. */
const FORMS: { readonly [rule: string]: JsonObject } = {
  'times keep their zone: only the API server and controllers write them, in UTC': pod(
    {},
    {},
    {
      name: 'web',
      creationTimestamp: '2026-01-02T03:04:05+02:00',
    },
  ),
  'requests of the whole Pod are not filled in from its containers and limits': pod(
    {},
    {
      resources: { limits: { cpu: '1' } },
    },
  ),
};
const VALIDATIONS: { readonly [rule: string]: JsonObject } = {
  'names, owners and reserved annotations of Pods are left to the API server': pod({}, {}, { name: 'A' }),
  'settings of the whole Pod are left to the API server': pod({}, { hostname: 'a.b' }),
  'the contents of volumes are left to the API server': pod(
    {},
    {
      volumes: [{ name: 'data', persistentVolumeClaim: {} }],
    },
  ),
  'references of env to other objects are left to the API server': pod({ envFrom: [{}] }),
  'kinds of resources are left to the API server': pod({ resources: { limits: { wheels: '1' } } }),
  'an amount that defaults to a negative one is not reported': pod({ resources: { limits: { cpu: '-1' } } }),
  'details of probes and hooks are left to the API server': pod({
    readinessProbe: { httpGet: { port: 80, scheme: 'FTP' } },
  }),
  'profiles and mount propagation are left to the API server': pod({
    securityContext: { seccompProfile: { type: 'Odd' } },
  }),
  'a mount of a volume that is invalid itself is not reported': pod(
    { volumeMounts: [{ name: 'Data', mountPath: '/data' }] },
    { volumes: [{ name: 'Data', emptyDir: {} }] },
  ),
  'a volume is reported, even if it repeats the name of an invalid one': pod(
    {},
    {
      volumes: [
        { name: 'data', emptyDir: {}, configMap: { name: 'c' } },
        { name: 'data', emptyDir: {} },
      ],
    },
  ),
};

describe.skipIf(oracle === undefined)('Pods of Kubernetes', () => {
  it.each(SEEDS)('have the same form and defaults, with %s', async (_, seed) => {
    const suite = { system: 'kubernetes', name: 'form and defaults of Pods' };
    await expectAgreement({ generate: randomTypedPod, judge: judgeStored }, suite, seed);
  });

  it.each(SEEDS)('are rejected for the same fields, with %s', async (_, seed) => {
    const suite = { system: 'kubernetes', name: 'validation of Pods' };
    await expectAgreement({ generate: randomInjectedPod, judge: judgeValidation }, suite, seed);
  });

  it.each(Object.entries(FORMS))('still need the rule: %s', async (rule, subject) => {
    expect(await judgeStored(subject)).toEqual({ departure: rule });
  });

  it.each(Object.entries(VALIDATIONS))('still need the rule: %s', async (rule, subject) => {
    expect(await judgeValidation(subject)).toEqual({ departure: rule });
  });
});
