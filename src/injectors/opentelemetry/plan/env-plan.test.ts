import { describe, expect, test } from 'vitest';
import { graft } from '../../../graft/graft.ts';
import { shapeOf } from '../../../graft/shape-of.ts';
import { asJson } from '../../../kube/kube-object.ts';
import { type Env, planEnv } from './env-plan.ts';

describe('planEnv', () => {
  test('adds the first of several entries with the same name', () => {
    const plan = planEnv([]);
    plan.add({ name: 'A', value: '1' });
    plan.add({ name: 'A', value: '2' });
    expect(plan.overlay()).toEqual([{ name: 'A', value: '1' }]);
  });

  test('prepends entries in their order', () => {
    const plan = planEnv([]);
    plan.add({ name: 'D' });
    plan.add({ name: 'A', $at: 'first' });
    plan.add({ name: 'B', $at: 'first' });
    plan.add({ name: 'D', $at: 'first' });
    const pod = { spec: { containers: [{ name: 'web', env: [{ name: 'C' }] }] } };
    const overlay = asJson({ spec: { containers: [{ name: 'web', env: plan.overlay() }] } });
    const { object } = graft(pod, overlay, shapeOf('v1', 'Pod'));
    expect(
      JSON.stringify(object.spec)
        .match(/"[A-D]"/g)
        ?.join(''),
    ).toBe('"A""B""C""D"');
  });

  test('reads the last of several entries with the same name, as the kubelet does', () => {
    expect(
      planEnv([
        { name: 'A', value: '1' },
        { name: 'A', value: '2' },
      ]).get('A')?.value,
    ).toBe('2');
  });

  test('extends existing and planned entries', () => {
    const plan = planEnv([{ name: 'A', value: 'x' }]);
    plan.add({ name: 'A', value: 'ignored' });
    plan.add({ name: 'B', value: 'y' });
    for (const name of ['A', 'B', 'C']) plan.add({ name, extend: (value) => `${value}+` });
    expect(plan.overlay()).toEqual([
      { name: 'B', value: 'y+' },
      { name: 'C', value: '+' },
      { name: 'A', value: { $force: 'x+' } },
    ]);
  });
});

describe('OTEL_RESOURCE_ATTRIBUTES', () => {
  const attributes = (value: string): Env => ({ name: 'OTEL_RESOURCE_ATTRIBUTES', value });
  const overlayItem = (existing: readonly Env[], text: string) => {
    const plan = planEnv(existing);
    plan.add({ name: 'OTEL_RESOURCE_ATTRIBUTES', extend: () => text });
    plan.add({ name: 'NEW' });
    return plan.overlay().at(-1);
  };

  test('comes after entries that are added later', () => {
    expect(overlayItem([], 'a=$(NEW)')).toEqual(attributes('a=$(NEW)'));
  });

  test('moves to the end if it refers to an entry after it', () => {
    expect(overlayItem([attributes('a=1'), { name: 'LATER' }], 'a=1,b=$(LATER)')).toHaveProperty('$at.last');
    expect(overlayItem([attributes('a=1')], 'a=$(NEW)')).toHaveProperty('$at.keep');
  });

  test('stays in place if everything it refers to precedes it', () => {
    const existing = [{ name: 'FIRST' }, attributes('a=$(FIRST)'), { name: 'LATER' }];
    expect(overlayItem(existing, 'a=$(FIRST),b=2')).not.toHaveProperty('$at');
  });
});
