import type { Manifest } from './manifest.ts';
import { type ManifestSettings, metadataFor, selectorLabels } from './settings.ts';

export function service(settings: ManifestSettings): Manifest {
  return {
    object: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: metadataFor(settings),
      spec: {
        selector: selectorLabels(settings.name),
        ports: [{ name: 'https', port: 443, targetPort: 'https' }],
      },
    },
  };
}

export function networkPolicy(settings: ManifestSettings): Manifest {
  return {
    purpose: 'Only the two ports are open.',
    object: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: metadataFor(settings),
      spec: {
        podSelector: { matchLabels: selectorLabels(settings.name) },
        policyTypes: ['Ingress'],
        ingress: [{ ports: [{ port: 'https' }, { port: 'metrics' }] }],
      },
    },
    comments: [
      [
        ['spec', 'policyTypes'],
        'Egress is not limited: it is the API server alone, whose address and port no policy can know in advance.',
      ],
      [
        ['spec', 'ingress'],
        'From anywhere: the API server and the kubelet are no Pods that could be selected. "metrics" has health and\n' +
          'metrics in plain HTTP; reviews are on "https" only.',
      ],
    ],
  };
}
