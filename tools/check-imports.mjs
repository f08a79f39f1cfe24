// Fails when a folder of src/ imports one that it may not: `node tools/check-imports.mjs`. Type imports count too.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const core = ['json', 'kube', 'graft'];
const upToSdk = [...core, 'sdk'];
const upToPipeline = [...upToSdk, 'pipeline'];

/** What each folder may import, besides itself and `podgraft-error.ts`. The same table as in ARCHITECTURE.md. */
const allowed = {
  json: [],
  kube: ['json'],
  graft: ['json', 'kube'],
  gotemplate: [],
  yaml: ['json'],
  certificates: [],
  sdk: core,
  injectors: [...upToSdk, 'gotemplate'],
  pipeline: upToSdk,
  cluster: ['json', 'kube', 'sdk', 'yaml'],
  config: [...upToPipeline, 'injectors'],
  admission: upToPipeline,
  registration: ['json', 'kube', 'sdk', 'cluster', 'certificates'],
  manifests: [...upToPipeline, 'config', 'injectors'],
  testing: [...upToPipeline, 'cluster', 'yaml'],
  server: [...upToPipeline, 'admission', 'cluster'],
  cli: ['*'],
};
/** Their tests may use what stands on them: the laws, the catalogue. */
const allowedInTests = ['testing', 'config', 'pipeline', 'cluster', 'injectors', 'kube', 'json', 'graft'];
/** Pure folders: no input or output, no clock, no chance. */
const pure = ['json', 'kube', 'graft', 'sdk', 'pipeline', 'injectors', 'gotemplate'];

const src = fileURLToPath(new URL('../src', import.meta.url));
const complaints = [];
for (const file of sources(src)) {
  const text = readFileSync(file, 'utf8');
  const name = relative(src, file);
  const [folder] = name.split('/');
  const isTest = name.endsWith('.test.ts');
  if (!name.includes('/')) continue;
  if (allowed[folder] === undefined) complaints.push(`${name}: folder "${folder}" is not in the table`);
  for (const [, specifier] of text.matchAll(/(?:from|import\()\s*'([^']+)'/g)) {
    if (specifier.startsWith('node:') && pure.includes(folder) && !isTest) {
      complaints.push(`${name}: imports "${specifier}", but "${folder}" is pure`);
    }
    if (!specifier.startsWith('.')) continue;
    const target = relative(src, resolve(dirname(file), specifier)).split('/');
    if (target.length === 1 || target[0] === folder || target[0] === '..') continue;
    const may = [...(allowed[folder] ?? []), ...(isTest ? allowedInTests : [])];
    if (!may.includes('*') && !may.includes(target[0]))
      complaints.push(`${name}: may not import "${target.join('/')}"`);
  }
  if (pure.includes(folder) && !isTest && /\b(Date\.now|new Date\(|Math\.random)\b/.test(text)) {
    complaints.push(`${name}: uses the clock or chance, but "${folder}" is pure`);
  }
}
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exit(1);

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (entry.name.endsWith('.ts')) yield path;
  }
}
