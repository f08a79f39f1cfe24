import { afterAll, describe, it } from 'vitest';
import { expectAgreement, SEEDS } from '../differential.ts';
import { judgeStored, oracle } from './judge-stored-pod.ts';
import { judgeValidation } from './judge-validation.ts';
import { randomInjectedPod } from './random-pods.ts';
import { randomTypedPod } from './random-typed.ts';

afterAll(() => oracle?.stop());

describe.skipIf(oracle === undefined)('Pods of Kubernetes', () => {
  it.each(SEEDS)('have the same form and defaults, with %s', async (_, seed) => {
    const suite = { system: 'kubernetes', name: 'form and defaults of Pods' };
    await expectAgreement({ generate: randomTypedPod, judge: judgeStored }, suite, seed);
  });

  it.each(SEEDS)('are rejected for the same fields, with %s', async (_, seed) => {
    const suite = { system: 'kubernetes', name: 'validation of Pods' };
    await expectAgreement({ generate: randomInjectedPod, judge: judgeValidation }, suite, seed);
  });
});
