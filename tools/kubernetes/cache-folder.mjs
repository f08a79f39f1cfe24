import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The programs that make up the control plane, as they are called in the cache folder and in KUBEBUILDER_ASSETS. */
export const programs = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubectl'];

/** Where the binaries are kept: keyed by both versions, so that raising either one builds anew. */
export function cacheFolder() {
  const { kubernetes, etcd } = pinnedVersions();
  return join(homedir(), '.cache', 'podgraft', 'kubernetes', `${kubernetes}-etcd-${etcd}`);
}

/** go.mod is the only place where the versions are written. */
export function pinnedVersions() {
  const goMod = readFileSync(new URL('go.mod', import.meta.url), 'utf8');
  return {
    kubernetes: versionOf('k8s.io/kubernetes', goMod),
    etcd: versionOf('go.etcd.io/etcd/server/v3', goMod),
  };
}

function versionOf(module, goMod) {
  for (const line of goMod.split('\n')) {
    const [name, version] = line
      .trim()
      .replace(/^require /, '')
      .split(' ');
    if (name === module && version?.startsWith('v')) return version;
  }
  throw new Error(`Cannot find version in tools/kubernetes/go.mod: no requirement of "${module}"`);
}
