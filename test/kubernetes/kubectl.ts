import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { findBinaries } from './binaries.ts';

export type KubectlOptions = {
  /** Standard input for `-f -`: a string as is, anything else as JSON. */
  input?: unknown;
};

export type KubectlResult = { code: number; stdout: string; stderr: string };

/** Runs kubectl. Errors are results too: if tests compare `code`, a failure shows `stderr`. */
export async function runKubectl(
  kubeconfig: string,
  args: readonly string[],
  { input }: KubectlOptions = {},
): Promise<KubectlResult> {
  // A separate home folder, so that kubectl neither writes the user's cache nor reads their preferences.
  const env = { PATH: process.env.PATH, HOME: dirname(kubeconfig), KUBECONFIG: kubeconfig };
  const child = spawn(findBinaries().kubectl, args, { env });
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? -1));
  });
  // kubectl may exit before it has read everything; its exit code shows why.
  child.stdin.on('error', () => {});
  child.stdin.end(typeof input === 'string' || input === undefined ? input : JSON.stringify(input));
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}
