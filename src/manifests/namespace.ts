import type { Manifest } from './manifest.ts';
import { labelsFor, type ManifestSettings } from './settings.ts';

/** Nothing for namespaces that come with the cluster: the labels would bind what else runs there. */
export function namespace(settings: ManifestSettings): readonly Manifest[] {
  const { namespace: name } = settings;
  if (name === 'default' || name.startsWith('kube-')) return [];
  return [
    {
      object: {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: {
          name,
          labels: { ...labelsFor(settings), 'pod-security.kubernetes.io/enforce': 'restricted' },
        },
      },
    },
  ];
}
