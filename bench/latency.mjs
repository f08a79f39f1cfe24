import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LOAD_CORE, load, PATH } from './load.mjs';

const SCRIPT = fileURLToPath(new URL('steady-load.mjs', import.meta.url));
const AT_MOST = 1.5;

/** Latency at half of the rate that saturates Podgraft, against the ceiling's at the same rate. Returns missed targets. */
export async function latencyTable({ rowName, ceiling, own, bodies, turns, turnSeconds, warmUpSeconds }) {
  const file = join(tmpdir(), `podgraft-bodies-${process.pid}.json`);
  writeFileSync(file, JSON.stringify(bodies));
  try {
    for (const server of [ceiling, own]) await load(server.port, bodies, warmUpSeconds);
    const saturated = await load(own.port, bodies, turnSeconds * 2);
    const rate = Math.round(saturated.rate / 2);
    const found = await steadyLoad([ceiling, own], { rate, turns, seconds: turnSeconds, file });
    const results = found[0].map((bare, turn) => ({ bare, own: found[1][turn] }));
    const median = (of) => results.map(of).sort((one, other) => one - other)[Math.floor(turns / 2)];
    const ratio = median(({ bare, own }) => own.p99 / bare.p99);
    console.log(`\nlatency of ${rowName} at ${rate} requests/s, half of saturation, in ms`);
    console.log(
      `ceiling   p50 ${median((r) => r.bare.p50).toFixed(2)}  p99 ${median((r) => r.bare.p99).toFixed(2)}`,
    );
    console.log(
      `podgraft  p50 ${median((r) => r.own.p50).toFixed(2)}  p99 ${median((r) => r.own.p99).toFixed(2)}`,
    );
    console.log(`p99 ratio ${ratio.toFixed(2)} (at most ${AT_MOST})`);
    return ratio > AT_MOST
      ? [`p99 of ${rowName} at half of saturation is ${ratio.toFixed(2)} times the ceiling's`]
      : [];
  } finally {
    rmSync(file);
  }
}

/** For each server and turn, the median and the 99th percentile of latencies at a fixed rate, in ms. */
export async function steadyLoad(servers, { rate, turns, seconds, file }) {
  const urls = servers.map(({ port, path = PATH }) => `https://127.0.0.1:${port}${path}`);
  const args = ['-c', LOAD_CORE, process.execPath, SCRIPT, file, rate, seconds, turns, ...urls].map(String);
  const { stdout } = await promisify(execFile)('taskset', args);
  return JSON.parse(stdout);
}
