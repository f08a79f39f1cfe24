import type { Manifest } from './manifest.ts';
import { type ManifestSettings, metadataFor, selectorLabels } from './settings.ts';

export function disruptionBudget(settings: ManifestSettings): Manifest {
  return {
    object: {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: metadataFor(settings),
      spec: {
        maxUnavailable: 1,
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
        selector: { matchLabels: selectorLabels(settings.name) },
      },
    },
    comments: [
      [
        ['spec', 'maxUnavailable'],
        'Not minAvailable: with one replica that would keep nodes from being drained.',
      ],
      [['spec', 'unhealthyPodEvictionPolicy'], 'A Pod that is not ready protects nobody.'],
    ],
  };
}
