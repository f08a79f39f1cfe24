// Builds the page: `node tools/build-page.mjs [DIST]`. Writes index.html, page.js, page.css and what they load into DIST/page.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(resolve(process.argv[2] ?? join(root, 'dist')), 'page');
const options = {
  bundle: true,
  minify: true,
  metafile: true,
  target: 'es2022',
  legalComments: 'none',
  absWorkingDir: root,
  outdir: target,
  logLevel: 'warning',
  tsconfig: 'web/tsconfig.json',
};

const page = build({
  ...options,
  entryPoints: { page: 'web/main.tsx' },
  format: 'esm',
  splitting: true,
  chunkNames: '[name]-[hash]',
});
// The page of a self-contained file has no editor, and cannot load modules.
const file = build({ ...options, entryPoints: { file: 'web/file.tsx' }, format: 'iife' });

mkdirSync(target, { recursive: true });
for (const name of ['index.html', 'icon.svg'])
  writeFileSync(join(target, name), readFileSync(join(root, 'web', name)));
const inputs = (await Promise.all([page, file])).flatMap(({ metafile }) => Object.keys(metafile.inputs));
writeFileSync(join(target, 'licenses.txt'), licenses(inputs));

/** The licenses of the bundled packages must be distributed with the bundles. */
function licenses(inputs) {
  const folders = new Set(inputs.map((input) => /^node_modules\/(@[^/]+\/)?[^/]+/.exec(input)?.[0]));
  folders.delete(undefined);
  return [...folders]
    .toSorted()
    .map(
      (folder) =>
        `${folder.slice('node_modules/'.length)}\n\n${readFileSync(join(root, folder, 'LICENSE'), 'utf8')}`,
    )
    .join(`\n${'-'.repeat(80)}\n\n`);
}
