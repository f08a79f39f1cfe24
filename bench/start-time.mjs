import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { serveArguments } from './servers.mjs';

const RUNS = 7;

/** How long the server and the playground take until they are ready, as multiples of a bare start of Node. */
export async function startTable(tls, config) {
  const rows = [
    { title: 'start to ready', atMost: 6, start: () => serverStart(tls, config) },
    { title: 'playground start to ready', atMost: 8, start: playgroundStart },
  ];
  const failures = [];
  for (const { title, atMost, start } of rows) {
    const { bare, own, ratio } = await startRatio(start);
    console.log(
      `\n${title}: ${own} ms, node -e 0: ${bare} ms, ratio ${ratio.toFixed(1)} (at most ${atMost})`,
    );
    if (ratio > atMost)
      failures.push(`${title} is ${ratio.toFixed(1)} times a bare start, expected at most ${atMost}`);
  }
  return failures;
}

/** In turns, so that a machine whose speed varies affects both alike. */
async function startRatio(start) {
  const bare = [];
  const own = [];
  for (let run = 0; run < RUNS; run++) {
    bare.push(bareStart());
    own.push(await start());
  }
  const ratio = median(own) / median(bare);
  return { bare: Math.round(median(bare)), own: Math.round(median(own)), ratio };
}

function bareStart() {
  const start = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - start;
}

/** The first log line says that it listens; with files for a cluster, it is then ready. */
function serverStart(tls, config) {
  return timed(serveArguments(config, tls), () => {});
}

/** Its first line has its address; it is ready when it answers. */
function playgroundStart() {
  const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
  return timed([main, 'playground', '--port', '0'], async (line) => {
    const [url] = /http:\S+/.exec(line);
    await (await fetch(`${url}api/state`)).json();
  });
}

async function timed(args, isReady) {
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  await isReady(String(line));
  const elapsed = performance.now() - start;
  child.kill('SIGKILL');
  await once(child, 'exit');
  return elapsed;
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}
