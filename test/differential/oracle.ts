import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A program that answers each JSON line with one. */
export interface Oracle {
  ask(request: object): Promise<OracleAnswer>;
  close(): void;
}

export type OracleAnswer = Readonly<Record<string, unknown>> & { readonly error?: string };

export function startOracle(program: string): Oracle {
  const child: ChildProcessWithoutNullStreams = spawn(program);
  child.stderr.resume();
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(request) {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`${program} ended`);
      return JSON.parse(value) as OracleAnswer;
    },
    close: () => child.stdin.end(),
  };
}
