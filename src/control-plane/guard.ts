/**
 * Cleans up after the process that started it, which writes lines to its standard input: "folder PATH" once, "started PID" and
 * "ended PID" for each program. The input closes when that process exits for any reason, including SIGKILL. It then kills the
 * remaining programs, in reverse order, and removes the folder.
 *
 * Its source text runs as a separate process, so it can use only its parameters.
 */
export async function guard(
  { rmSync }: typeof import('node:fs'),
  { createInterface }: typeof import('node:readline'),
  { setTimeout: sleep }: typeof import('node:timers/promises'),
): Promise<void> {
  const pids: number[] = [];
  let folder: string | undefined;
  const signal = (pid: number, name: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(pid, name);
    } catch {
      return false;
    }
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const [word, value] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)];
    if (word === 'folder') folder = value;
    if (word === 'started') pids.unshift(Number(value));
    if (word === 'ended') pids.splice(pids.indexOf(Number(value)), 1);
  }
  // The data is discarded below, so a graceful shutdown is not needed.
  for (const pid of pids) signal(pid, 'SIGKILL');
  for (let i = 0; i < 100 && pids.some((pid) => signal(pid, 0)); i++) await sleep(20);
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** A program for `node --input-type=module --eval`. */
export const GUARD_PROGRAM = `const modules = ['node:fs', 'node:readline', 'node:timers/promises'];
await (${guard.toString()})(...(await Promise.all(modules.map((name) => import(name)))));`;
