import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { findBinaries } from './binaries.ts';

export type KubectlOptions = {
  /** Standard input, for `-f -`: text as it is, anything else as JSON. */
  input?: unknown;
};

export type KubectlResult = { code: number; stdout: string; stderr: string };

/** Runs kubectl to its end. A refusal is a result like any other: compare `code`, and a failing test shows `stderr`. */
export async function runKubectl(
  kubeconfig: string,
  args: readonly string[],
  { input }: KubectlOptions = {},
): Promise<KubectlResult> {
  // A home of its own, so that no cache is written to, and no preferences are read from, the user's.
  const env = { PATH: process.env.PATH, HOME: dirname(kubeconfig), KUBECONFIG: kubeconfig };
  const child = spawn(findBinaries().kubectl, args, { env });
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? -1));
  });
  // kubectl may end without having read everything; its exit code tells why.
  child.stdin.on('error', () => {});
  child.stdin.end(typeof input === 'string' || input === undefined ? input : JSON.stringify(input));
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}
