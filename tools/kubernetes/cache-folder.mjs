import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The programs of the control plane, by their names in the cache folder and in KUBEBUILDER_ASSETS. */
export const programs = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubectl'];
/** What a cluster with a node needs besides them. */
export const nodePrograms = ['kubelet', 'kube-proxy', 'kube-scheduler'];

/** Folder of the cached binaries. Contains both versions, so that a new one triggers a build. */
export function cacheFolder() {
  const { kubernetes, etcd } = pinnedVersions();
  return join(homedir(), '.cache', 'podgraft', 'kubernetes', `${kubernetes}-etcd-${etcd}`);
}

/** go.mod is the only place that states the versions. */
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
  throw new Error(`Cannot find the version of "${module}" in tools/kubernetes/go.mod`);
}
