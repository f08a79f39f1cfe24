#!/usr/bin/env node
// Builds the Go programs named by its arguments, which tests run, once per version, into a cache folder in the home directory.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { goModuleFolder, goProgramPath, goPrograms } from './go-program-path.mjs';

for (const name of process.argv.slice(2)) {
  const { package: path } = goPrograms[name];
  const target = goProgramPath(name);
  if (existsSync(target)) console.log(`${name} is already built: ${target}`);
  else await build(name, path, target);
}

/** Builds into a temporary folder and renames the result, which is atomic within one file system. */
async function build(name, path, target) {
  console.log(`Building ${target} (takes some minutes)`);
  await mkdir(dirname(target), { recursive: true });
  const unfinished = await mkdtemp(join(dirname(target), '.building-'));
  try {
    const output = join(unfinished, name);
    const args = ['build', '-mod=readonly', '-trimpath', '-ldflags', '-s -w', '-o', output, path];
    const { status, error } = spawnSync('go', args, {
      cwd: goModuleFolder(name),
      env: { ...process.env, CGO_ENABLED: '0' },
      stdio: 'inherit',
    });
    if (status === 0) return await rename(output, target);
    const why = error?.code === 'ENOENT' ? 'Go is not installed' : `go exited with ${status}`;
    console.error(`error: Cannot build ${name}: ${why}`);
    process.exitCode = 1;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
