import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Builds into a folder for this run, because tests start the command line as a process and Node 20 does not run TypeScript. */
export default function buildOnce(): () => void {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const dist = `${root}dist-test-${process.pid}`;
  const tsc = ['node_modules/typescript/lib/tsc.js', '-p', 'tsconfig.build.json', '--outDir', dist];
  const { stdout } = spawnSync(process.execPath, tsc, { cwd: root, encoding: 'utf8' });
  // Type errors are reported by `npm run check:types`; the build emits files regardless.
  if (!existsSync(`${dist}/cli/main.js`)) throw new Error(`The build failed:\n${stdout}`);
  execFileSync(process.execPath, ['tools/build-page.mjs', dist], { cwd: root });
  process.env.PODGRAFT_DIST = dist;
  return () => rmSync(dist, { recursive: true });
}
