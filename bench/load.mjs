import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const LOAD_CORE = '1';
const CONNECTIONS = '16';

export function requireLoadGenerator() {
  try {
    execFileSync('wrk', ['-v'], { stdio: 'ignore' });
  } catch (error) {
    // wrk prints its version and exits with 1.
    if (error.code !== 'ENOENT') return;
    console.error('npm run bench needs wrk: apt-get install wrk');
    process.exit(1);
  }
}

export const PATH = '/mutate?timeout=10s';

/** Posts the bodies in turn, again and again, for some seconds. */
export async function load(port, bodies, seconds, path = PATH) {
  const folder = mkdtempSync(join(tmpdir(), 'podgraft-load-'));
  try {
    const script = join(folder, 'post.lua');
    writeFileSync(script, lua(bodies));
    const { stdout } = await promisify(execFile)('taskset', [
      '-c',
      LOAD_CORE,
      'wrk',
      '-t1',
      `-c${CONNECTIONS}`,
      `-d${seconds}s`,
      '-s',
      script,
      `https://127.0.0.1:${port}${path}`,
    ]);
    const result = JSON.parse(stdout.slice(stdout.indexOf('RESULT ') + 7).split('\n')[0]);
    if (result.errors > 0) throw new Error(`${result.errors} of ${result.requests} requests failed`);
    return result;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function lua(bodies) {
  // Level 5 long brackets: JSON cannot hold "]=====]".
  return `
local bodies = {${bodies.map((body) => `[=====[${body}]=====]`)}}
local requests, next = {}, 0
init = function()
  for i, body in ipairs(bodies) do
    requests[i] = wrk.format("POST", nil, { ["Content-Type"] = "application/json" }, body)
  end
end
request = function()
  next = next % #requests + 1
  return requests[next]
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('RESULT {"requests":%d,"rate":%.1f,"p50":%.3f,"p99":%.3f,"errors":%d}\\n',
    summary.requests, summary.requests / (summary.duration / 1e6), latency:percentile(50) / 1000,
    latency:percentile(99) / 1000, e.connect + e.read + e.write + e.status + e.timeout))
end
`;
}
