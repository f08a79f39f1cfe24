import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const TOOL = fileURLToPath(new URL('check-imports.mjs', import.meta.url));
const ARCHITECTURE = `
| \`json/\` | values | – |
| \`graft/\` | the heart | json |
| \`cel/\` | expressions | – |
| \`sdk/\` | what an injector imports | graft |
| \`injectors/<name>/\` | one each | sdk, cel |

1. \`json\`, \`graft\`, \`injectors\` and \`cel\` use no \`node:*\`, no clock, no randomness.
`;
const TREE = {
  'ARCHITECTURE.md': ARCHITECTURE,
  'src/graft/directive.ts': "export const DIRECTIVE = { force: '$force' };",
  'src/json/json.ts': '',
  'src/graft/merge.ts': '// A comment may mention Date.now() and performance.',
  'src/cel/index.ts': "export { compile } from './compile.ts';",
  'src/cel/compile.ts': 'export const compile = 1;',
  'src/sdk/index.ts': "export { DIRECTIVE } from '../graft/directive.ts';",
  'src/injectors/a/a.ts': "import { compile } from '../../cel/index.ts';\nimport { b } from './b.ts';",
  'src/injectors/a/b.ts': "import { DIRECTIVE } from '../../sdk/index.ts';",
  'web/main.ts': '',
};
let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'podgraft-imports-'));
});

afterEach(() => rmSync(root, { recursive: true }));

function complaintsAbout(changed: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries({ ...TREE, ...changed })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { status, stderr } = spawnSync(process.execPath, [TOOL, root], { encoding: 'utf8' });
  expect(status).toBe(stderr === '' ? 0 : 1);
  return stderr.trimEnd();
}

it('accepts what the table allows', () => {
  expect(complaintsAbout({})).toBe('');
});

it.each([
  'new Date()',
  'new Date',
  'new Date(time)',
  'Date()',
  'Date.now()',
  'performance.now()',
  'Math.random()',
  'crypto.randomUUID()',
  'process.hrtime()',
])('finds %s in a pure folder', (use) => {
  const complaint = 'graft/merge.ts: uses the clock or randomness';
  expect(complaintsAbout({ 'src/graft/merge.ts': `export const at = ${use};` })).toBe(complaint);
});

it.each(['Date.UTC(2000)', 'toDate(time)', 'updateDate(time)'])('allows %s there', (use) => {
  expect(complaintsAbout({ 'src/graft/merge.ts': `export const at = ${use};` })).toBe('');
});

it.each([
  ['a file of a library', '../../cel/compile.ts', 'cel/compile.ts'],
  ["a file of the SDK's folders", '../../graft/directive.ts', 'graft/directive.ts'],
  ['a file of another injector', '../b/b.ts', 'injectors/b/b.ts'],
])('rejects that a built-in injector imports %s', (_title, specifier, target) => {
  const complaint = `injectors/a/a.ts: may not import "${target}"`;
  expect(complaintsAbout({ 'src/injectors/a/a.ts': `import {} from '${specifier}';` })).toBe(complaint);
});

it('finds circular imports', () => {
  const circle = {
    'src/graft/a.ts': "import {} from './b.ts';",
    'src/graft/b.ts': "import {} from './a.ts';",
  };
  expect(complaintsAbout(circle)).toBe('circular import: graft/a.ts → graft/b.ts → graft/a.ts');
});
