import type { KubeObject } from '../kube/kube-object.ts';
import { controllerUidOf, type MissedInjection, workloadOf } from './audit-pod.ts';
import type { Finding } from './finding.ts';

/** Enough to recognise a problem; a workload may have thousands of Pods. */
const MOST_PATHS = 20;
const MOST_PODS = 5;

export interface FindingCollector {
  add(pod: KubeObject, missed: readonly MissedInjection[]): void;
  /** Sorted by namespace, workload and injector. */
  findings(): readonly Finding[];
}

interface Group {
  readonly finding: Finding;
  readonly paths: Set<string>;
  readonly pods: string[];
  podCount: number;
  since: string | undefined;
}

/** Groups missed injections by workload, injector and reason, in memory that does not grow with the Pods of a workload. */
export function collectFindings(): FindingCollector {
  const groups = new Map<string, Group>();
  return {
    add(pod, missed) {
      const { name = '', namespace = '' } = pod.metadata;
      const created = createdAt(pod);
      const workload = workloadOf(pod);
      for (const { injector, reason, paths } of missed) {
        const key = JSON.stringify([namespace, workload.kind, workload.name, injector, reason]);
        const controllerUid = controllerUidOf(pod);
        const uid = controllerUid === undefined ? {} : { controllerUid };
        const finding = { namespace, workload, ...uid, injector, reason, paths: [], pods: [], podCount: 0 };
        const group: Group = groups.get(key) ?? {
          finding,
          paths: new Set(),
          pods: [],
          podCount: 0,
          since: created,
        };
        groups.set(key, group);
        // In metadata, all times have the same format.
        if (created !== undefined && created < (group.since ?? created)) group.since = created;
        group.podCount++;
        if (group.pods.length < MOST_PODS) group.pods.push(name);
        for (const path of paths) if (group.paths.size < MOST_PATHS) group.paths.add(path);
      }
    },
    findings: () =>
      [...groups]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([, { finding, paths, pods, podCount, since }]) => ({
          ...finding,
          paths: [...paths],
          pods,
          podCount,
          ...(since !== undefined && { since }),
        })),
  };
}

function createdAt({ metadata }: KubeObject): string | undefined {
  const { creationTimestamp } = metadata;
  return typeof creationTimestamp === 'string' ? creationTimestamp : undefined;
}
