import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { MAIN } from '../podgraft-process.ts';

export interface PlaygroundProcess {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts `podgraft playground`; resolves when it listens. */
export async function startPlayground(args: readonly string[]): Promise<PlaygroundProcess> {
  const child = spawn(process.execPath, [MAIN, 'playground', '--port', '0', ...args], { stdio: 'pipe' });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const [found] = /http:\/\/\S+/.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`podgraft playground ended with ${code}: ${errors}`)));
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
