#!/usr/bin/env node
// Builds the judges of test/differential, once per version, into a cache folder in the home directory.
// Usage: build-oracles.mjs [system ...]
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oraclePath, sourceFolder } from './oracle-path.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const all = readdirSync(here, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? entry.name : [],
);
const wanted = process.argv.slice(2);
for (const system of wanted.length > 0 ? wanted : all) {
  const target = oraclePath(system);
  if (existsSync(target)) console.log(`The oracle of ${system} is already built: ${target}`);
  else await build(system, target);
}

/** Builds into a temporary folder and renames the result, which is atomic within one file system. */
async function build(system, target) {
  console.log(`Building the oracle of ${system} into ${target} (takes some minutes)`);
  await mkdir(dirname(target), { recursive: true });
  const unfinished = await mkdtemp(join(dirname(target), '.building-'));
  try {
    const output = join(unfinished, 'oracle');
    const args = [
      '-n',
      '10',
      'go',
      'build',
      '-mod=readonly',
      '-trimpath',
      '-ldflags',
      '-s -w',
      '-o',
      output,
      '.',
    ];
    const { status, error } = spawnSync('nice', args, {
      cwd: sourceFolder(system),
      env: { ...process.env, CGO_ENABLED: '0' },
      stdio: 'inherit',
    });
    if (status === 0) return await rename(output, target);
    console.error(
      `error: Cannot build the oracle of ${system}: ${error?.message ?? `go exited with ${status}`}`,
    );
    process.exitCode = 1;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
