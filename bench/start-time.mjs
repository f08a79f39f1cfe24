import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { serveArguments } from './servers.mjs';

const RUNS = 7;

/** How long the server takes until it is ready, as a multiple of a bare start of Node. */
export async function startRatio(tls, config) {
  const bare = median(Array.from({ length: RUNS }, bareStart));
  const own = [];
  for (let run = 0; run < RUNS; run++) own.push(await ownStart(tls, config));
  const ready = median(own);
  return { bare: Math.round(bare), own: Math.round(ready), ratio: ready / bare };
}

function bareStart() {
  const start = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - start;
}

/** The first line of log says that it listens; with files for a cluster it is ready then. */
async function ownStart(tls, config) {
  const start = performance.now();
  const args = serveArguments(config, tls);
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const elapsed = performance.now() - start;
  child.kill('SIGKILL');
  await once(child, 'exit');
  return elapsed;
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}
