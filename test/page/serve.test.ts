import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServerProcess, startProcess } from '../podgraft-process.ts';
import { expectNone, faults, hasChromium, launch, openPage, resultText } from './browser.ts';

const CONFIG = `apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - {name: stamp, use: metadata, with: {annotations: {injected-by: my-webhook}}}
`;

const review = (uid: string, name: string) => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: {
    uid,
    operation: 'CREATE',
    namespace: 'shop',
    kind: { group: '', version: 'v1', kind: 'Pod' },
    resource: { group: '', version: 'v1', resource: 'pods' },
    userInfo: { username: 'system:serviceaccount:kube-system:replicaset-controller' },
    object: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'shop' },
      spec: { containers: [{ name: 'web', image: 'nginx', env: [{ name: 'TOKEN', value: 'a-secret' }] }] },
    },
  },
});

describe.skipIf(!hasChromium)('the page of serve --page', () => {
  let folder: string;
  let server: ServerProcess;
  let browser: Browser;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'podgraft-serve-page-'));
    writeFileSync(join(folder, 'podgraft.yaml'), CONFIG);
    writeFileSync(join(folder, 'shop.yaml'), 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n');
    const files = ['--config', join(folder, 'podgraft.yaml'), '--cluster', join(folder, 'shop.yaml')];
    server = await startProcess([...files, '--http', '--page']);
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  const send = (name: string) =>
    fetch(`http://127.0.0.1:${server.port}/mutate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(review(`uid-${name}`, name)),
    });

  it('shows live requests only, with env values masked', async () => {
    await send('before');
    const { page, complaints } = await openPage(browser, `http://127.0.0.1:${server.metricsPort}/page/`);
    await page.locator('.request', { hasText: 'before' }).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    await send('later');
    await page.locator('.request', { hasText: 'later' }).click();
    await page.locator('.line', { hasText: 'injected-by: my-webhook' }).waitFor();
    await page.getByLabel('fold unchanged').uncheck();
    expect(await resultText(page)).toContain('name: TOKEN');
    expect(await page.content()).not.toContain('a-secret');
    expect(await page.getByRole('button', { name: /Replay|Edit/ }).count()).toBe(0);
    expect(await faults(page)).toEqual([]);
    expectNone(complaints);
    await page.context().close();
  });
});
