// Builds the image of the Dockerfile with buildah, as root and without a daemon: `npm run image`. Needs Debian with buildah.
// Writes build/podgraft-VERSION.oci.tar and its SBOM, and checks size, user and that it runs on a read-only file system.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { imageArchive as archive, imageName as image } from './archive.mjs';
import { makeRoot } from './make-base.mjs';
import { writeSbom } from './write-sbom.mjs';

const MOST_BYTES = 130e6;
const root = fileURLToPath(new URL('../..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const [, nodeVersion] = /^ARG NODE_VERSION=(.*)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'));
const output = join(root, 'build');
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'podgraft', 'image');
const base = `docker.io/library/node:${nodeVersion}-bookworm-slim`;

mkdirSync(cache, { recursive: true });
/** Overlays cannot be stacked, and the cache may be on one. */
const storage = ['overlay', 'vfs']
  .map((driver) => {
    const folders = ['--root', join(cache, driver), '--runroot', join(cache, `${driver}-run`)];
    return [...folders, '--storage-driver', driver];
  })
  .find((flags) => spawnSync('buildah', [...flags, 'images'], { stdio: 'ignore' }).status === 0);
if (storage === undefined) throw new Error('buildah is not installed, or cannot store images');
const buildah = (...args) =>
  execFileSync('buildah', [...storage, ...args], { cwd: root, encoding: 'utf8', maxBuffer: 1e9 }).trim();
const isBuilt = (name) =>
  spawnSync('buildah', [...storage, 'inspect', '--type', 'image', name], { stdio: 'ignore' }).status === 0;

mkdirSync(output, { recursive: true });
// Another recipe makes another base.
const recipe = createHash('sha256').update(readFileSync(new URL('make-base.mjs', import.meta.url)));
const packagesFile = join(cache, `packages-${nodeVersion}-${recipe.digest('hex').slice(0, 10)}.json`);
if (!isBuilt(base) || !existsSync(packagesFile)) makeBase();
buildah(
  'bud',
  '--isolation',
  'chroot',
  '--pull-never',
  '--network',
  'host',
  '--layers=false',
  '-t',
  image,
  '.',
);

const { config } = JSON.parse(buildah('inspect', '--type', 'image', image)).OCIv1;
if (config.User !== '65532:65532') throw new Error(`the image runs as "${config.User}"`);
const container = buildah('from', '--pull-never', image);
try {
  check(buildah('mount', container));
} finally {
  buildah('rm', container);
}
rmSync(archive, { force: true });
buildah('push', '--quiet', image, `oci-archive:${archive}:${image}`);
console.log(archive);

function check(folder) {
  const bytes = Number(execFileSync('du', ['-sb', folder], { encoding: 'utf8' }).split('\t')[0]);
  if (bytes >= MOST_BYTES) throw new Error(`the image has ${bytes} bytes, more than ${MOST_BYTES}`);
  const sbom = join(output, `podgraft-${version}.cdx.json`);
  const debian = JSON.parse(readFileSync(packagesFile, 'utf8'));
  writeSbom(sbom, { folder, version, nodeVersion, debian });
  tryIt(folder);
  console.log(`${image}: ${(bytes / 1e6).toFixed(1)} MB uncompressed\n${sbom}`);
}

function makeBase() {
  const folder = join(cache, 'base');
  writeFileSync(packagesFile, JSON.stringify(makeRoot(folder, nodeVersion)));
  const container = buildah('from', 'scratch');
  buildah('copy', '--quiet', container, folder, '/');
  const env = ['PATH=/usr/local/bin:/usr/bin:/bin', 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt'];
  buildah('config', ...env.flatMap((each) => ['--env', each]), container);
  buildah('commit', '--quiet', '--rm', container, base);
  rmSync(folder, { recursive: true });
}

/** Serves as the image's user, on a read-only file system, with nothing but the configuration mounted. */
function tryIt(folder) {
  mkdirSync(join(folder, 'etc/podgraft'), { recursive: true });
  mkdirSync(join(folder, 'dev'), { recursive: true });
  const config = readFileSync(join(root, 'examples/quickstart/podgraft.yaml'), 'utf8');
  writeFileSync(join(folder, 'etc/podgraft/podgraft.yaml'), config);
  const serve =
    '/usr/local/bin/node /app/dist/cli/main.js serve --self-signed --config /etc/podgraft/podgraft.yaml';
  const script = `mount --bind ${folder} ${folder} && mount -o remount,ro,bind ${folder}
    HOME=/app NODE_ENV=production JITI_FS_CACHE=false timeout --signal=TERM 10 \\
      chroot --userspec=65532:65532 ${folder} ${serve} --port 0 --metrics-port 0`;
  const { stdout, stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', script], { encoding: 'utf8' });
  if (!stdout.includes('"msg":"listening"')) throw new Error(`the image does not serve:\n${stdout}${stderr}`);
}
