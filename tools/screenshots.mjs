// Takes the screenshots of the docs: `npm run build && node tools/screenshots.mjs`. Needs chromium (CHROMIUM has its path).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const server = spawn(process.execPath, [`${root}dist/cli/main.js`, 'playground', '--port', '0'], {
  stdio: 'pipe',
});
const [line] = await once(createInterface(server.stdout), 'line');
const [url] = /http:\/\/\S+/.exec(line);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});

for (const colorScheme of ['light', 'dark']) {
  const page = await browser.newPage({ viewport: { width: 1360, height: 765 }, colorScheme });
  await page.goto(url);
  await page.locator('.line.owner').first().waitFor();
  // The first run is slower than later ones.
  await page.getByRole('switch').first().uncheck();
  await page.getByRole('switch').first().check();
  await page.waitForTimeout(1000);
  await page.locator('.line.owner').first().hover();
  // Colours change slowly.
  await page.waitForTimeout(300);
  await shoot(page, `playground-${colorScheme}`);
  await page.mouse.move(0, 0);
  await page.getByRole('button', { name: 'pods.podgraft.dev' }).first().click();
  await page.getByRole('tabpanel').waitFor();
  await page.waitForTimeout(300);
  await shoot(page, `playground-stop-${colorScheme}`);
  await page.goto(`${url}#/requests`);
  await page.locator('.request').first().click();
  await page.locator('.line.owner').first().waitFor();
  await shoot(page, `requests-${colorScheme}`);
  await page.close();
}
await browser.close();
server.kill('SIGTERM');

function shoot(page, name) {
  return page.screenshot({ path: `${root}docs/images/${name}.png` });
}
