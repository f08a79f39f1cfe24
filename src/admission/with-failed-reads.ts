import { PodgraftError } from '../podgraft-error.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import { type FailedRead, kindKey } from '../sdk/reads.ts';

/** Reading an object throws if it could not be gathered: an injector must not treat it as missing. */
export function withFailedReads(cluster: ClusterView, failed: readonly FailedRead[]): ClusterView {
  return {
    get(ref, namespace, name) {
      const found = cluster.get(ref, namespace, name);
      const failure = failed.find(
        ({ need }) =>
          need.name === name && need.namespace === namespace && kindKey(need.ref) === kindKey(ref),
      );
      if (found !== undefined || failure === undefined) return found;
      const place = namespace === undefined ? name : `${namespace}/${name}`;
      throw new PodgraftError('CLUSTER_READ_FAILED', `Cannot read ${ref.kind} "${place}": ${failure.reason}`);
    },
    list: (ref, namespace, selector) => cluster.list(ref, namespace, selector),
  };
}
