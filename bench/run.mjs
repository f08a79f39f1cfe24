// One table from one run: `npm run bench [row...]`. Each server has one core, the load generator (wrk) another.
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chainTable } from './chain.mjs';
import { engineTable } from './engine.mjs';
import { expressionsTable } from './expressions.mjs';
import { latencyTable } from './latency.mjs';
import { load, requireLoadGenerator } from './load.mjs';
import { loopsTable } from './loops.mjs';
import { newWorkloadsTable } from './new-workloads.mjs';
import { reviewsOf } from './pods.mjs';
import { makeTlsFolder, startCeiling, startPodgraft } from './servers.mjs';
import { startTable } from './start-time.mjs';
import { printTable } from './table.mjs';

/** Short alternating turns, so that a machine whose speed varies affects both servers alike. */
const TURNS = Number(process.env.BENCH_TURNS ?? 9);
const TURN_SECONDS = 2;
// Some functions are recompiled after ten seconds.
const WARM_UP_SECONDS = 12;
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
    const bodies = reviewsOf(row);
    const [ceiling, own] = await measure(
      await startCeiling(tls),
      await startPodgraft(row, tls),
      bodies,
      row.memory,
    );
    const ratio = median(own.turns.map(({ rate }, turn) => rate / ceiling.turns[turn].rate));
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
    failures.push(...(await startTable(tls, join(rowsFolder, 'one-injector', 'podgraft.yaml'))));
    for (const name of ['one-injector', 'five-injectors']) failures.push(...(await measureLatency(name)));
    failures.push(...(await engineTable()), ...newWorkloadsTable());
    failures.push(...(await loopsTable()), ...(await chainTable()), ...expressionsTable());
  }
} finally {
  tls.remove();
}
for (const failure of failures) console.error(`missed: ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;

async function measureLatency(rowName) {
  const row = rows.find(({ name }) => name === rowName);
  const servers = [await startCeiling(tls), await startPodgraft(row, tls)];
  const [ceiling, own] = servers;
  try {
    return await latencyTable({
      rowName,
      ceiling,
      own,
      bodies: reviewsOf(row),
      turns: TURNS,
      turnSeconds: TURN_SECONDS,
      warmUpSeconds: WARM_UP_SECONDS,
    });
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** With `memory`, continues until memory growth would show. */
async function measure(ceiling, own, bodies, memory = false) {
  const servers = [ceiling, own];
  const turns = [[], []];
  try {
    for (const server of servers) await load(server.port, bodies, WARM_UP_SECONDS);
    for (let turn = 0; turn < TURNS; turn++) {
      for (const [index, server] of servers.entries()) {
        const before = server.cpuMicroseconds();
        const result = await load(server.port, bodies, TURN_SECONDS);
        turns[index].push({ ...result, cpu: (server.cpuMicroseconds() - before) / result.requests });
      }
    }
    const results = [];
    for (const [index, server] of servers.entries()) {
      let reviews = turns[index].reduce((sum, { requests }) => sum + requests, 0);
      const halfWay = server.residentMiB();
      while (memory && reviews < MEMORY_REVIEWS) reviews += (await load(server.port, bodies, 5)).requests;
      results.push({ ...summary(turns[index]), turns: turns[index], halfWay, rss: server.residentMiB() });
    }
    return results;
  } finally {
    for (const server of servers) await server.stop();
  }
}

function summary(turns) {
  const of = (field) => median(turns.map((turn) => turn[field]));
  return { rate: of('rate'), p50: of('p50'), p99: of('p99'), cpu: of('cpu') };
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

function checkMemory(own, ceiling) {
  if (own.rss > 1.2 * ceiling.rss) {
    failures.push(
      `RSS ${own.rss} MiB after ${MEMORY_REVIEWS} reviews, more than 1.2 × the ceiling's ${ceiling.rss}`,
    );
  }
  if (own.rss > 1.15 * own.halfWay) failures.push(`RSS grows: ${own.halfWay} MiB, then ${own.rss}`);
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
