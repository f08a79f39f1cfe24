import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { renderChart } from './render-chart.ts';

const release = { name: 'yes', namespace: '123' };

it('keeps the comments of the chart', () => {
  const [policy] = renderChart(['network-policy.yaml'], release, {});
  expect(policy).toMatch(/^# Opens two ports/);
  expect(policy).toContain('\n  # From anywhere');
});

it('quotes names that YAML 1.1 reads as something else', () => {
  const [account] = renderChart(['access.yaml'], release, {});
  expect(parse(account ?? '', { version: '1.1' })).toMatchObject({
    metadata: { name: 'yes', namespace: '123' },
  });
});

it('omits templates that render to nothing', () => {
  expect(renderChart(['namespace.yaml'], release, { namespace: { create: false } })).toEqual([]);
});

it('fails with the message of a required value', () => {
  expect(() => renderChart(['config-map.yaml'], release, {})).toThrow('config is empty');
});
