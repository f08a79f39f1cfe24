#!/usr/bin/env node
// Builds the program that answers with istiod's own code, once per version, into a cache folder in the home directory.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oraclePath } from './oracle-path.mjs';

const target = oraclePath();
if (existsSync(target)) console.log(`The program is already built: ${target}`);
else await build();

/** Builds under another name and renames the result, which is atomic within one file system. */
async function build() {
  console.log(`Building ${target} (takes ten minutes or more)`);
  await mkdir(dirname(target), { recursive: true });
  const unfinished = `${target}.${process.pid}`;
  try {
    const { status, error } = spawnSync('go', ['build', '-mod=readonly', '-o', unfinished, '.'], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      stdio: 'inherit',
    });
    if (status === 0) return await rename(unfinished, target);
    const why = error?.code === 'ENOENT' ? 'Go is not installed' : `go exited with ${status}`;
    console.error(`error: Cannot build the program: ${why}`);
    process.exitCode = 1;
  } finally {
    await rm(unfinished, { force: true });
  }
}
