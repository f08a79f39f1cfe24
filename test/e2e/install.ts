import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { goProgramPath } from '../../tools/go-program-path.mjs';
import { imageName } from '../../tools/image/archive.mjs';
import type { Client } from '../kubernetes/client.ts';
import { printed } from '../kubernetes/installation.ts';

const CHART = fileURLToPath(new URL('../../deploy/chart', import.meta.url));

export interface Installed {
  readonly namespace: string;
  /** Name of the Deployment and of the other objects. */
  readonly name: string;
  uninstall(): Promise<void>;
}

/** Installs what `podgraft manifests` prints, and waits until all replicas are ready. */
export async function installManifests(
  client: Client,
  config: string,
  ...flags: string[]
): Promise<Installed> {
  const [namespace, name] = ['podgraft', 'podgraft'];
  const input = await withFile(config, (file) => printed(file, '--image', imageName, ...flags));
  await kubectl(client, ['apply', '-f', '-'], input);
  await rolledOut(client, { namespace, name });
  return {
    namespace,
    name,
    async uninstall() {
      await kubectl(client, ['delete', '--wait', '-f', '-'], input);
    },
  };
}

/** Installs the chart with Helm, and waits until all replicas are ready. */
export async function installChart(client: Client, config: string, ...flags: string[]): Promise<Installed> {
  const [namespace, name] = ['grafts', 'graft'];
  const [repository = '', tag = ''] = imageName.split(':');
  const values = await withFile(config, (file) => printed(file, '--chart-values'));
  const image = ['--set', `image.repository=${repository}`, '--set', `image.tag=${tag}`];
  const wait = ['--create-namespace', '--wait', '--timeout', '2m'];
  await withFile(values, (file) =>
    helm(client, [
      'upgrade',
      '--install',
      name,
      CHART,
      '-n',
      namespace,
      '-f',
      file,
      ...image,
      ...wait,
      ...flags,
    ]),
  );
  return {
    namespace,
    name,
    async uninstall() {
      await helm(client, ['uninstall', name, '-n', namespace, '--wait']);
      await kubectl(client, ['delete', 'namespace', namespace]);
    },
  };
}

export async function rolledOut(client: Client, { namespace, name }: Pick<Installed, 'namespace' | 'name'>) {
  await kubectl(client, ['-n', namespace, 'rollout', 'status', `deployment/${name}`, '--timeout=120s']);
}

/** Runs kubectl and expects it to succeed; resolves with its output. */
export async function kubectl(client: Client, args: readonly string[], input?: unknown): Promise<string> {
  const result = await client.kubectl(args, { input });
  expect(result, `kubectl ${args.join(' ')}`).toMatchObject({ code: 0 });
  return result.stdout;
}

export async function helm(client: Client, args: readonly string[]): Promise<void> {
  const env = { ...process.env, KUBECONFIG: client.kubeconfig };
  await promisify(execFile)(goProgramPath('helm'), args, { env });
}

async function withFile<T>(content: string, use: (file: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'podgraft-e2e-'));
  const file = join(folder, 'podgraft.yaml');
  writeFileSync(file, content);
  return use(file).finally(() => rmSync(folder, { recursive: true }));
}
