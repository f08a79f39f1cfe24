import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PlaygroundProcess, startPlaygroundProcess } from '../playground/playground-process.ts';
import {
  expectNone,
  faults,
  hasChromium,
  launch,
  type OpenPage,
  openPage,
  resultText,
  write,
} from './browser.ts';

const POD = `apiVersion: v1
kind: Pod
metadata:
  name: typed
spec:
  containers:
    - name: main
      image: busybox:1.36
`;

const CONFIG = `apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - name: stamp
    use: metadata
    with:
      annotations: { injected-by: my-webhook }
  - name: tags
    use: ./tags.mjs
  - name: region
    use: overlay
    with:
      overlay:
        spec:
          containers:
            - name: "*"
              env:
                - { name: REGION, value: eu-west-1 }
`;

const TAGS = `export const tags = {
  name: 'tags',
  summary: 'Images need a tag',
  match: { kinds: ['Pod'] },
  inject(pod) {
    const image = pod.spec.containers.map((each) => each.image).find((each) => each.endsWith(':latest'));
    return image ? { deny: 'image ' + image + ' needs a tag' } : { overlay: {}, warnings: ['tags may move'] };
  },
};
`;

/** Keys pressed sooner after a list of completions opens are not meant for it. */
const REACTION = 150;

describe.skipIf(!hasChromium)('the playground in a browser', () => {
  let folder: string;
  let server: PlaygroundProcess;
  let browser: Browser;
  let open: OpenPage;
  let page: OpenPage['page'];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'podgraft-page-'));
    writeFileSync(join(folder, 'podgraft.yaml'), CONFIG);
    writeFileSync(join(folder, 'tags.mjs'), TAGS);
    server = await startPlaygroundProcess(['--config', join(folder, 'podgraft.yaml')]);
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    open = await openPage(browser, server.url);
    page = open.page;
    return async () => {
      expectNone(open.complaints);
      await page.context().close();
    };
  });

  it('shows injected-by in the colour of its owner after a Pod is typed', async () => {
    await write(page, POD);
    const line = page.locator('.line', { hasText: 'injected-by: my-webhook' });
    await page.getByText('Pod typed').waitFor();
    await line.waitFor();
    const colour = (element: Element) => getComputedStyle(element).borderLeftColor;
    const owner = page.locator('.injectors li', { hasText: 'stamp' });
    expect(await line.evaluate(colour)).toBe(await owner.evaluate(colour));
    expect(await line.evaluate(colour)).not.toBe(
      await page.locator('.injectors li', { hasText: 'region' }).evaluate(colour),
    );
    await page.locator('.line', { hasText: 'annotations:' }).getByRole('button', { name: 'stamp' }).focus();
    const card = await page.getByRole('tooltip').textContent();
    expect(card).toContain('stamp added this');
    expect(card).toContain('metadata.annotations');
  });

  it('marks broken YAML at its line, and keeps the last result', async () => {
    await write(page, POD);
    await page.getByText('Pod typed').waitFor();
    await write(page, POD.replace('  name: typed', '  name: [typed'));
    await page.locator('.errors').waitFor();
    const [, line] = /Line (\d+)/.exec((await page.locator('.errors').textContent()) ?? '') ?? [];
    const marked = page.locator('.cm-line', { has: page.locator('.cm-lintRange-error') });
    const gutter = page.locator('.cm-gutter-lint .cm-lint-marker-error');
    expect(await gutter.count()).toBe(1);
    // The column of line numbers begins with a hidden one, which is as wide as the widest.
    const box = await gutter.boundingBox();
    const number = page
      .locator('.cm-lineNumbers .cm-gutterElement')
      .getByText(line ?? '', { exact: true })
      .last();
    const place = await number.boundingBox();
    expect(Math.abs((box?.y ?? 0) - (place?.y ?? Number.NaN))).toBeLessThan(12);
    expect(await marked.count()).toBeLessThanOrEqual(1);
    expect(await resultText(page)).toContain('injected-by: my-webhook');
    await write(page, POD);
    await page.locator('.errors').waitFor({ state: 'detached' });
    expect(await gutter.count()).toBe(0);
  });

  it('shows a denial with its author, and a warning', async () => {
    await write(page, POD);
    await page.getByRole('alert').getByText('tags may move').waitFor();
    await write(page, POD.replace('1.36', 'latest'));
    const alert = page.getByRole('alert').filter({ hasText: 'Denied by tags' });
    await alert.waitFor();
    expect(await alert.textContent()).toContain('image busybox:latest needs a tag');
    expect(await alert.textContent()).toContain('403');
    expect(await page.locator('.stop.is-denied').count()).toBe(1);
    expect(await page.locator('.stop', { hasText: 'Storage' }).textContent()).toContain('not reached');
    expect(await faults(page)).toEqual([]);
  });

  it('gives the same Pod for another order, by keyboard and by mouse', async () => {
    await write(page, POD);
    await page.getByText('Pod typed').waitFor();
    const before = await resultText(page);
    const names = () => page.locator('.injectors .owner-name').allTextContents();
    await page.getByRole('button', { name: 'Move stamp' }).press('ArrowDown');
    await page.getByText('the same result').waitFor();
    expect(await names()).toEqual(['tags', 'stamp', 'region']);
    expect(await resultText(page)).toBe(before);
    await page.getByRole('button', { name: 'Move stamp' }).press('ArrowDown');
    await expect.poll(names).toEqual(['tags', 'region', 'stamp']);
    await page
      .locator('.injectors li', { hasText: 'stamp' })
      .dragTo(page.locator('.injectors li', { hasText: 'tags' }));
    await expect.poll(names).toEqual(['stamp', 'tags', 'region']);
    expect(await resultText(page)).toBe(before);
  });

  it('shows the Pod without an injector that is switched off', async () => {
    await write(page, POD);
    const line = page.locator('.line', { hasText: 'injected-by' });
    await line.waitFor();
    await page.getByRole('switch', { name: 'stamp' }).uncheck();
    await line.waitFor({ state: 'detached' });
    expect(await page.locator('.line', { hasText: 'name: REGION' }).count()).toBe(1);
    await page.getByRole('switch', { name: 'stamp' }).check();
    await line.waitFor();
  });

  it('opens a stop with its review, answer, patch and changes', async () => {
    await page.getByRole('button', { name: 'pods.podgraft.dev' }).first().click();
    const details = page.getByRole('region', { name: 'pods.podgraft.dev' });
    const tabs = await details.getByRole('tab').allTextContents();
    expect(tabs).toEqual([
      'Changes',
      'Patch',
      'Review sent',
      'Answer',
      'Before',
      'After',
      expect.stringMatching(/^Findings \(\d+\)$/),
    ]);
    expect(await details.getByRole('tabpanel').textContent()).toContain('+     injected-by: my-webhook');
    await details.getByRole('tab', { name: 'Changes' }).press('ArrowRight');
    expect(await details.getByRole('tabpanel').textContent()).toContain('"path":"/metadata/annotations"');
    await details.getByRole('tab', { name: 'Review sent' }).click();
    expect(await details.getByRole('tabpanel').textContent()).toContain('"kind": "AdmissionReview"');
    expect(await faults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
  });

  it('restores text, switches and the open stop from the address', async () => {
    await write(page, POD);
    await page.getByText('Pod typed').waitFor();
    await page.getByRole('switch', { name: 'region' }).uncheck();
    await page.getByRole('button', { name: 'pods.podgraft.dev' }).first().click();
    await expect.poll(() => page.url()).toContain('stop=');
    const other = await openPage(browser, page.url());
    await other.page.getByText('Pod typed').waitFor();
    expect(await other.page.getByRole('switch', { name: 'region' }).isChecked()).toBe(false);
    await other.page.getByRole('region', { name: 'pods.podgraft.dev' }).waitFor();
    expect(await other.page.locator('.line', { hasText: 'name: REGION' }).count()).toBe(0);
    expectNone(other.complaints);
    await other.page.context().close();
  });

  it('completes the fields of Kubernetes where the cursor is', async () => {
    await write(page, `${POD}  rest`);
    await page.keyboard.type('a');
    const option = page.getByRole('option', { name: 'restartPolicy' });
    await option.waitFor();
    await page.waitForTimeout(REACTION);
    await page.keyboard.press('Tab');
    await page.keyboard.type('O');
    await page.getByRole('option', { name: 'OnFailure' }).waitFor();
    await page.waitForTimeout(REACTION);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.cm-content').textContent()).toContain('restartPolicy: OnFailure');
  });

  it('folds what did not change, and opens it on request', async () => {
    const ports = Array.from({ length: 8 }, (_, index) => `        - containerPort: ${8000 + index}\n`);
    await write(page, `${POD}      ports:\n${ports.join('')}`);
    await page.getByText('Pod typed').waitFor();
    const fold = page.getByRole('button', { name: /unchanged lines/ });
    await fold.first().waitFor();
    expect(await resultText(page)).not.toContain('containerPort: 8004');
    await fold.first().click();
    expect(await resultText(page)).toContain('containerPort: 8004');
  });

  it('opens a file that is dropped on it', async () => {
    await page.locator('.line.owner').first().waitFor();
    const data = await page.evaluateHandle(
      (text) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], 'pod.yaml'));
        return transfer;
      },
      POD.replace('typed', 'dropped'),
    );
    await page.locator('.columns').dispatchEvent('dragover', { dataTransfer: data });
    await page.getByText('Drop the file').waitFor();
    await page.locator('.columns').dispatchEvent('drop', { dataTransfer: data });
    await page.getByText('Pod dropped').waitFor();
  });

  it.each(['light', 'dark'] as const)('has no serious axe violations in %s', async (colorScheme) => {
    const { page: shown, complaints } = await openPage(browser, server.url, { colorScheme });
    await shown.locator('.line.owner').first().waitFor();
    await shown.locator('.tag').first().focus();
    expect(await faults(shown)).toEqual([]);
    expectNone(complaints);
    await shown.context().close();
  });

  it('fits on a phone', async () => {
    const { page: phone, complaints } = await openPage(browser, server.url, {
      viewport: { width: 390, height: 844 },
    });
    await phone.locator('.line.owner').first().waitFor();
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await faults(phone)).toEqual([]);
    expectNone(complaints);
    await phone.context().close();
  });

  it('follows the configuration when it is saved, and reports when it is broken', async () => {
    const file = join(folder, 'podgraft.yaml');
    await page.locator('.line', { hasText: 'my-webhook' }).waitFor();
    writeFileSync(file, CONFIG.replace('my-webhook', 'edited'));
    await page.locator('.line', { hasText: 'injected-by: edited' }).waitFor();
    writeFileSync(file, CONFIG.replace('use: overlay', 'use: overlayy'));
    await page.getByText('The configuration is broken').waitFor();
    writeFileSync(file, CONFIG);
    await page.getByText('The configuration is broken').waitFor({ state: 'detached' });
    await page.locator('.line', { hasText: 'my-webhook' }).waitFor();
  });

  it('lists requests as they arrive; each can be filtered, opened, replayed and edited', async () => {
    const list = await openPage(browser, `${server.url}#/requests`);
    const requests = list.page.locator('.request');
    await list.page.getByText('Verdict: all').waitFor({ state: 'attached' });
    await write(page, POD.replace('typed', 'live'));
    await requests.filter({ hasText: 'live' }).first().waitFor();
    await write(page, POD.replace('1.36', 'latest').replace('typed', 'refused'));
    await requests.filter({ hasText: 'refused' }).first().waitFor();
    await list.page.getByRole('combobox', { name: 'Verdict' }).selectOption('denied');
    await requests.filter({ hasText: 'live' }).first().waitFor({ state: 'detached' });
    expect(await requests.filter({ hasText: 'refused' }).count()).toBeGreaterThan(0);
    await list.page.getByRole('combobox', { name: 'Verdict' }).selectOption('');
    await list.page.getByRole('combobox', { name: 'Injector' }).selectOption('stamp');
    await requests.filter({ hasText: 'live' }).first().click();
    await list.page.locator('.line', { hasText: 'injected-by' }).waitFor();
    expect(await faults(list.page)).toEqual([]);
    await list.page.getByRole('button', { name: 'Replay' }).click();
    await list.page.getByText('Replayed now, with the same result').waitFor();
    await list.page.getByRole('button', { name: 'Edit in the playground' }).click();
    await list.page.locator('.cm-content', { hasText: 'name: live' }).waitFor();
    expectNone(list.complaints);
    await list.page.context().close();
  });
});
