// Outlives the test process by a moment, to clean up after it. It reads lines from the test process: "folder PATH" once,
// "started PID" and "ended PID" as programs come and go. Its standard input ends when the test process does, in whatever way
// (a signal, SIGKILL too, that nobody can handle): then it ends what still runs, last started first, and removes the folder.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const pids = [];
let folder;

for await (const line of createInterface({ input: process.stdin })) {
  const [word, value] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)];
  if (word === 'folder') folder = value;
  if (word === 'started') pids.unshift(Number(value));
  if (word === 'ended') pids.splice(pids.indexOf(Number(value)), 1);
}

// The data is thrown away below, so nobody needs time for an orderly end.
for (const pid of pids) signal(pid, 'SIGKILL');
for (let i = 0; i < 100 && pids.some((pid) => signal(pid, 0)); i++) await sleep(20);
if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
