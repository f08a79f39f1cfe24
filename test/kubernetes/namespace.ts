import { accepted, type Client } from './client.ts';

/** Creates a namespace in which Pods can be created immediately, with or without controllers. */
export async function createNamespace(
  client: Client,
  name: string,
  labels: Record<string, string> = {},
): Promise<void> {
  accepted(await client.request('POST', '/api/v1/namespaces', { metadata: { name, labels } }));
  await createDefaultServiceAccount(client, name);
}

/** Replaces the controllers: Pods are rejected without this ServiceAccount. */
export async function createDefaultServiceAccount(client: Client, namespace: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  const answer = await client.request('POST', path, { metadata: { name: 'default' } });
  // The controllers may have created it already.
  if (answer.status !== 409) accepted(answer);
}
