import { afterAll, beforeAll, expect, it } from 'vitest';
import { withFreePorts } from '../../src/control-plane/free-ports.ts';
import { goProgramPath } from '../../tools/go-program-path.mjs';
import { followGuide } from '../guide.ts';
import { findBinaries } from './binaries.ts';
import { accepted } from './client.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { eventually } from './eventually.ts';
import { nginxDeployment, nginxPod } from './pods.ts';

// In a separate control plane, because the guides use the default names.
let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
});
afterAll(() => plane?.stop());

const follow = (guide: string) =>
  withFreePorts(2, ([port = 0, metricsPort = 0]) =>
    followGuide(guide, {
      run: ['test=local', 'test=cluster'],
      env: { KUBECONFIG: plane.kubeconfig },
      programs: {
        kubectl: findBinaries().kubectl,
        helm: goProgramPath('helm'),
        kustomize: goProgramPath('kustomize'),
      },
      replace: { '192.0.2.10': '127.0.0.1', 8443: String(port), 9090: String(metricsPort) },
    }),
  );

it('try-it.md injects a Pod with a server on this machine', () => follow('try-it.md'));

it('gitops.md injects with Helm and kustomize', () => follow('gitops.md'));

it('without-a-server.md works as written', async () => {
  await follow('without-a-server.md');
  const kinds =
    'mutatingadmissionpolicies,mutatingadmissionpolicybindings,validatingadmissionpolicies,validatingadmissionpolicybindings';
  expect(await plane.kubectl(['delete', kinds, '--all'])).toMatchObject({ code: 0 });
});

// In the order in which a user follows them.
it('install.md, roll-out.md, upgrade.md, troubleshoot.md, audit.md and uninstall.md work as written', async () => {
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  accepted(await plane.request('POST', deployments, nginxDeployment('web', 1)));
  await follow('install.md');
  await follow('roll-out.md');
  await follow('upgrade.md');
  accepted(await plane.request('POST', '/api/v1/namespaces/default/pods', nginxPod('myapp')));
  await follow('troubleshoot.md');
  await follow('audit.md');
  await follow('uninstall.md');
  const { stdout } = await plane.kubectl(['get', 'clusterroles,mutatingwebhookconfigurations', '-o', 'name']);
  expect(stdout).not.toContain('podgraft');
}, 180_000);

it("install-cert-manager.md works as written with the user's certificate", async () => {
  await eventually('namespace "podgraft" is gone', async () => {
    const { status } = await plane.request('GET', '/api/v1/namespaces/podgraft');
    return status === 404;
  });
  await follow('install-cert-manager.md');
});
