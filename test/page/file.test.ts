import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { podgraft } from '../podgraft-process.ts';
import { expectNone, faults, hasChromium, launch, openPage, resultText } from './browser.ts';

const CONFIG = `apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - {name: stamp, use: metadata, with: {annotations: {injected-by: my-webhook}}}
  - name: replicas
    use: overlay
    match: {kinds: [Deployment]}
    with: {overlay: {spec: {replicas: {$atLeast: 2}}}}
`;

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1 # too few
  selector: {matchLabels: {app: web}}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
        - name: web
          image: nginx:1.27
          env:
            - {name: EVIL, value: "</script><script>document.title='evil'</script>"}
`;

describe.skipIf(!hasChromium)('the file of explain -o html', () => {
  let folder: string;
  let browser: Browser;
  let file: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'podgraft-file-'));
    writeFileSync(join(folder, 'podgraft.yaml'), CONFIG);
    writeFileSync(join(folder, 'web.yaml'), DEPLOYMENT);
    const { stdout, code } = await podgraft([
      ...['explain', '-f', join(folder, 'web.yaml'), '--config', join(folder, 'podgraft.yaml'), '-o', 'html'],
    ]);
    expect(code).toBe(0);
    file = join(folder, 'web.html');
    writeFileSync(file, stdout);
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  it.each(['light', 'dark'] as const)('shows the run offline, in %s', async (colorScheme) => {
    const { page, complaints } = await openPage(browser, pathToFileURL(file).href, {
      colorScheme,
      offline: true,
    });
    await page.getByText('Deployment web').first().waitFor();
    expect(await page.title()).toBe('Deployment "web", explained by Podgraft');
    const text = await resultText(page);
    expect(text).toContain('  replicas: 2 # too few');
    expect(text).toContain('        injected-by: my-webhook');
    const tags = await page.locator('.tag').allTextContents();
    expect(tags).toEqual(['1replicas', 'stamp']);
    await page.getByRole('button', { name: 'stamp (Pod)' }).click();
    expect(await page.getByRole('tabpanel').textContent()).toContain('+         injected-by: my-webhook');
    expect(await faults(page)).toEqual([]);
    expectNone(complaints);
    await page.context().close();
  });

  it('has no external references', () => {
    expect(readFileSync(file, 'utf8')).not.toMatch(/(src|href)=|url\(|@import|https?:\/\/(?!www\.w3\.org\/)/);
  });
});
