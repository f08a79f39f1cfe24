import { afterEach, expect, test, vi } from 'vitest';
import { InjectorClock } from './injector-clock.ts';

afterEach(() => vi.restoreAllMocks());

test('names the injector with the longest call, whatever came before', () => {
  const now = vi.spyOn(performance, 'now');
  const at = (milliseconds: number) => now.mockReturnValue(milliseconds);
  const clock = new InjectorClock();
  at(0);
  clock.call('of the review before');
  at(1000);
  clock.start();
  clock.call('stamp');
  at(1005);
  clock.call('mesh');
  at(1045);
  clock.call('stamp');
  at(1046);
  expect(clock.stop()).toEqual({ injector: 'mesh', milliseconds: 40 });
});

test('names none if no injector was called', () => {
  const clock = new InjectorClock();
  clock.start();
  expect(clock.stop()).toBeUndefined();
});
