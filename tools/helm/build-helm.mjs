#!/usr/bin/env node
// Builds helm for the test of the chart, once per version, into a cache folder in the home directory.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { helmPath } from './helm-path.mjs';

const target = helmPath();
if (existsSync(target)) console.log(`helm is already built: ${target}`);
else await build();

/** Builds into a temporary folder and renames the result, which is atomic within one file system. */
async function build() {
  console.log(`Building ${target} (takes some minutes)`);
  await mkdir(dirname(target), { recursive: true });
  const unfinished = await mkdtemp(join(dirname(target), '.building-'));
  try {
    const output = join(unfinished, 'helm');
    const args = ['build', '-mod=readonly', '-trimpath', '-ldflags', '-s -w', '-o', output];
    const { status, error } = spawnSync('go', [...args, 'helm.sh/helm/v3/cmd/helm'], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      env: { ...process.env, CGO_ENABLED: '0' },
      stdio: 'inherit',
    });
    if (status === 0) return await rename(output, target);
    const why = error?.code === 'ENOENT' ? 'Go is not installed' : `go exited with ${status}`;
    console.error(`error: Cannot build helm: ${why}`);
    process.exitCode = 1;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
