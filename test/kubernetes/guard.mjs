// Cleans up after the test process. It reads lines from it: "folder PATH" once, "started PID" and "ended PID" for each program. Its
// standard input closes when the test process exits for any reason, including SIGKILL. It then kills the remaining programs, in
// reverse order, and removes the folder.
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

// The data is discarded below, so a graceful shutdown is not needed.
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
