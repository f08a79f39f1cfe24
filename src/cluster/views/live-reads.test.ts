import { expect, it } from 'vitest';
import { builtin } from '../../kube/resource.ts';
import { systemClock } from '../clock.ts';
import { KindStore } from './kind-store.ts';
import { createLiveReads } from './live-reads.ts';

const ref = builtin('ConfigMap');
const need = (name: string) => ({ ref, namespace: 'shop', name });

it('remembers only so many objects that it did not find', async () => {
  const calls: string[] = [];
  const { read } = createLiveReads({
    client: {
      async get({ name }) {
        calls.push(name);
        return undefined;
      },
    },
    clock: { ...systemClock, uptime: () => 0 },
    log: { info: () => {}, warn: () => {} },
    watchOf: () => ({ store: new KindStore(), trim: (object) => object }),
  });
  const names = Array.from({ length: 10_001 }, (_, index) => `map-${index}`);
  for (const name of names) await read([need(name)], 1_000);
  expect(calls).toEqual(names);
  await read([need('map-1'), need('map-0')], 1_000);
  expect(calls.slice(names.length)).toEqual(['map-0']);
});
