import type { MergeSchema } from './strategic-merge.ts';

const container: MergeSchema = {
  env: { key: 'name' },
  // By number alone: TCP and UDP on one port are one item to a strategic merge.
  ports: { key: 'containerPort' },
  volumeMounts: { key: 'mountPath' },
  volumeDevices: { key: 'devicePath' },
};

/** `patchMergeKey` of the Pod's fields (k8s.io/api/core/v1): the lists that a strategic merge does not replace. */
export const podMergeSchema: MergeSchema = {
  metadata: { item: { ownerReferences: { key: 'uid' }, finalizers: { set: true } } },
  spec: {
    item: {
      containers: { key: 'name', item: container },
      initContainers: { key: 'name', item: container },
      ephemeralContainers: { key: 'name', item: container },
      volumes: { key: 'name' },
      imagePullSecrets: { key: 'name' },
      schedulingGates: { key: 'name' },
      resourceClaims: { key: 'name' },
      hostAliases: { key: 'ip' },
      topologySpreadConstraints: { key: 'topologyKey' },
    },
  },
};

export const containerMergeSchema = container;
