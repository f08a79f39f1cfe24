import { accessSync, constants, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { PodgraftError } from '../podgraft-error.ts';

/** Paths of programs, by name. */
export interface Binaries {
  readonly etcd: string;
  readonly 'kube-apiserver': string;
  /** Missing from envtest's archives. */
  readonly 'kube-controller-manager'?: string;
  readonly kubectl?: string;
}

/**
 * The programs of a control plane in a folder. `auto` looks into KUBEBUILDER_ASSETS, as envtest does, then into the newest folder
 * that `npm run kubernetes:binaries` has filled.
 */
export function findBinaries(where: string): Binaries {
  const folder = where === 'auto' ? (process.env.KUBEBUILDER_ASSETS ?? newestBuild()) : where;
  const missing = ['etcd', 'kube-apiserver'].filter((name) => folder === undefined || !has(folder, name));
  if (folder === undefined || missing.length > 0) {
    const place = folder === undefined ? '' : ` in "${folder}"`;
    throw new PodgraftError(
      'USAGE',
      `Cannot start a control plane: no ${missing.join(' and ')}${place}; set KUBEBUILDER_ASSETS or --control-plane to a folder with the binaries, as envtest uses them`,
    );
  }
  const optional = (name: 'kube-controller-manager' | 'kubectl') =>
    has(folder, name) ? { [name]: join(folder, name) } : {};
  return {
    etcd: join(folder, 'etcd'),
    'kube-apiserver': join(folder, 'kube-apiserver'),
    ...optional('kube-controller-manager'),
    ...optional('kubectl'),
  };
}

function newestBuild(): string | undefined {
  const cache = join(homedir(), '.cache', 'podgraft', 'kubernetes');
  try {
    const [newest] = readdirSync(cache).toSorted((one, other) =>
      other.localeCompare(one, 'en', { numeric: true }),
    );
    return newest && join(cache, newest);
  } catch {
    return undefined;
  }
}

function has(folder: string, name: string): boolean {
  return isExecutable(join(folder, name));
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
