import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Built by `build-once.ts`. */
export const MAIN = `${process.env.PODGRAFT_DIST ?? fileURLToPath(new URL('../dist', import.meta.url))}/cli/main.js`;

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line to its end. */
export async function podgraft(
  args: readonly string[],
  { input = '', cwd = process.cwd() } = {},
): Promise<Finished> {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, stdio: 'pipe' });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: stdout(), stderr: stderr() };
}

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly port: number;
  readonly metricsPort: number;
  readonly output: () => string;
  /** Sends a signal and waits for the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts `podgraft serve` as a process; resolves when it listens. If detached, it and its workers form a process group
 * to which signals can be sent as a terminal does.
 */
export async function startProcess(
  args: readonly string[],
  { detached = false, env = {} as NodeJS.ProcessEnv } = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [MAIN, 'serve', '--port', '0', '--metrics-port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
    env: { ...process.env, ...env },
  });
  const output = collect(child.stdout);
  const errors = collect(child.stderr);
  const listening = new Promise<{ port: number; metricsPort: number }>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      if (line.includes('"msg":"listening"') || line.includes('"msg":"starting workers"'))
        resolve(JSON.parse(line));
    });
    child.once('exit', (code) => reject(new Error(`podgraft serve ended with ${code}: ${errors()}`)));
  });
  const { port, metricsPort } = await listening;
  return {
    child,
    port,
    metricsPort,
    output,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      child.kill(signal);
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
  };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.on('data', (chunk) => {
    text += String(chunk);
  });
  return () => text;
}
