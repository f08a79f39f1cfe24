import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GUARD_PROGRAM } from './guard.ts';

/** A temporary folder for programs, and a guard process that cleans up after them. */
export interface GuardedFolder {
  readonly path: string;
  started(pid: number): void;
  ended(pid: number): void;
  /** Kills the running programs and removes the folder. */
  remove(): Promise<void>;
}

export function openGuardedFolder(): GuardedFolder {
  const path = mkdtempSync(join(tmpdir(), 'podgraft-kubernetes-'));
  // Detached, because Ctrl-C goes to the whole process group and the guard must survive it.
  const guard = spawn(process.execPath, ['--input-type=module', '--eval', GUARD_PROGRAM], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  const ended = once(guard, 'exit');
  // Programs that exit while the folder is being removed need not be reported.
  const tell = (line: string) => guard.stdin.writable && guard.stdin.write(`${line}\n`);
  tell(`folder ${path}`);
  return {
    path,
    started: (pid) => tell(`started ${pid}`),
    ended: (pid) => tell(`ended ${pid}`),
    async remove() {
      guard.ref();
      guard.stdin.end();
      await ended;
    },
  };
}
