import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { oraclePath } from '../../tools/oracles/oracle-path.mjs';

/** A system's own code, which answers JSON lines. */
export interface Oracle {
  ask<T>(question: unknown): Promise<T>;
  stop(): void;
}

const HANGS_MS = 10_000;

/** Undefined, with a message, if it is not built. In CI that is an error instead: a skipped suite proves nothing. */
export function startOracle(system: string): Oracle | undefined {
  const path = oraclePath(system);
  if (!existsSync(path)) {
    const hint = `build it with: npm run oracles ${system}`;
    if (process.env.CI) throw new Error(`No oracle of ${system}: ${hint}`);
    console.warn(`skipped: no oracle of ${system}; ${hint}`);
    return undefined;
  }
  const child = spawn(path, { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.resolve(line));
  child.on('exit', (code) => {
    for (const { reject } of waiting.splice(0))
      reject(new Error(`The oracle of ${system} ended with ${code}`));
  });
  return {
    async ask<T>(question: unknown): Promise<T> {
      let timer: NodeJS.Timeout | undefined;
      const line = await new Promise<string>((resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`The oracle of ${system} hangs`)), HANGS_MS);
        waiting.push({ resolve, reject });
        child.stdin.write(`${JSON.stringify(question)}\n`);
      }).finally(() => clearTimeout(timer));
      return JSON.parse(line) as T;
    },
    stop: () => child.kill(),
  };
}
