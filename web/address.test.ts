import { expect, it } from 'vitest';
import { type Address, readAddress, writeAddress } from './address.ts';

it.each<Address>([
  { tab: 'playground' },
  {
    tab: 'playground',
    yaml: 'kind: Pod # äöü & ?\n',
    off: ['stamp'],
    order: ['b', 'a'],
    document: 2,
    stop: 'x/1',
  },
  { tab: 'playground', sample: 'A web server', operation: 'UPDATE' },
  { tab: 'requests', uid: 'u1', namespace: 'a', injector: 'b', verdict: 'denied' },
])('restores $tab', async (address) => {
  expect(await readAddress(await writeAddress(address))).toEqual(address);
});

it('ignores broken text', async () => {
  expect(await readAddress('#/playground?yaml=AAAA')).toEqual({ tab: 'playground' });
});

it('starts in the playground', async () => {
  expect(await readAddress('')).toEqual({ tab: 'playground' });
});
