// Podgraft compared with the systems that it replaces: `npm run bench:peers`. Writes bench/PEERS.md. Each server has one core, the load
// generator another; a peer and Podgraft take turns with the same reviews.
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { steadyLoad } from './latency.mjs';
import { load, requireLoadGenerator } from './load.mjs';
import { answerOf } from './peers/answer-of.mjs';
import { writeReport } from './peers/report.mjs';
import { startRow } from './peers/rows.mjs';
import { reviewsOf } from './pods.mjs';
import { makeTlsFolder } from './servers.mjs';

const TURNS = Number(process.env.BENCH_TURNS ?? 5);
const TURN_SECONDS = 2;
const WARM_UP_SECONDS = 6;
const LATENCY_TURNS = 3;

const ROWS = [
  { name: 'opentelemetry', peer: 'OpenTelemetry operator', work: 'java and nodejs in two containers' },
  { name: 'istio', peer: 'istiod', work: "Istio's default sidecar", workload: 'storefront' },
  { name: 'gatekeeper-10', peer: 'Gatekeeper', work: '10 mutators', review: '../one-injector/review.json' },
  { name: 'one-injector', peer: 'Pepr', work: 'one annotation' },
  { name: 'one-injector', peer: 'a bare Go server', work: 'one annotation; the peer: none' },
  { name: 'one-injector', peer: 'a bare Node server', work: 'one annotation; the peer: none' },
  { name: 'five-injectors', peer: 'a bare Go server', work: 'five injectors; the peer: none' },
];

requireLoadGenerator();
const only = process.argv.slice(2);
const tls = await makeTlsFolder(tmpdir());
const started = Date.now();
const results = [];
try {
  for (const row of ROWS) {
    if (only.length > 0 && !only.some((word) => row.peer.includes(word))) continue;
    const folder = fileURLToPath(new URL(`rows/${row.name}`, import.meta.url));
    const result = await compare({ ...row, folder });
    console.log(JSON.stringify(result));
    results.push(result);
  }
} finally {
  tls.remove();
}
if (only.length === 0) writeReport(results, Math.round((Date.now() - started) / 1000));

async function compare(row) {
  const bodies = reviewsOf(row);
  const servers = await startRow(row, tls);
  const [peer, own] = servers;
  try {
    const patches = [];
    for (const server of servers) patches.push(await answerOf(server, bodies[0]));
    for (const server of servers) await load(server.port, bodies, WARM_UP_SECONDS, server.path);
    const turns = [[], []];
    for (let turn = 0; turn < TURNS; turn++) {
      for (const [index, server] of servers.entries()) {
        const before = server.cpuMicroseconds();
        const result = await load(server.port, bodies, TURN_SECONDS, server.path);
        turns[index].push({ ...result, cpu: (server.cpuMicroseconds() - before) / result.requests });
      }
    }
    const ratio = median(turns[0].map(({ rate }, turn) => rate / turns[1][turn].rate));
    const of = (index, field) => median(turns[index].map((turn) => turn[field]));
    const rate = Math.round(Math.min(of(0, 'rate'), of(1, 'rate')) / 2);
    const latency = await latencies(servers, rate, bodies);
    const summary = (index) => ({
      rate: of(index, 'rate'),
      cpu: of(index, 'cpu'),
      rss: servers[index].residentMiB(),
      operations: patches[index],
      ...latency[index],
    });
    const { name, peer: title, work } = row;
    return { name, title, work, ratio, atRate: rate, peer: summary(0), own: summary(1) };
  } finally {
    for (const server of [peer, own]) await server.stop();
  }
}

/** At half of the rate that saturates the slower one. */
async function latencies(servers, rate, bodies) {
  const file = join(tmpdir(), `podgraft-peers-${process.pid}.json`);
  writeFileSync(file, JSON.stringify(bodies));
  try {
    const found = await steadyLoad(servers, { rate, turns: LATENCY_TURNS, seconds: TURN_SECONDS, file });
    return found.map((turns) => ({
      p50: median(turns.map(({ p50 }) => p50)),
      p99: median(turns.map(({ p99 }) => p99)),
    }));
  } finally {
    rmSync(file);
  }
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}
