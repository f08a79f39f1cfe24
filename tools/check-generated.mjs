// Fails if a generated file is out of date: regenerates all files, then compares them with git.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (command, ...args) =>
  execFileSync(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] }).toString();
const generated = [
  'src/kube/generated',
  'src/graft/generated',
  'src/injectors/istio/generated',
  'docs/config.schema.json',
  'docs/cli.md',
  'docs/lint',
  'docs/metrics.md',
  'deploy/monitoring/dashboard.json',
  'deploy/chart/README.md',
  'docs/compatibility.md',
];

const openapi = process.env.PODGRAFT_OPENAPI ?? `${root}../shared/openapi`;
if (existsSync(openapi)) {
  run(process.execPath, 'tools/kube/generate.mjs', openapi);
} else if (process.env.CI) {
  throw new Error('Cannot find the OpenAPI of Kubernetes: set PODGRAFT_OPENAPI to its folder');
} else {
  console.warn(
    'skipped: src/kube/generated (set PODGRAFT_OPENAPI to the folder with the OpenAPI of Kubernetes)',
  );
}
const istio = goModule('istio.io/api', 'tools/oracles/istio');
if ('folder' in istio) {
  run(process.execPath, 'tools/istio/generate-messages.mjs', istio.folder);
} else if (process.env.CI) {
  throw new Error(`Cannot find the .proto files of Istio: ${istio.problem}`);
} else {
  console.warn(`skipped: src/injectors/istio/generated (no .proto files of Istio: ${istio.problem})`);
}
run('npm', 'run', '--silent', 'generate');
const changed = run('git', 'status', '--porcelain', '--', ...generated);
if (changed !== '') {
  console.error(`Generated files are out of date: run "npm run generate" and commit the result\n${changed}`);
  process.exit(1);
}

/** The folder of a module in the version that the go.mod in a folder states, from Go's module cache or proxy. */
function goModule(path, from) {
  const { stdout, stderr, error } = spawnSync('go', ['mod', 'download', '-json', path], {
    cwd: root + from,
    encoding: 'utf8',
  });
  if (error !== undefined)
    return { problem: error.code === 'ENOENT' ? 'Go is not installed' : error.message };
  const { Dir: folder, Error: problem } = stdout === '' ? {} : JSON.parse(stdout);
  return folder === undefined ? { problem: problem ?? stderr.trim() } : { folder };
}
