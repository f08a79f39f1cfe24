export type KubeconfigAccess = { url: string; ca: string; token: string; namespace?: string };

/** A kubeconfig with one context. JSON is valid YAML, so every client can read it. */
export function kubeconfig({ url, ca, token, namespace }: KubeconfigAccess): string {
  const cluster = { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'test', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', ...(namespace && { namespace }) } }],
  });
}
