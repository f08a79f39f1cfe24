import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startProcess } from '../podgraft-process.ts';
import { STAMP } from '../stamp.ts';
import { accepted } from './client.ts';
import { eventually } from './eventually.ts';
import { createNamespace } from './namespace.ts';
import { sharedControlPlane } from './shared-control-plane.ts';

const plane = sharedControlPlane();
const configurations = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
type Configuration = { webhooks: { clientConfig: { caBundle?: string } }[] };

it('`podgraft serve` in a cluster issues its certificate, stores it in a Secret and sets the caBundle', async () => {
  await createNamespace(plane, 'podgraft');
  const webhook = {
    name: 'podgraft.podgraft.dev',
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    failurePolicy: 'Ignore',
    // The API server calls nothing here, because Services do not work without a network.
    namespaceSelector: { matchLabels: { nobody: 'has-this' } },
    clientConfig: { service: { namespace: 'podgraft', name: 'podgraft', path: '/mutate' } },
  };
  accepted(
    await plane.request('POST', configurations, { metadata: { name: 'podgraft' }, webhooks: [webhook] }),
  );
  const folder = await mkdtemp(join(tmpdir(), 'podgraft-self-managed-'));
  await writeFile(join(folder, 'podgraft.yaml'), STAMP);
  const server = await startProcess([
    '--config',
    join(folder, 'podgraft.yaml'),
    '--kubeconfig',
    plane.kubeconfig,
  ]);
  try {
    const secret = await plane.request<{ type: string }>(
      'GET',
      '/api/v1/namespaces/podgraft/secrets/podgraft-tls',
    );
    expect(accepted(secret).type).toBe('podgraft.dev/tls');
    const trusted = await eventually('the bundle is published', async () => {
      const { webhooks } = accepted(await plane.request<Configuration>('GET', `${configurations}/podgraft`));
      return webhooks[0]?.clientConfig.caBundle;
    });
    expect(Buffer.from(trusted, 'base64').toString()).toContain('BEGIN CERTIFICATE');
    const metrics = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text();
    expect(metrics).toMatch(/podgraft_certificate_expiry_timestamp_seconds\{certificate="ca"\} \d+/);
    expect(metrics).toMatch(/podgraft_cluster_view_objects\{kind="Namespace"\} \d+/);
    // A missing validating webhook is expected here, so it is not reported.
    expect(server.output()).not.toContain('not found');
    expect(await server.stop()).toBe(0);
  } finally {
    await server.stop('SIGKILL');
    await plane.request('DELETE', `${configurations}/podgraft`);
    await rm(folder, { recursive: true });
  }
});
