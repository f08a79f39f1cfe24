import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Whether there is a browser to test with. In CI there must be one. */
export const hasChromium = existsSync(CHROMIUM);
if (!hasChromium && process.env.CI) throw new Error(`Cannot find a browser: install chromium as ${CHROMIUM}`);
if (!hasChromium)
  console.warn('skipped: the page in a browser (install chromium, or set CHROMIUM to its path)');

export function launch(): Promise<Browser> {
  // Root has no sandbox. The pages are podgraft's own, on loopback.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

export interface OpenPage {
  readonly page: Page;
  /** Errors in the console, and requests that failed or went to another server. */
  readonly complaints: readonly string[];
}

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(url);
  return { page, complaints };
}

/** Serious and critical faults that axe-core finds, with the elements. */
export async function faults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    () => (globalThis as unknown as { axe: typeof axe }).axe.run() as Promise<axe.AxeResults>,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Replaces the text of the editor, as from the clipboard. */
export async function write(page: Page, yaml: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Object as YAML' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(yaml);
}

/** The result without the fold marks, line by line. */
export async function resultText(page: Page): Promise<string> {
  const lines = await page.locator('.yaml .line code').allTextContents();
  return lines.join('\n');
}

export function expectNone(complaints: readonly string[]): void {
  expect(complaints).toEqual([]);
}
