import { afterAll, describe, expect, it } from 'vitest';
import { randomFrom } from '../../fuzz/random.ts';
import { expectAgreement, SEEDS } from '../differential.ts';
import { judgeExpression, oracle } from './judge-expression.ts';
import { randomExpressionCase, smallerExpressions } from './random-expressions.ts';

afterAll(() => oracle?.stop());

/** The smallest expressions that need a rule. */
const EXAMPLES: { readonly [rule: string]: string } = {
  'what an expression costs that fails: arguments beside the failing one may count or not':
    'object.spec.nothing.join(object.metadata.name)',
  'a quantity that was computed can be compared like any other': "quantity('1') == quantity('1').add(0)",
  'the cost of texts with characters beyond U+FFFF counts these twice': "'a'.find('abc😀')",
  'an error of the checker is reported once, and not again for what follows from it': '[?timestamp(0)[?1]]',
  "errors with Go's own type names in them": "object.spec.list['a'.split('b')]",
  'expressions on which the API server panics': '[?object.spec.list[?0]]',
};

describe.skipIf(oracle === undefined)("Kubernetes' expressions", () => {
  it.each(SEEDS)('have the same values, types, errors and costs, with %s', async (_, seed) => {
    const suite = { system: 'kubernetes', name: 'CEL expressions' };
    const subject = { generate: randomExpressionCase, judge: judgeExpression, smaller: smallerExpressions };
    await expectAgreement(subject, suite, seed);
  });

  it.each(Object.entries(EXAMPLES))('still need the rule: %s', async (rule, text) => {
    const { variables: _, params: __, ...base } = randomExpressionCase(randomFrom(1, 0));
    const object = { metadata: { name: 'web' }, spec: { list: [1] } };
    const tree = { type: 'dyn', text, parts: [] };
    expect(await judgeExpression({ ...base, kind: 'expression', object, tree })).toEqual({ departure: rule });
  });
});
