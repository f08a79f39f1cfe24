// Checks the imports of src/ and web/: `node tools/check-imports.mjs [ROOT]`. Type imports count too.
//   - A folder imports only the folders that its row in ARCHITECTURE.md allows.
//   - Built-in injectors import only entry points of the package, the SDK's and those of the libraries, and not each other.
//   - No files import each other in a circle.
//   - The folders that ARCHITECTURE.md calls pure have no I/O, no clock and no randomness.
//   - Only graft/directive.ts knows the keys of directives. (`$patch` and the like in injectors/istio/ are Kubernetes' own.)
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');

/** Folders that each folder may import, besides itself and files directly in src/. */
const allowed = tableOf(architecture);
/** The page runs in a browser: it shares with src/ what has neither Node nor an engine in it. */
const allowedInWeb = ['page/view.ts', 'json/json.ts', 'graft/field-schema.ts', 'line-diff.ts'];
/** Tests may also use what builds on their folder: the laws, the catalogue. */
const allowedInTests = [
  'testing',
  'config',
  'pipeline',
  'files',
  'cluster',
  'injectors',
  'kube',
  'json',
  'graft',
  'sdk',
];
/** The folders of the invariant about purity. */
const pure = namesIn(/^\d+\. (`json`.+?) use no `node:/ms.exec(architecture)?.[1] ?? '');

/** What injectors import: users can import the same. */
const doors = ['sdk', 'gotemplate', 'cel', 'policy'].map((folder) => `${folder}/index.ts`);

const DIRECTIVES = 'graft/directive.ts';
const IMPORT = /(?:from|import\()\s*'([^']+)'/g;
/** The Date of a given time is harmless, but no pure folder needs one: they have calendars of their own. */
const IMPURE = /\bnew Date\b|\bDate\(|\bDate\.now\b|\bperformance\b|\bMath\.random\b|\bcrypto\.|\bprocess\./;
const src = join(root, 'src');
const complaints = [];
const directiveUse = directiveUsePattern();
const graph = new Map();
if (pure.length === 0) complaints.push('ARCHITECTURE.md: no invariant names the pure folders');
for (const folder of Object.keys(allowed)) {
  if (!existsSync(join(src, folder))) complaints.push(`ARCHITECTURE.md: there is no folder "${folder}"`);
}
for (const file of sources(src)) check(file);
const web = join(root, 'web');
for (const file of sources(web)) checkWeb(file);
for (const cycle of cycles(graph)) complaints.push(`circular import: ${cycle.join(' → ')}`);
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exit(1);

/** Rows such as "| `kube/` | purpose | json |". A cell names folders; "json … sdk" stands for these rows and those between. */
function tableOf(markdown) {
  const rows = [...markdown.matchAll(/^\| `([a-z-]+)\/[^`…]*` \|.*\| ([^|]+) \|$/gm)];
  const names = rows.map(([, name]) => name);
  return Object.fromEntries(rows.map(([, name, cell]) => [name, cell.split(', ').flatMap(named)]));

  function named(part) {
    if (part === '–') return [];
    if (part === 'all') return ['*'];
    const [first, last = first] = part.split(' … ').map((name) => names.indexOf(name));
    if (first < 0 || last < first) throw new Error(`ARCHITECTURE.md: "${part}" is not in the table`);
    return names.slice(first, last + 1);
  }
}

function namesIn(text) {
  return [...text.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name);
}

function check(file) {
  const text = readFileSync(file, 'utf8');
  const name = relative(src, file);
  const [folder] = name.split('/');
  const isTest = name.endsWith('.test.ts');
  const isPure = pure.includes(folder) && !isTest;
  const imports = [];
  graph.set(name, imports);
  if (name.includes('/') && allowed[folder] === undefined) {
    complaints.push(`${name}: folder "${folder}" is not in the table of ARCHITECTURE.md`);
  }
  for (const [, specifier] of text.matchAll(IMPORT)) {
    if (specifier.startsWith('node:') && isPure) complaints.push(`${name}: imports "${specifier}"`);
    if (!specifier.startsWith('.')) continue;
    const target = relative(src, resolve(dirname(file), specifier));
    if (target.startsWith('..')) continue;
    imports.push(target);
    if (!isAllowed(name, target, isTest)) complaints.push(`${name}: may not import "${target}"`);
  }
  if (isPure && IMPURE.test(withoutComments(text))) {
    complaints.push(`${name}: uses the clock or randomness`);
  }
  if (!isTest && name !== DIRECTIVES) checkDirectives(name, text);
}

function checkDirectives(name, text) {
  const code = withoutComments(text);
  for (const [use] of code.matchAll(directiveUse)) {
    complaints.push(`${name}: has the key "${use}": use a function of ${DIRECTIVES}`);
  }
  if (!name.startsWith('injectors/istio/') && code.includes("startsWith('$')")) {
    complaints.push(`${name}: has the start of all keys: use isDirective of ${DIRECTIVES}`);
  }
}

function withoutComments(text) {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*/gm, '');
}

/** A key as a property, a destructured name or a whole string, but not in the text of a message or of a generated program. */
function directiveUsePattern() {
  const text = readFileSync(join(src, DIRECTIVES), 'utf8');
  const [, declared] = /const DIRECTIVE = \{([^}]*)\}/.exec(text);
  const key = `\\$(?:${[...declared.matchAll(/'\$(\w+)'/g)].map(([, name]) => name).join('|')})`;
  return new RegExp(`\\.${key}\\b|'${key}'|(?<=[\\s{(,[])${key}(?=\\??\\s*[:,}=)\\]])`, 'g');
}

function checkWeb(file) {
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const target = relative(src, resolve(dirname(file), specifier));
    const isOwn = target.startsWith('../web/') || !specifier.startsWith('.');
    if (!isOwn && !allowedInWeb.includes(target))
      complaints.push(`${relative(dirname(web), file)}: may not import "${target}"`);
  }
}

function isAllowed(name, target, isTest) {
  const [folder] = name.split('/');
  const [targetFolder, ...rest] = target.split('/');
  if (folder === 'injectors' && !isTest) {
    // catalog.ts needs the type of all injectors; authors do not.
    if (name === 'injectors/catalog.ts') return true;
    const isOwn = targetFolder === 'injectors' && rest[0] === name.split('/')[1];
    return isOwn || doors.includes(target);
  }
  if (!name.includes('/') || rest.length === 0 || targetFolder === folder) return true;
  const may = [...(allowed[folder] ?? []), ...(isTest ? allowedInTests : [])];
  return may.includes('*') || may.includes(targetFolder);
}

/** One cycle for each file that closes one, by depth-first search. */
function* cycles(graph) {
  const done = new Set();
  const path = [];
  for (const start of graph.keys()) yield* visit(start);

  function* visit(file) {
    const at = path.indexOf(file);
    if (at >= 0) yield [...path.slice(at), file];
    if (at >= 0 || done.has(file)) return;
    path.push(file);
    for (const next of graph.get(file) ?? []) yield* visit(next);
    path.pop();
    done.add(file);
  }
}

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.tsx?$/.test(entry.name)) yield path;
  }
}
