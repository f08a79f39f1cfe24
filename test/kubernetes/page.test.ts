import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { expectNone, hasChromium, launch, openPage } from '../page/browser.ts';
import { startPlaygroundProcess } from '../playground/playground-process.ts';
import { findBinaries } from './binaries.ts';
import { eventually } from './eventually.ts';
import { runKubectl } from './kubectl.ts';

const CONFIG = `apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - {name: stamp, use: metadata, with: {annotations: {injected-by: my-webhook}}}
`;

it.skipIf(!hasChromium)('shows the Pods of a Deployment in the browser when kubectl applies it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'podgraft-kubernetes-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'podgraft.yaml'), CONFIG);
  const playground = await startPlaygroundProcess([
    ...['--control-plane', dirname(findBinaries().etcd), '--config', join(folder, 'podgraft.yaml')],
  ]);
  onTestFinished(async () => {
    await playground.stop();
  });
  const kubeconfig = await eventually('the control plane is ready', async () => {
    const [, path] = /^export KUBECONFIG=(.*)$/m.exec(playground.output()) ?? [];
    return path;
  });
  const browser = await launch();
  onTestFinished(() => browser.close());
  const { page, complaints } = await openPage(browser, `${playground.url}#/requests`);
  await page.getByText(`export KUBECONFIG=${kubeconfig}`).waitFor();

  const create = ['create', 'deployment', 'web', '--image=nginx:1.27', '--replicas=2'];
  expect(await runKubectl(kubeconfig, create)).toMatchObject({ code: 0 });
  const pods = page.locator('.request', { hasText: 'web-' });
  await pods.nth(1).waitFor();
  expect(await pods.first().textContent()).toContain('CREATE Pod in default');
  await pods.first().click();
  await page.locator('.line', { hasText: 'injected-by: my-webhook' }).waitFor();
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByText('Replayed now').waitFor();
  expectNone(complaints);
});
