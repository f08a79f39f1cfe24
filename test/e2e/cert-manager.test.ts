import { afterAll, beforeAll, expect, it } from 'vitest';
import { certManagerChart } from '../../tools/e2e/cert-manager-chart.mjs';
import { references } from '../../tools/e2e/images.mjs';
import { accepted } from '../kubernetes/client.ts';
import { eventually } from '../kubernetes/eventually.ts';
import { sharedControlPlane } from '../kubernetes/shared-control-plane.ts';
import { STAMP } from '../stamp.ts';
import { helm, type Installed, installManifests, kubectl } from './install.ts';
import { certificateLoaded, servingCertificate } from './replicas.ts';
import { underLoad } from './under-load.ts';

const node = sharedControlPlane();
const namespace = 'issued';
let installed: Installed;

beforeAll(async () => {
  await installCertManager();
  // As in the guide "Install with cert-manager".
  installed = await installManifests(node, STAMP, '--cert-manager', '--fail-closed');
  await kubectl(node, ['-n', installed.namespace, 'wait', 'certificate/podgraft', '--for=condition=Ready']);
  await kubectl(node, ['create', 'namespace', namespace]);
});
afterAll(async () => {
  await kubectl(node, ['delete', 'namespace', namespace, '--wait=false']);
  await installed?.uninstall();
  await helm(node, ['uninstall', 'cert-manager', '-n', 'cert-manager', '--wait']);
});

it('cert-manager issues the certificate and writes caBundle, so that Pods are injected', async () => {
  await eventually('a Pod is injected', async () => {
    const { failures, uninjected } = await underLoad(node, namespace, async () => {});
    return failures.length + uninjected.length === 0;
  });
});

it('cert-manager renews the certificate under load, and nothing is lost', async () => {
  const before = await servingCertificate(node, installed);
  const { created, failures, uninjected } = await underLoad(node, namespace, async () => {
    await renew();
    const renewed = await eventually('a new certificate', async () => {
      const found = await servingCertificate(node, installed);
      return found !== before && found;
    });
    await certificateLoaded(node, installed, renewed);
  });
  expect({ failures, uninjected }).toEqual({ failures: [], uninjected: [] });
  console.log(`renewal by cert-manager: ${created} creates, none failed or went uninjected`);
});

async function installCertManager(): Promise<void> {
  const parts = {
    '': references.certManagerController,
    'cainjector.': references.certManagerCainjector,
    'webhook.': references.certManagerWebhook,
  };
  const images = Object.entries(parts).flatMap(([prefix, reference]) => {
    const [repository, tag] = reference.split(':');
    return ['--set', `${prefix}image.repository=${repository}`, '--set', `${prefix}image.tag=${tag}`];
  });
  // A Job with its own image, which only waits; --wait does that here.
  const flags = ['--set', 'startupapicheck.enabled=false', '--create-namespace', '--wait', '--timeout', '3m'];
  const chart = await certManagerChart();
  await helm(node, [
    'upgrade',
    '--install',
    'cert-manager',
    chart,
    '-n',
    'cert-manager',
    ...images,
    ...flags,
  ]);
}

/** What `cmctl renew` does. */
async function renew(): Promise<void> {
  const path = `/apis/cert-manager.io/v1/namespaces/${installed.namespace}/certificates/podgraft/status`;
  const { status } = accepted(await node.request<{ status: { conditions: object[] } }>('GET', path));
  const issuing = {
    type: 'Issuing',
    status: 'True',
    reason: 'ManuallyTriggered',
    message: 'renewed by a test',
    lastTransitionTime: new Date().toISOString().replace(/\.\d+/, ''),
  };
  const conditions = [...status.conditions, issuing];
  accepted(await node.request('PATCH', path, { status: { conditions } }));
}
