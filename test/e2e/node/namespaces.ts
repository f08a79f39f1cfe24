import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { GuardedFolder } from '../../../src/control-plane/guarded-folder.ts';
import { startProgram } from '../../../src/control-plane/program.ts';

const INIT = fileURLToPath(new URL('init.sh', import.meta.url));

export interface Namespaces {
  /** A folder in memory that only programs in the namespaces see. */
  readonly scratch: string;
  /** Path of a script that runs a program in the namespaces. */
  script(name: string, program: string, env?: Readonly<Record<string, string>>): string;
  /** Runs a program in them to its end; resolves with its output. */
  run(script: string, args: readonly string[]): Promise<string>;
}

/**
 * Separate mounts, network, processes, host name and IPC, so that a node changes nothing on this machine. They end with the
 * process that `folder` guards.
 */
export async function makeNamespaces(folder: GuardedFolder, address: string): Promise<Namespaces> {
  const kinds = ['--mount', '--net', '--pid', '--uts', '--ipc'];
  const scratch = join(folder.path, 'scratch');
  mkdirSync(scratch);
  const { pid } = await startProgram(
    folder,
    'unshare',
    [...kinds, '--fork', '--kill-child', '--propagation', 'private', '--', 'bash', INIT, address, scratch],
    async () => existsSync(`${scratch}.ready`),
  );
  const init = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const scripts = join(folder.path, 'bin');
  mkdirSync(scripts);
  return {
    scratch,
    script(name, program, env = {}) {
      const path = join(scripts, name);
      const variables = Object.entries(env).map(([key, value]) => `'${key}=${value}'`);
      const enter = `nsenter --target ${init} ${kinds.join(' ')} -- env HOME=/run ${variables.join(' ')}`;
      writeFileSync(path, `#!/bin/sh\nexec ${enter} '${program}' "$@"\n`);
      chmodSync(path, 0o755);
      return path;
    },
    async run(script, args) {
      const { stdout } = await promisify(execFile)(script, args, { maxBuffer: 1e8 });
      return stdout;
    },
  };
}
