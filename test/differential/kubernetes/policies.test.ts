import { afterAll, describe, it } from 'vitest';
import { expectAgreement, SEEDS } from '../differential.ts';
import { judgePolicies, oracle } from './judge-policies.ts';
import { randomPolicyCase } from './random-policies.ts';

afterAll(() => oracle?.stop());

describe.skipIf(oracle === undefined)("Kubernetes' admission policies", () => {
  it.each(SEEDS)('change, deny, warn and annotate alike, with %s', async (_, seed) => {
    const suite = { system: 'kubernetes', name: 'admission policies' };
    await expectAgreement({ generate: randomPolicyCase, judge: judgePolicies }, suite, seed);
  });
});
