import { join } from 'node:path';
import { isExecutable } from '../../src/control-plane/binaries.ts';
import { cacheFolder, type Program, programs } from '../../tools/kubernetes/cache-folder.mjs';

export type Binaries = Readonly<Record<Program, string>>;

/** In KUBEBUILDER_ASSETS, as for envtest, if it is set; else where `npm run kubernetes:binaries` builds them. */
export function findBinaries(): Binaries {
  const assets = process.env.KUBEBUILDER_ASSETS;
  const folder = assets || cacheFolder();
  const missing = programs.filter((name) => !isExecutable(join(folder, name)));
  if (missing.length > 0) throw new MissingBinaries(folder, missing, assets ? 'assets' : 'cache');
  return {
    etcd: join(folder, 'etcd'),
    'kube-apiserver': join(folder, 'kube-apiserver'),
    'kube-controller-manager': join(folder, 'kube-controller-manager'),
    kubectl: join(folder, 'kubectl'),
  };
}

/** One line that explains what to do. Building helps only if KUBEBUILDER_ASSETS is not set. */
export class MissingBinaries extends Error {
  readonly source: 'assets' | 'cache';

  constructor(folder: string, missing: readonly Program[], source: 'assets' | 'cache') {
    const remedy =
      source === 'assets'
        ? "add them to KUBEBUILDER_ASSETS (envtest's archives lack kube-controller-manager), or unset it"
        : 'install Go 1.26 and run "npm run kubernetes:binaries", or set KUBEBUILDER_ASSETS to a folder with the binaries';
    super(`Cannot start a control plane: missing ${missing.join(', ')} in "${folder}": ${remedy}`);
    this.name = 'MissingBinaries';
    this.source = source;
  }
}
