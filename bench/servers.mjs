import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { issueServing, makeCa } from '../dist/certificates/issue-certificate.js';

const SERVER_CORE = '0';
const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

export async function makeTlsFolder(parent) {
  const path = mkdtempSync(join(parent, 'podgraft-bench-'));
  const now = new Date();
  const ca = makeCa({ commonName: 'bench', days: 1, now });
  const pair = issueServing({ ca, dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'], days: 1, now });
  writeFileSync(join(path, 'tls.crt'), pair.certificate);
  writeFileSync(join(path, 'tls.key'), pair.key);
  return { path, remove: () => rmSync(path, { recursive: true }) };
}

export function startCeiling(tls) {
  const script = fileURLToPath(new URL('ceiling.mjs', import.meta.url));
  return startServer(process.execPath, [script, tls.path], Number);
}

export function startPodgraft(row, tls) {
  const cluster = existsSync(join(row.folder, 'cluster')) ? ['--cluster', join(row.folder, 'cluster')] : [];
  if (row.clusterScript) {
    const file = join(tls.path, `${row.name}.yaml`);
    const script = join(row.folder, row.clusterScript);
    writeFileSync(
      file,
      execFileSync(process.execPath, [script, ...(row.clusterArguments ?? [])], { maxBuffer: 1 << 30 }),
    );
    cluster.push('--cluster', file);
  }
  const args = serveArguments(join(row.folder, 'podgraft.yaml'), tls);
  return startServer(process.execPath, [...args, ...cluster], (line) => JSON.parse(line).port);
}

export function serveArguments(config, tls) {
  const ports = ['--port', '0', '--metrics-port', '0'];
  return [MAIN, 'serve', '--config', config, ...ports, '--tls-dir', tls.path];
}

/** Starts a server on its core. The server prints a line with its port when it listens. */
export async function startServer(command, args, portOf, env = {}) {
  const child = spawn('taskset', ['-c', SERVER_CORE, command, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  const { pid } = child;
  return {
    port: portOf(line),
    cpuMicroseconds: () => ticks(pid) * 10_000,
    residentMiB: () =>
      Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024),
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** utime and stime of /proc/PID/stat, in hundredths of a second. */
function ticks(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
