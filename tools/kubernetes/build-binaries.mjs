#!/usr/bin/env node
// Builds the control plane for test/kubernetes, once per version, into a cache folder in the home directory. With --node, also the programs of
// a node for test/e2e.
import { spawn } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder, nodePrograms, pinnedVersions, programs } from './cache-folder.mjs';

const moduleFolder = fileURLToPath(new URL('.', import.meta.url));

const wanted = process.argv.includes('--node') ? [...programs, ...nodePrograms] : programs;

/** `go build` names a program after its folder, which is `server` for etcd. */
const packageOf = (name) =>
  name === 'etcd'
    ? { path: 'go.etcd.io/etcd/server/v3', builtAs: 'server' }
    : { path: `k8s.io/kubernetes/cmd/${name}`, builtAs: name };

const noGo =
  'Cannot build the binaries: Go is not installed. Install Go 1.26 or newer, or set KUBEBUILDER_ASSETS to a folder with the binaries';

await main().catch((error) => {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
});

async function main() {
  const folder = cacheFolder();
  const missing = await missingPrograms(folder);
  if (missing.length === 0) return console.log(`All binaries are already built: ${folder}`);

  console.log(`Building ${missing.join(', ')} into ${folder} (takes some minutes)`);
  const started = Date.now();
  await build(missing, folder);
  console.log(`Built in ${Math.round((Date.now() - started) / 1000)} s`);
}

async function missingPrograms(folder) {
  const found = await Promise.all(
    wanted.map((name) =>
      access(join(folder, name)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return wanted.filter((_, i) => !found[i]);
}

/** Builds into a temporary folder and renames the results, which is atomic within one file system. */
async function build(names, folder) {
  await mkdir(folder, { recursive: true });
  const unfinished = await mkdtemp(join(folder, '.building-'));
  try {
    const paths = names.map((name) => packageOf(name).path);
    await go([
      'build',
      '-mod=readonly',
      '-trimpath',
      '-ldflags',
      ldflags(),
      '-o',
      `${unfinished}/`,
      ...paths,
    ]);
    for (const name of names) await rename(join(unfinished, packageOf(name).builtAs), join(folder, name));
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Without these flags the server reports v0.0.0, and clients warn about the version skew. */
function ldflags() {
  const { kubernetes } = pinnedVersions();
  const [major, minor] = kubernetes.slice(1).split('.');
  const values = { gitVersion: kubernetes, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' };
  const flags = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((target) =>
    Object.entries(values).map(([key, value]) => `-X ${target}.${key}=${value}`),
  );
  return ['-s', '-w', ...flags].join(' ');
}

/** Forwards signals to Go and waits for it to exit, so that the caller can clean up. */
function go(args) {
  const child = spawn('go', args, {
    cwd: moduleFolder,
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: 'inherit',
  });
  const pass = (signal) => child.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass);
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(error.code === 'ENOENT' ? new Error(noGo) : error));
    child.on('exit', (code, signal) =>
      code === 0
        ? resolve()
        : reject(new Error(`Cannot build the binaries: go exited with ${signal ?? code}`)),
    );
  }).finally(() => process.off('SIGINT', pass).off('SIGTERM', pass));
}
