import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import type { KubeObject } from '../../src/kube/kube-object.ts';
import { goProgramPath } from '../../tools/go-program-path.mjs';
import { accepted } from './client.ts';
import { eventually } from './eventually.ts';
import { configWith, printed } from './installation.ts';
import { sharedControlPlane } from './shared-control-plane.ts';

// Runs after chart.test.ts, which builds helm if it is missing.
const plane = sharedControlPlane();
const namespace = 'chart-release';
const chart = fileURLToPath(new URL('../../deploy/chart', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'podgraft-release-'));
afterAll(() => {
  helm('uninstall', 'graft');
  rmSync(folder, { recursive: true });
});

it('Helm keeps the ConfigMap of every ReplicaSet, deletes the others, and can roll back', async () => {
  const [a, b, c] = [await upgradeTo('a'), await upgradeTo('b'), await upgradeTo('c')];
  expect(await configMaps()).toEqual([a, b, c].toSorted());

  expect(await plane.kubectl(['-n', namespace, 'rollout', 'undo', 'deployment/graft'])).toMatchObject({
    code: 0,
  });
  expect(await mounted()).toBe(b);

  // Like a ReplicaSet that drops out of the Deployment's history.
  for (const { metadata } of (await replicaSets()).filter((each) => configMapOf(each) === a)) {
    await plane.kubectl(['-n', namespace, 'delete', 'replicaset', metadata.name ?? '']);
  }
  expect(await upgradeTo('c')).toBe(c);
  expect(await configMaps()).toEqual([b, c].toSorted());

  expect(helm('rollback', 'graft', '1')).toMatchObject({ status: 0, stderr: '' });
  expect(await mounted()).toBe(a);
  expect(await configMaps()).toContain(a);
  expect(helm('uninstall', 'graft')).toMatchObject({ status: 0, stderr: '' });
  expect(await configMaps()).toEqual([]);
});

/** Returns the name of the ConfigMap that the Deployment mounts, once it has a ReplicaSet. */
async function upgradeTo(value: string): Promise<string> {
  const stamp = { name: 'stamp', use: 'metadata', with: { annotations: { value } } };
  const [config, derived] = [join(folder, 'podgraft.yaml'), join(folder, 'derived.yaml')];
  writeFileSync(config, JSON.stringify(configWith([stamp])));
  writeFileSync(derived, await printed(config, '--chart-values'));
  const flags = ['--create-namespace', '-f', derived, '--set', 'webhook.onlyNamespaces={nowhere}'];
  expect(helm('upgrade', '--install', 'graft', chart, ...flags)).toMatchObject({ status: 0, stderr: '' });
  const name = await mounted();
  await eventually('a ReplicaSet', async () =>
    (await replicaSets()).some((each) => configMapOf(each) === name),
  );
  return name;
}

function helm(...args: string[]) {
  const env = { ...process.env, KUBECONFIG: plane.kubeconfig };
  return spawnSync(goProgramPath('helm'), [...args, '--namespace', namespace], { encoding: 'utf8', env });
}

type Workload = KubeObject & {
  spec: { template: { spec: { volumes: { name: string; configMap?: { name: string } }[] } } };
};

async function mounted(): Promise<string> {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/graft`;
  return configMapOf(accepted(await plane.request<Workload>('GET', path)));
}

async function replicaSets(): Promise<readonly Workload[]> {
  const path = `/apis/apps/v1/namespaces/${namespace}/replicasets`;
  return accepted(await plane.request<{ items: Workload[] }>('GET', path)).items;
}

function configMapOf({ spec }: Workload): string {
  return spec.template.spec.volumes.find(({ name }) => name === 'config')?.configMap?.name ?? '';
}

async function configMaps(): Promise<string[]> {
  const path = `/api/v1/namespaces/${namespace}/configmaps?labelSelector=app.kubernetes.io/name=podgraft`;
  const { items } = accepted(await plane.request<{ items: KubeObject[] }>('GET', path));
  return items.map(({ metadata }) => metadata.name ?? '').toSorted();
}
