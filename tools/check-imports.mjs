// Checks the imports of src/ and web/: `node tools/check-imports.mjs`. Type imports count too.
//   - A folder imports only the folders that its row allows.
//   - Built-in injectors import only the SDK's entry point and the languages (gotemplate/, cel/, policy/), so that authors of modules can do the same.
//   - No imports are circular.
//   - Pure folders have no I/O, no clock and no randomness.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const core = ['json', 'kube', 'graft'];
const upToSdk = [...core, 'sdk'];
const upToPipeline = [...upToSdk, 'pipeline'];

/** Folders that each folder may import, besides itself and files directly in src/. ARCHITECTURE.md has the same table. */
const allowed = {
  json: [],
  kube: ['json'],
  graft: ['json', 'kube'],
  golang: [],
  gotemplate: ['golang'],
  cel: ['golang'],
  yaml: ['json'],
  certificates: [],
  sdk: core,
  injectors: ['sdk', 'gotemplate', 'cel', 'policy'],
  pipeline: upToSdk,
  files: ['json', 'kube', 'sdk', 'yaml'],
  cluster: ['json', 'kube', 'sdk'],
  config: [...upToPipeline, 'injectors', 'cel', 'policy'],
  admission: upToPipeline,
  policy: ['json', 'kube', 'cel'],
  chain: ['json', 'kube', 'cel', 'policy'],
  audit: [...upToPipeline, 'admission', 'cluster'],
  registration: ['json', 'kube', 'sdk', 'cluster', 'certificates'],
  manifests: [...upToPipeline, 'gotemplate', 'cel'],
  // The injectors can best judge the resources that they run.
  lint: ['json', 'kube', 'yaml', 'certificates', 'cel', 'policy', 'injectors'],
  loops: ['json', 'kube'],
  verify: ['json', 'kube', 'policy', 'chain'],
  page: [...upToPipeline, 'yaml', 'policy', 'chain'],
  playground: [
    ...upToPipeline,
    'yaml',
    'files',
    'cluster',
    'config',
    'policy',
    'chain',
    'admission',
    'manifests',
    'lint',
    'page',
  ],
  'control-plane': ['certificates'],
  testing: [...upToPipeline, 'files', 'cluster', 'yaml'],
  server: [...upToPipeline, 'admission', 'files', 'cluster', 'page'],
  cli: ['*'],
};
/** The page runs in a browser: it shares only modules of src/ without Node and without the engine. */
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
const pure = [
  'json',
  'kube',
  'graft',
  'policy',
  'sdk',
  'pipeline',
  'injectors',
  'golang',
  'gotemplate',
  'cel',
];

const IMPORT = /(?:from|import\()\s*'([^']+)'/g;
const src = fileURLToPath(new URL('../src', import.meta.url));
const complaints = [];
const graph = new Map();
for (const file of sources(src)) check(file);
const web = fileURLToPath(new URL('../web', import.meta.url));
for (const file of sources(web)) checkWeb(file);
for (const cycle of cycles(graph)) complaints.push(`circular import: ${cycle.join(' → ')}`);
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exit(1);

function check(file) {
  const text = readFileSync(file, 'utf8');
  const name = relative(src, file);
  const [folder] = name.split('/');
  const isTest = name.endsWith('.test.ts');
  const isPure = pure.includes(folder) && !isTest;
  const imports = [];
  graph.set(name, imports);
  if (name.includes('/') && allowed[folder] === undefined) {
    complaints.push(`${name}: folder "${folder}" is not in the table`);
  }
  for (const [, specifier] of text.matchAll(IMPORT)) {
    if (specifier.startsWith('node:') && isPure) complaints.push(`${name}: imports "${specifier}"`);
    if (!specifier.startsWith('.')) continue;
    const target = relative(src, resolve(dirname(file), specifier));
    if (target.startsWith('..')) continue;
    imports.push(target);
    if (!isAllowed(name, target, isTest)) complaints.push(`${name}: may not import "${target}"`);
  }
  if (isPure && /\b(Date\.now|new Date\(|Math\.random)\b/.test(text)) {
    complaints.push(`${name}: uses the clock or randomness`);
  }
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
    return ['injectors', 'gotemplate', 'cel', 'policy'].includes(targetFolder) || target === 'sdk/index.ts';
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
