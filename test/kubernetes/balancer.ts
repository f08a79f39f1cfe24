import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../src/control-plane/free-ports.ts';
import { eventually } from './eventually.ts';

export interface Backend {
  readonly port: number;
  /** Port of its readiness check, plain HTTP. */
  readonly metricsPort: number;
}

export interface Balancer {
  readonly port: number;
  stop(): Promise<void>;
}

/** A TCP load balancer (haproxy) that skips servers while they are not ready. */
export async function startBalancer(backends: readonly Backend[]): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), 'podgraft-balancer-'));
  const [port = 0] = await freePorts(1);
  const servers = backends.map(
    (backend, index) =>
      `  server s${index} 127.0.0.1:${backend.port} check port ${backend.metricsPort} inter 50ms fall 1 rise 1`,
  );
  const config = [
    'defaults',
    '  mode tcp',
    '  timeout connect 2s',
    // A check that is slow because the machine is busy has not failed.
    '  timeout check 5s',
    '  timeout client 1m',
    '  timeout server 1m',
    '  retries 3',
    '  option redispatch 1',
    `listen webhook`,
    `  bind 127.0.0.1:${port}`,
    '  option httpchk GET /readyz',
    ...servers,
    '',
  ];
  await writeFile(join(folder, 'haproxy.cfg'), config.join('\n'));
  const child = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' });
  const failed = once(child, 'error').then(([error]) => {
    throw new Error('Cannot run this test without haproxy: apt-get install haproxy', { cause: error });
  });
  await Promise.race([failed, eventually('the balancer listens', () => reaches(port))]);
  return {
    port,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

async function reaches(port: number): Promise<boolean> {
  const { connect } = await import('node:net');
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
  return true;
}
