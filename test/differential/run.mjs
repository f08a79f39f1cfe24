// `npm run test:differential [-- --runs N] [files]`, and the same for Istio. The rest goes to vitest.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string' }, config: { type: 'string', default: 'vitest.config.ts' } },
  allowPositionals: true,
});
const config = fileURLToPath(new URL(values.config, import.meta.url));
const { status } = spawnSync('npx', ['vitest', 'run', '--config', config, ...positionals], {
  stdio: 'inherit',
  env: { ...process.env, ...(values.runs && { RUNS: values.runs }) },
});
process.exitCode = status ?? 1;
