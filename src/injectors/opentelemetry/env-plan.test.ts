import { describe, expect, test } from 'vitest';
import { graft } from '../../graft/graft.ts';
import { asJson } from '../../kube/kube-object.ts';
import { shapeOf } from '../../kube/shape-of.ts';
import { type Env, planEnv } from './env-plan.ts';

describe('an environment', () => {
  test('takes the first entry of a name that is added', () => {
    const plan = planEnv([]);
    plan.add({ name: 'A', value: '1' });
    plan.add({ name: 'A', value: '2' });
    expect(plan.overlay()).toEqual([{ name: 'A', value: '1' }]);
  });

  test('puts leading entries first, in their order', () => {
    const plan = planEnv([]);
    plan.add({ name: 'D' });
    plan.lead({ name: 'A' });
    plan.lead({ name: 'B' });
    plan.lead({ name: 'D' });
    const pod = { spec: { containers: [{ name: 'web', env: [{ name: 'C' }] }] } };
    const overlay = asJson({ spec: { containers: [{ name: 'web', env: plan.overlay() }] } });
    const { object } = graft(pod, overlay, shapeOf('v1', 'Pod'));
    expect(
      JSON.stringify(object.spec)
        .match(/"[A-D]"/g)
        ?.join(''),
    ).toBe('"A""B""C""D"');
  });

  test('sees the last of repeated names, as the kubelet does', () => {
    expect(
      planEnv([
        { name: 'A', value: '1' },
        { name: 'A', value: '2' },
      ]).get('A')?.value,
    ).toBe('2');
  });

  test('lengthens what the container has, and what is planned', () => {
    const plan = planEnv([{ name: 'A', value: 'x' }]);
    plan.add({ name: 'A', value: 'ignored' });
    plan.add({ name: 'B', value: 'y' });
    for (const name of ['A', 'B', 'C']) plan.extend(name, (text) => `${text}+`);
    expect(plan.overlay()).toEqual([
      { name: 'B', value: 'y+' },
      { name: 'C', value: '+' },
      { name: 'A', value: { $force: 'x+' } },
    ]);
  });
});

describe('OTEL_RESOURCE_ATTRIBUTES', () => {
  const attributes = (value: string): Env => ({ name: 'OTEL_RESOURCE_ATTRIBUTES', value });
  const wish = (found: readonly Env[], text: string) => {
    const plan = planEnv(found);
    plan.extend('OTEL_RESOURCE_ATTRIBUTES', () => text);
    plan.add({ name: 'NEW' });
    return plan.overlay().at(-1);
  };

  test('comes last, whatever is added after it', () => {
    expect(wish([], 'a=$(NEW)')).toEqual(attributes('a=$(NEW)'));
  });

  test('moves to the end where it refers to what stands after it', () => {
    expect(wish([attributes('a=1'), { name: 'LATER' }], 'a=1,b=$(LATER)')).toHaveProperty('$at.last');
    expect(wish([attributes('a=1')], 'a=$(NEW)')).toHaveProperty('$at.keep');
  });

  test('stays where everything it refers to stands before it', () => {
    const found = [{ name: 'FIRST' }, attributes('a=$(FIRST)'), { name: 'LATER' }];
    expect(wish(found, 'a=$(FIRST),b=2')).not.toHaveProperty('$at');
  });
});
