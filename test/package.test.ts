import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const src = join(root, 'src');

/** What users import, the folder, and one of its exports. */
const DOORS = [
  ['podgraft', 'sdk', 'defineInjector'],
  ['podgraft/testing', 'testing', 'checkCase'],
  ['podgraft/chain', 'chain', 'admit'],
  ['podgraft/server', 'server', 'startServer'],
  ['podgraft/gotemplate', 'gotemplate', 'parseTemplate'],
  ['podgraft/cel', 'cel', 'compile'],
  ['podgraft/policy', 'policy', 'runMutatingPolicies'],
] as const;

describe('the published package', () => {
  let folder: string;
  let files: readonly string[];

  // `dist/` may be missing or left over from another build, so the build of this run is packed from a separate folder.
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'podgraft-package-'));
    cpSync(process.env.PODGRAFT_DIST ?? join(root, 'dist'), join(folder, 'dist'), { recursive: true });
    for (const file of ['package.json', 'README.md', 'LICENSE', 'docs/config.schema.json'])
      cpSync(join(root, file), join(folder, file));
    const output = execFileSync('npm', ['pack', '--dry-run', '--json'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    const [{ files: packed }] = JSON.parse(output) as [{ files: readonly { path: string }[] }];
    files = packed.map(({ path }) => path);
  }, 60_000);

  afterAll(() => rmSync(folder, { recursive: true }));

  it('contains code, declarations, the page and the schema', () => {
    const others = files.filter((path) => !/^dist\/.+\.(js|d\.ts)$/.test(path) && !isOfPage(path));
    expect(others.toSorted()).toEqual(['LICENSE', 'README.md', 'docs/config.schema.json', 'package.json']);
  });

  it('contains no tests, fixtures, cases or test data', () => {
    const unwanted = /\.(test|fixture)\.|\/(testdata|fixtures|cases)\//;
    expect(files.filter((path) => unwanted.test(path))).toEqual([]);
  });

  it('contains only modules that the command line or an exported module imports', () => {
    const entries = ['cli/main.ts', ...DOORS.map(([, folder]) => `${folder}/index.ts`)];
    const imported = importedModules(entries.map((entry) => join(src, entry)));
    const expected = imported.map((file) => `dist/${relative(src, file).replace(/\.ts$/, '.js')}`);
    const modules = files.filter((path) => path.endsWith('.js') && !isOfPage(path));
    expect(modules.toSorted()).toEqual(expected.toSorted());
  });

  it.each(DOORS)('can be imported as %s', (specifier, door, name) => {
    const user = join(folder, 'user');
    mkdirSync(join(user, 'node_modules'), { recursive: true });
    const links = [
      [folder, join(user, 'node_modules/podgraft')],
      [join(root, 'node_modules'), join(folder, 'node_modules')],
    ] as const;
    for (const [target, path] of links) if (!existsSync(path)) symlinkSync(target, path);
    const program = `import { ${name} } from '${specifier}'; console.log(typeof ${name});`;
    const args = ['--input-type=module', '--eval', program];
    expect(execFileSync(process.execPath, args, { cwd: user, encoding: 'utf8' })).toBe('function\n');
    expect(files).toContain(`dist/${door}/index.d.ts`);
  });

  it('contains the page and the licenses of its parts', () => {
    const names = files.filter(isOfPage).map((path) => path.replace(/-[A-Z0-9]{8}\./, '-HASH.'));
    expect(names.toSorted()).toEqual(
      [
        'field-schema-HASH.js',
        'file.js',
        'icon.svg',
        'index.html',
        'licenses.txt',
        'page.css',
        'page.js',
      ].map((name) => `dist/page/${name}`),
    );
  });
});

/** Built by tools/build-page.mjs. */
function isOfPage(path: string): boolean {
  return /^dist\/page\/(page\.|file\.js|[^/]+-[A-Z0-9]{8}\.js|[^/]+\.(html|svg|txt)$)/.test(path);
}

/** The modules of src/ that the entries import, directly or not, types included. */
function importedModules(entries: readonly string[]): string[] {
  const found = new Set(entries);
  // Files added during the loop are visited, too.
  for (const file of found) {
    const specifiers = readFileSync(file, 'utf8').matchAll(
      // Threads are started by the URL of their built file.
      /(?:from|import\(|import|new Worker\(new URL\()\s*'(\.[^']+)\.[jt]s'/g,
    );
    for (const [, specifier = ''] of specifiers) found.add(`${resolve(dirname(file), specifier)}.ts`);
  }
  return [...found];
}
