import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAIN } from '../podgraft-process.ts';

/*
 * What makes reviews slow without showing in any profile: objects that get their own hidden class, so that V8 cannot cache
 * where their members are, and objects that outlive their review, so that full garbage collections become frequent. Both are
 * counted, not timed.
 */

const REVIEWS = 3000;
const SCRIPT = fileURLToPath(new URL('answer-reviews.mjs', import.meta.url));
const ROWS = fileURLToPath(new URL('../../bench/rows', import.meta.url));

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podgraft-footprint-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it.each([
  'one-injector',
  'five-injectors',
  'ten-conditional-overlays',
  'filebeat',
  'pod-identity',
  'opentelemetry',
  'istio',
  'gatekeeper-10',
])('reviews of %s make no hidden classes and leave nothing behind', async (row) => {
  const { classes, kept } = await footprintOf(row);
  // A few are made when functions are optimized, and when the tables of caches grow.
  expect(classes / REVIEWS).toBeLessThan(0.05);
  expect(kept / REVIEWS).toBeLessThan(50);
});

/**
 * Hidden classes made, and bytes kept, by reviews after a warm-up. V8 now and then moves some hundred kilobytes at once to its old
 * space; the smallest of three measurements is without that, and reviews that are kept are in each of them.
 */
async function footprintOf(row: string): Promise<{ classes: number; kept: number }> {
  const log = join(folder, `${row}.log`);
  // Without threads, which would make the times of optimization and garbage collection random.
  const flags = [
    '--predictable',
    '--log-maps',
    '--no-log-maps-details',
    '--no-logfile-per-isolate',
    `--logfile=${log}`,
  ];
  const args = [...flags, SCRIPT, dirname(dirname(MAIN)), join(ROWS, row), String(REVIEWS)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 20 });
  const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line.startsWith('map,'));
  const begin = lines.findIndex((line) => line.endsWith('BEGIN_OF_MEASUREMENT'));
  const end = lines.findIndex((line) => line.endsWith('END_OF_MEASUREMENT'));
  expect(begin).toBeGreaterThan(0);
  expect(end).toBeGreaterThan(begin);
  return { classes: end - begin, kept: Math.min(...JSON.parse(stdout).kept) };
}
