#!/usr/bin/env node
// Builds the judges of test/differential, once per version, into a cache folder in the home directory.
// Usage: build-oracles.mjs [system ...]
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, copyFile, cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oracleModule, oraclePath, serveFile, sourceFolder } from './oracle-path.mjs';

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
    const { module, version, isCopied } = oracleModule(system);
    const folder = isCopied
      ? await copyModule(`${module}@${version}`, system, join(unfinished, 'module'))
      : sourceFolder(system);
    const output = join(unfinished, 'oracle');
    const overlay = join(unfinished, 'overlay.json');
    await writeFile(overlay, JSON.stringify({ Replace: { [join(folder, 'serve.go')]: serveFile } }));
    const flags = ['-mod=readonly', '-buildvcs=false', '-trimpath', '-ldflags', '-s -w', '-overlay', overlay];
    go(['build', ...flags, '-o', output, '.'], folder);
    await rename(output, target);
  } catch (error) {
    console.error(`error: Cannot build the oracle of ${system}: ${error.message}`);
    process.exitCode = 1;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Returns the folder of our program in a copy of the module: only there may it import internal packages. */
async function copyModule(reference, system, target) {
  const { Dir: source } = JSON.parse(go(['mod', 'download', '-json', reference], sourceFolder(system)));
  await cp(source, target, { recursive: true });
  // Go's module cache is read-only.
  const entries = await readdir(target, { withFileTypes: true, recursive: true });
  const folders = entries.filter((entry) => entry.isDirectory());
  for (const { parentPath, name } of folders) await chmod(join(parentPath, name), 0o755);
  await chmod(target, 0o755);
  const folder = join(target, 'podgraft-oracle');
  await mkdir(folder);
  await copyFile(join(sourceFolder(system), 'main.go'), join(folder, 'main.go'));
  return folder;
}

function go(args, cwd) {
  const { status, error, stdout } = spawnSync('nice', ['-n', '10', 'go', ...args], {
    cwd,
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(error?.message ?? `go exited with ${status}`);
  return stdout;
}
