import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Name of the image of this version, and where `npm run image` writes it. */
export const imageName = `localhost/podgraft:${version}`;
export const imageArchive = join(root, 'build', `podgraft-${version}.oci.tar`);

/** What the Dockerfile copies, and what builds it. */
const INPUTS = [
  ...['Dockerfile', 'package.json', 'package-lock.json', '.npmrc', 'tsconfig.json', 'tsconfig.build.json'],
  ...['src', 'web', 'deploy/chart', 'tools/build-page.mjs', 'tools/image'],
];

/** Whether the archive is newer than everything that it is built from. */
export function isImageCurrent() {
  if (!existsSync(imageArchive)) return false;
  const built = statSync(imageArchive).mtimeMs;
  return INPUTS.every((input) => newest(join(root, input)) < built);
}

function newest(path) {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}
