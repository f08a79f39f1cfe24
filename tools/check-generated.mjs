// Fails when a generated file is not what its generator writes: regenerates all, then asks git.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (command, ...args) =>
  execFileSync(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] }).toString();
const generated = ['src/kube/generated', 'docs/config.schema.json', 'docs/cli.md'];

const openapi = process.env.PODGRAFT_OPENAPI ?? `${root}../shared/openapi`;
if (existsSync(openapi)) {
  run(process.execPath, 'tools/kube/generate.mjs', openapi);
} else if (process.env.CI) {
  throw new Error('No OpenAPI of Kubernetes: set PODGRAFT_OPENAPI to its folder');
} else {
  console.warn(
    'skipped: src/kube/generated (set PODGRAFT_OPENAPI to a folder with the OpenAPI of Kubernetes)',
  );
}
run('npm', 'run', '--silent', 'generate');
const changed = run('git', 'status', '--porcelain', '--', ...generated);
if (changed !== '') {
  console.error(`Not as generated (commit what npm run generate writes):\n${changed}`);
  process.exit(1);
}
