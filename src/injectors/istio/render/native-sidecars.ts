import { builtin, type ClusterView, cacheByObject, type KubeObject } from '../../../sdk/index.ts';
import type { Settings } from '../settings.ts';

export const NODE = builtin('Node');
/** Istio uses native sidecars since this minor version of the kubelet. */
const MINOR = 33;

/** Whether the proxy may be a native sidecar: by the setting, or if the Pod's node supports it, or else all nodes. */
export function nativeSidecars(
  setting: Settings['nativeSidecars'],
  nodeName: string | undefined,
  cluster: ClusterView,
): boolean {
  if (setting !== 'auto') return setting;
  const node = nodeName ? cluster.get(NODE, undefined, nodeName) : undefined;
  const nodes = node === undefined ? cluster.list(NODE) : [node];
  return nodes.every((each) => minorOf(each) >= MINOR);
}

/** Every Pod reads it for every node, and a cluster may have thousands. */
const minorOf = cacheByObject((node: KubeObject): number => {
  const { nodeInfo } = (node.status ?? {}) as { nodeInfo?: { kubeletVersion?: string } };
  const match = /^v?(\d+)\.(\d+)/.exec(nodeInfo?.kubeletVersion ?? '');
  if (match === null) return 0;
  return Number(match[1]) > 1 ? Number.POSITIVE_INFINITY : Number(match[2]);
});
