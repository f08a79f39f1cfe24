import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Refused } from './validity.ts';

/** A generator of cases for one of the other systems. */
export interface Suite {
  readonly system: string;
  readonly name: string;
  /** Parts of the result that are left out, with the reason. */
  readonly notCompared?: readonly string[];
}

export interface Agreement {
  readonly cases: number;
  readonly equal: number;
  readonly departures: { readonly [reason: string]: number };
  /** Pods that Kubernetes' own validation rejects. */
  readonly refused?: Refused;
}

interface Recorded {
  readonly notCompared?: readonly string[];
  readonly suites: { readonly [name: string]: Agreement };
}

/** Only runs of this length are recorded. Some suites add a few cases to complete an installation. */
const isUsual = (cases: number) => cases >= 500 && cases < 550;

/**
 * Checks that docs/compatibility.md, which is generated from these records, names every departure that was found. Numbers may
 * differ. `UPDATE_COMPATIBILITY=1` writes the record instead.
 */
export function expectRecorded({ system, name, notCompared }: Suite, found: Agreement): void {
  if (!isUsual(found.cases)) return;
  const file = fileURLToPath(new URL(`results/${system}.json`, import.meta.url));
  const recorded: Recorded = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Recorded)
    : { suites: {} };
  if (process.env.UPDATE_COMPATIBILITY) {
    const suites = { ...recorded.suites, [name]: found };
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ ...(notCompared && { notCompared }), suites }, null, 2)}\n`);
    return;
  }
  const hint = `not in docs/compatibility.md: run with UPDATE_COMPATIBILITY=1, then "npm run generate"`;
  const known = Object.keys(recorded.suites[name]?.departures ?? {});
  const added = Object.keys(found.departures).filter((reason) => !known.includes(reason));
  expect(added, hint).toEqual([]);
  expect(recorded.notCompared, hint).toEqual(notCompared);
}
