import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { PageState, RequestItem, RunView } from '../../src/page/view.ts';
import { listen, type PlaygroundProcess, startPlaygroundProcess } from '../playground/playground-process.ts';
import { findBinaries } from './binaries.ts';
import { eventually } from './eventually.ts';
import { runKubectl } from './kubectl.ts';

const config = (annotation: string) => `apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - {name: stamp, use: metadata, with: {annotations: {injected-by: ${annotation}}}}
`;

const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] },
    },
  },
};

const folder = mkdtempSync(join(tmpdir(), 'podgraft-playground-'));
let playground: PlaygroundProcess | undefined;
afterEach(async () => {
  await playground?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The processes whose command line mentions a folder: those of its control plane. */
function processesOf(path: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(path);
    } catch {
      return false;
    }
  });
}

it('shows what kubectl does on a real control plane as it happens, follows the configuration, and leaves nothing behind', async () => {
  const file = join(folder, 'podgraft.yaml');
  writeFileSync(file, config('first'));
  const namespace = join(folder, 'namespace.yaml');
  writeFileSync(namespace, 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n');
  const own = await startPlaygroundProcess([
    ...['--control-plane', dirname(findBinaries().etcd), '--config', file, '--cluster', namespace],
  ]);
  playground = own;
  const kubeconfig = await eventually('the control plane is ready', () => kubeconfigOf(own));
  expect(await own.get<PageState>('api/state')).toMatchObject({
    kubeconfig: `export KUBECONFIG=${kubeconfig}`,
  });
  expect(await runKubectl(kubeconfig, ['get', 'namespace', 'shop'])).toMatchObject({ code: 0 });

  const listening = await listen(`${own.url}api/events`);
  const apply = (input: object) => runKubectl(kubeconfig, ['apply', '-f', '-'], { input });
  expect(await apply(DEPLOYMENT)).toMatchObject({ code: 0 });
  const pods = () =>
    listening.events.filter(({ name }) => name === 'request').map(({ data }) => data as RequestItem);
  await eventually('both Pods appear', () => pods().length >= 2);
  expect(pods()[0]).toMatchObject({
    kind: 'Pod',
    operation: 'CREATE',
    verdict: 'changed',
    injectors: ['stamp'],
  });
  expect(pods()[0]?.name).toMatch(/^web-/);
  const [newest] = await own.get<RequestItem[]>('api/requests');
  const view = await own.get<RunView>(`api/requests/${newest?.uid}`);
  expect(view.changes).toMatchObject([{ path: 'metadata.annotations', owner: 'stamp' }]);

  writeFileSync(file, config('second'));
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { generateName: 'later-' },
    spec: DEPLOYMENT.spec.template.spec,
  };
  await eventually('the new configuration is in effect', async () => {
    const created = await runKubectl(kubeconfig, ['create', '-o', 'json', '-f', '-'], { input: pod });
    return created.stdout.includes('"injected-by": "second"');
  });
  listening.stop();

  const plane = dirname(kubeconfig);
  expect(processesOf(plane).length).toBeGreaterThanOrEqual(3);
  expect(await own.stop('SIGINT')).toBe(0);
  expect(processesOf(plane)).toEqual([]);
  expect(existsSync(plane)).toBe(false);
});

it('is ended by Ctrl-C while the control plane starts, with all that it has started', async () => {
  const own = await startPlaygroundProcess(['--control-plane', dirname(findBinaries().etcd)]);
  playground = own;
  const started = await eventually('etcd runs', () => {
    const found = children(own.child.pid ?? 0).find((line) => line.includes('--data-dir='));
    return found;
  });
  const [, path = ''] = /--data-dir=(.*)\/etcd-/.exec(started) ?? [];
  expect(path).not.toBe('');
  await own.stop('SIGINT');
  await eventually('all processes have ended', () => processesOf(path).length === 0);
  await eventually('the folder is removed', () => !existsSync(path));
});

it('works with the binaries of envtest, which has no controllers', async () => {
  const assets = mkdtempSync(join(tmpdir(), 'podgraft-assets-'));
  const binaries = findBinaries();
  for (const name of ['etcd', 'kube-apiserver', 'kubectl'] as const)
    symlinkSync(binaries[name], join(assets, name));
  try {
    const own = await startPlaygroundProcess(['--control-plane', assets]);
    playground = own;
    const kubeconfig = await eventually('the control plane is ready', () => kubeconfigOf(own));
    expect(own.output()).toContain('warning: no kube-controller-manager: Deployments create no Pods');
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web' },
      spec: DEPLOYMENT.spec.template.spec,
    };
    const created = await eventually('the webhook is in effect', async () => {
      const { stdout } = await runKubectl(
        kubeconfig,
        ['create', '--dry-run=server', '-o', 'json', '-f', '-'],
        {
          input: pod,
        },
      );
      return stdout.includes('"injected-by": "my-webhook"') && stdout;
    });
    expect(created).toContain('"name": "REGION"');
    expect(await own.get<RequestItem[]>('api/requests')).toMatchObject([{ name: 'web', dryRun: true }]);
  } finally {
    await playground?.stop();
    rmSync(assets, { recursive: true });
  }
});

function kubeconfigOf({ output }: PlaygroundProcess): string | undefined {
  return /^export KUBECONFIG=(.*)$/m.exec(output())?.[1];
}

/** The command lines of a process's children. */
function children(pid: number): string[] {
  return readdirSync('/proc').flatMap((each) => {
    if (!/^\d+$/.test(each)) return [];
    try {
      const parent = /\) \S (\d+)/.exec(readFileSync(`/proc/${each}/stat`, 'utf8'))?.[1];
      return parent === String(pid)
        ? [readFileSync(`/proc/${each}/cmdline`, 'utf8').replaceAll('\0', ' ')]
        : [];
    } catch {
      return [];
    }
  });
}
