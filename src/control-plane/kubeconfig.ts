import type { ApiAccess } from './api-get.ts';

export interface KubeconfigAccess extends ApiAccess {
  readonly namespace?: string;
}

/** A kubeconfig with one context. JSON is valid YAML, so every client can read it. */
export function kubeconfig({ url, ca, token, namespace }: KubeconfigAccess): string {
  const cluster = { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'podgraft',
    clusters: [{ name: 'podgraft', cluster }],
    users: [{ name: 'podgraft', user: { token } }],
    contexts: [
      {
        name: 'podgraft',
        context: { cluster: 'podgraft', user: 'podgraft', ...(namespace && { namespace }) },
      },
    ],
  });
}
