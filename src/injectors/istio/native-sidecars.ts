import { builtin } from '../../kube/resource.ts';
import type { ClusterView } from '../../sdk/cluster-view.ts';
import type { Settings } from './settings.ts';

export const NODE = builtin('Node');
/** From this minor version on, Istio trusts the kubelet with sidecars in init containers. */
const MINOR = 33;

/** Whether the proxy may be a native sidecar: as told, or as the Pod's node or else all nodes can do it. */
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

const minors = new WeakMap<object, number>();

/** Remembered by the object, which changes with the node: there may be thousands, and every Pod asks. */
function minorOf(node: { readonly [field: string]: unknown }): number {
  const known = minors.get(node) ?? readMinor(node);
  minors.set(node, known);
  return known;
}

function readMinor(node: { readonly [field: string]: unknown }): number {
  const { nodeInfo } = (node.status ?? {}) as { nodeInfo?: { kubeletVersion?: string } };
  const match = /^v?(\d+)\.(\d+)/.exec(nodeInfo?.kubeletVersion ?? '');
  if (match === null) return 0;
  return Number(match[1]) > 1 ? Number.POSITIVE_INFINITY : Number(match[2]);
}
