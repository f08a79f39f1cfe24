import type { KubeObject } from '../kube/kube-object.ts';
import { builtin, type ResourceRef } from '../kube/resource.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import { kindKey, type ReadRef, scopedReads } from '../sdk/reads.ts';
import { isRefusal } from './client/api-error.ts';
import type { KubeClient } from './client/client.ts';
import { filesView } from './views/files-view.ts';

/** The objects that injectors read, as they are now, with the caller's permissions. */
export interface Snapshot {
  readonly objects: readonly KubeObject[];
  /** Kinds that could not be listed. */
  readonly failures: readonly FailedList[];
}

export interface FailedList {
  readonly ref: ResourceRef;
  readonly reason: string;
}

/** Lists each kind once. Never rejects: a kind that cannot be listed is reported. */
export async function takeSnapshot(client: KubeClient, reads: readonly ReadRef[]): Promise<Snapshot> {
  const objects: KubeObject[] = [];
  const failures: FailedList[] = [];
  for (const { ref, scope } of scopedReads([builtin('Namespace'), ...reads])) {
    try {
      const options = {
        ...(scope.namespace !== undefined && { namespace: scope.namespace }),
        ...(scope.name !== undefined && { fieldSelector: `metadata.name=${scope.name}` }),
      };
      for await (const page of pagesOf(client, ref, options)) objects.push(...page);
    } catch (error) {
      if (!(error instanceof PodgraftError)) throw error;
      // Not installed, so there are none.
      if (isRefusal(error) && error.status === 404) continue;
      failures.push({ ref, reason: error.message });
    }
  }
  return { objects, failures };
}

const PAGE = 500;

/** All objects of a kind, page by page. */
export async function* pagesOf(
  client: Pick<KubeClient, 'list'>,
  ref: ResourceRef,
  options: { readonly namespace?: string; readonly fieldSelector?: string; readonly limit?: number } = {},
): AsyncGenerator<readonly KubeObject[]> {
  let token: string | undefined;
  do {
    const page = await client.list(ref, {
      limit: PAGE,
      ...options,
      ...(token !== undefined && { continue: token }),
    });
    yield page.items;
    token = page.continue;
  } while (token !== undefined);
}

/** Further objects take precedence over those of the snapshot. Looking up a kind that could not be listed throws. */
export function snapshotView({ objects, failures }: Snapshot, further: readonly KubeObject[]): ClusterView {
  const view = filesView([...objects, ...further]);
  const check = (ref: ResourceRef) => {
    const failure = failures.find((each) => kindKey(each.ref) === kindKey(ref));
    if (failure === undefined) return;
    throw new PodgraftError('CLUSTER_READ_FAILED', `Cannot read ${ref.kind}: ${failure.reason}`);
  };
  return {
    get(ref, namespace, name) {
      const found = view.get(ref, namespace, name);
      if (found === undefined) check(ref);
      return found;
    },
    list(ref, namespace, selector) {
      check(ref);
      return view.list(ref, namespace, selector);
    },
  };
}
