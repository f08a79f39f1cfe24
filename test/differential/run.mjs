// `npm run test:differential [-- --runs N]`, and the same for Istio. All other arguments go to vitest.
import { spawnSync } from 'node:child_process';

const args = process.argv.slice(2);
const at = args.indexOf('--runs');
const [, runs] = at < 0 ? [] : args.splice(at, 2);
const { status } = spawnSync('npx', ['vitest', 'run', ...args], {
  stdio: 'inherit',
  env: { ...process.env, ...(runs && { RUNS: runs }) },
});
process.exitCode = status ?? 1;
