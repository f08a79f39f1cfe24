// Makes the base image that the Dockerfile names from Debian's packages and npm's, for machines that reach no registry of images.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extractPackages } from '../extract-packages.mjs';

/** The version of npm that Node's own images of this version have. */
const NPM_VERSION = '10.9.3';

/** What the build stage runs, with its libraries. The final image has the libraries of node only. */
const PACKAGES = [
  ...['base-files', 'bash', 'binutils', 'binutils-common', 'binutils-x86-64-linux-gnu', 'ca-certificates'],
  ...[
    'coreutils',
    'dash',
    'findutils',
    'gcc-12-base',
    'grep',
    'libacl1',
    'libattr1',
    'libbinutils',
    'libc-bin',
  ],
  ...[
    'libc6',
    'libctf-nobfd0',
    'libctf0',
    'libgcc-s1',
    'libgmp10',
    'libgprofng0',
    'libjansson4',
    'libpcre2-8-0',
  ],
  ...['libselinux1', 'libssl3', 'libstdc++6', 'libtinfo6', 'libzstd1', 'sed', 'tar', 'zlib1g'],
];

/** Fills `folder` with a root file system. Returns the versions of the packages, by name. */
export function makeRoot(folder, nodeVersion) {
  rmSync(folder, { recursive: true, force: true });
  for (const name of ['tmp', 'root', 'proc', 'dev', 'sys'])
    mkdirSync(join(folder, name), { recursive: true });
  const versions = extractPackages(PACKAGES, folder);
  symlinkSync('dash', join(folder, 'usr/bin/sh'));
  addNode(folder, nodeVersion);
  addCertificates(folder);
  return versions;
}

function addNode(folder, nodeVersion) {
  const downloads = `${folder}.downloads`;
  mkdirSync(downloads);
  const run = (command, ...args) => execFileSync(command, args, { cwd: downloads, encoding: 'utf8' });
  for (const [name, version, target] of [
    [`node-linux-${process.arch}`, nodeVersion, 'usr/local'],
    ['npm', NPM_VERSION, 'usr/local/lib/node_modules/npm'],
  ]) {
    const file = run('npm', 'pack', '--silent', `${name}@${version}`).trim();
    const into = join(folder, target);
    mkdirSync(into, { recursive: true });
    run(
      'tar',
      '--extract',
      '--file',
      file,
      '--directory',
      into,
      '--strip-components',
      '1',
      '--no-same-owner',
    );
  }
  rmSync(downloads, { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/local/bin/npm'));
}

/** Those that this machine trusts: a proxy may have an authority of its own. */
function addCertificates(folder) {
  const host = '/etc/ssl/certs/ca-certificates.crt';
  mkdirSync(join(folder, 'etc/ssl/certs'), { recursive: true });
  if (existsSync(host)) cpSync(host, join(folder, host), { dereference: true });
  else writeFileSync(join(folder, host), '');
  for (const name of ['resolv.conf', 'hosts']) {
    if (existsSync(`/etc/${name}`)) cpSync(`/etc/${name}`, join(folder, 'etc', name), { dereference: true });
  }
}
