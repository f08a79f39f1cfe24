import { checkCase, readCases } from 'podgraft/testing';
import { test } from 'vitest';
import { timeZone } from './time-zone.ts';

for (const example of readCases(new URL('./cases', import.meta.url))) {
  test(example.name, () => checkCase(timeZone, example));
}
