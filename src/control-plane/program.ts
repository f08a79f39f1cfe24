import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardedFolder } from './guarded-folder.ts';

export interface RunningProgram {
  readonly pid: number;
  isRunning(): boolean;
  /** Sends a signal and waits until the program exits. On SIGTERM, kube-apiserver waits for open watches, so it is killed after 2 s. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a long-running program and waits until `isReady`. If it exits before, the error contains the end of its log. */
export async function startProgram(
  folder: GuardedFolder,
  path: string,
  args: readonly string[],
  isReady: () => Promise<boolean>,
): Promise<RunningProgram> {
  const name = basename(path);
  const logFile = join(folder.path, `${name}.log`);
  const log = openSync(logFile, 'a');
  // Without the caller's environment, such as KUBECONFIG, proxies and home folder.
  const env = { PATH: process.env.PATH, HOME: folder.path };
  // Detached, because Ctrl-C must stop the programs in order, through this process.
  const child = spawn(path, args, { detached: true, env, stdio: ['ignore', log, log] });
  closeSync(log);
  await once(child, 'spawn');
  const pid = child.pid as number;
  folder.started(pid);
  child.unref();

  const exited = once(child, 'exit').then(() => folder.ended(pid));
  const isRunning = () => child.exitCode === null && child.signalCode === null;

  async function stop(signal: NodeJS.Signals = 'SIGTERM') {
    if (!isRunning()) return;
    child.ref();
    child.kill(signal);
    const killer = setTimeout(() => child.kill('SIGKILL'), 2_000);
    await exited;
    clearTimeout(killer);
  }

  const fail = async (reason: string, cause?: unknown): Promise<never> => {
    const tail = endOf(logFile);
    await stop('SIGKILL');
    throw new Error(`Cannot start ${name}: ${reason}\n${tail}`, { cause });
  };
  const deadline = performance.now() + READY_MS;
  for (let lastError: unknown; ; await sleep(50)) {
    if (!isRunning()) return fail('it ended');
    if (performance.now() > deadline) return fail(`not ready within ${READY_MS} ms`, lastError);
    try {
      // Another process on its port may never answer.
      if (await Promise.race([isReady(), exited.then(() => false), sleep(2_000, false, { ref: false })]))
        break;
    } catch (error) {
      lastError = error;
    }
  }
  return { pid, isRunning, stop };
}

const READY_MS = 60_000;

function endOf(logFile: string): string {
  return readFileSync(logFile, 'utf8').split('\n').slice(-15).join('\n');
}
