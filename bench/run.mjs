// One table from one run: `npm run bench [row...]`. Each server has one core, the load generator (wrk) another.
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { engineTable } from './engine.mjs';
import { load, requireLoadGenerator } from './load.mjs';
import { makeTlsFolder, startCeiling, startPodgraft } from './servers.mjs';
import { startRatio } from './start-time.mjs';
import { printTable } from './table.mjs';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
// Until the compiler has seen enough.
const WARM_UP = 6;
const MEMORY_REVIEWS = 200_000;
const only = process.argv.slice(2);
const rowsFolder = fileURLToPath(new URL('rows', import.meta.url));
const rows = readdirSync(rowsFolder)
  .filter((name) => only.length === 0 || only.includes(name))
  .map((name) => ({ name, folder: join(rowsFolder, name), ...readJson(join(rowsFolder, name, 'row.json')) }));

requireLoadGenerator();
const tls = await makeTlsFolder(tmpdir());
const failures = [];
const lines = [];
try {
  for (const row of rows) {
    const body = join(row.folder, 'review.json');
    // The ceiling is measured anew beside each row: its review may be larger, and the machine may have changed its mind.
    const ceiling = await measure(await startCeiling(tls), body, row.memory);
    const own = await measure(await startPodgraft(row, tls), body, row.memory);
    const ratio = own.rate / ceiling.rate;
    lines.push(
      { title: `ceiling for ${row.name}`, ...ceiling, ratio: 1 },
      { ...own, title: row.title, ratio },
    );
    if (ratio < row.atLeast)
      failures.push(`${row.title}: ratio ${ratio.toFixed(2)}, expected at least ${row.atLeast}`);
    if (row.memory) checkMemory(own, ceiling);
  }
  printTable(lines);
  if (only.length === 0) {
    const start = await startRatio(tls, join(rowsFolder, 'one-injector', 'podgraft.yaml'));
    console.log(
      `\nstart to ready: ${start.own} ms, node -e 0: ${start.bare} ms, ratio ${start.ratio.toFixed(1)} (at most 6)`,
    );
    if (start.ratio > 6) failures.push(`start to ready is ${start.ratio.toFixed(1)} times a bare start`);
    failures.push(...(await engineTable()));
  }
} finally {
  tls.remove();
}
for (const failure of failures) console.error(`not reached: ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** With `memory`, goes on until the server has seen enough to tell whether it grows. */
async function measure(server, body, memory = false) {
  try {
    await load(server.port, body, WARM_UP);
    const cpuBefore = server.cpuMicroseconds();
    const result = await load(server.port, body, SECONDS);
    const cpu = (server.cpuMicroseconds() - cpuBefore) / result.requests;
    let reviews = result.requests;
    let halfWay = server.residentMiB();
    while (memory && reviews < MEMORY_REVIEWS) {
      reviews += (await load(server.port, body, SECONDS)).requests;
      if (reviews < MEMORY_REVIEWS) halfWay = server.residentMiB();
    }
    return {
      rate: result.rate,
      p50: result.p50,
      p99: result.p99,
      cpu,
      rss: server.residentMiB(),
      halfWay,
      errors: result.errors,
    };
  } finally {
    await server.stop();
  }
}

function checkMemory(own, ceiling) {
  if (own.rss > 1.5 * ceiling.rss) {
    failures.push(
      `RSS ${own.rss} MiB after ${MEMORY_REVIEWS} reviews, more than 1.5 × the ceiling's ${ceiling.rss}`,
    );
  }
  if (own.rss > 1.15 * own.halfWay) failures.push(`RSS grows: ${own.halfWay} MiB, then ${own.rss}`);
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
