// The images of test/e2e besides Podgraft's own, made without a registry: from Debian's packages, npm, PyPI, Maven and programs built here.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { extractPackages } from '../extract-packages.mjs';
import { cachedFolder } from './cached-folder.mjs';
import { writeImage } from './write-image.mjs';

/** References of the images, by what they are for. None ends in `:latest`, which a kubelet would try to pull. */
export const references = {
  busybox: 'localhost/busybox:1',
};

/** How the root file system of an image is made, by name. `recipe` is everything that it depends on. */
const recipes = {
  // Also the sandbox of every Pod, which only has to wait.
  busybox: {
    config: { Entrypoint: ['/bin/busybox', 'sleep', '2147483647'] },
    fill: (root) => addBusybox(root),
  },
};

/** Archives of all images, by name. Those that are not in the cache are made. */
export async function imageArchives() {
  const archives = {};
  for (const [name, { recipe = 1, config, fill }] of Object.entries(recipes)) {
    const reference = references[name];
    const folder = await cachedFolder(`image-${name}`, { recipe, config, reference }, async (made) => {
      const root = join(made, 'root');
      mkdirSync(root);
      await fill(root);
      writeImage(join(made, 'image.tar'), { name: reference, folder: root, config });
      execFileSync('rm', ['-r', root]);
    });
    archives[name] = join(folder, 'image.tar');
  }
  return archives;
}

/** A shell and tools in one static program. */
function addBusybox(root) {
  const packages = `${root}.busybox`;
  extractPackages(['busybox-static'], packages);
  mkdirSync(join(root, 'bin'), { recursive: true });
  cpSync(join(packages, 'bin/busybox'), join(root, 'bin/busybox'));
  execFileSync('rm', ['-r', packages]);
  for (const name of ['sh', 'cp', 'sleep', 'cat', 'ls', 'echo', 'date', 'wget', 'nc'])
    symlinkSync('busybox', join(root, 'bin', name));
}
