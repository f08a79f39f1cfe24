import { accepted, type Client } from './client.ts';

/** Makes a namespace in which Pods can be created at once, whether or not controllers run. */
export async function createNamespace(
  client: Client,
  name: string,
  labels: Record<string, string> = {},
): Promise<void> {
  accepted(await client.request('POST', '/api/v1/namespaces', { metadata: { name, labels } }));
  await createDefaultServiceAccount(client, name);
}

/** Stands in for the controllers: without this ServiceAccount, Pods are refused. */
export async function createDefaultServiceAccount(client: Client, namespace: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  const answer = await client.request('POST', path, { metadata: { name: 'default' } });
  // The controllers may have been faster.
  if (answer.status !== 409) accepted(answer);
}
