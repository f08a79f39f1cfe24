import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Builds before the tests, into a folder of this run's own: those that start the command line as a process need it,
 * since Node 20 runs no TypeScript.
 */
export default function buildOnce(): () => void {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const dist = `${root}dist-test-${process.pid}`;
  const tsc = ['node_modules/typescript/lib/tsc.js', '-p', 'tsconfig.build.json', '--outDir', dist];
  const { stdout } = spawnSync(process.execPath, tsc, { cwd: root, encoding: 'utf8' });
  // Types are checked elsewhere; here it matters only that there is something to run.
  if (!existsSync(`${dist}/cli/main.js`)) throw new Error(`The build failed:\n${stdout}`);
  process.env.PODGRAFT_DIST = dist;
  return () => rmSync(dist, { recursive: true });
}
