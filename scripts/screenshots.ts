// Makes the pictures of the explorer in docs/images, from the demo: `npm run screenshots`, or `npm run screenshots -- screener`.

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { DEMO_KEYS } from '../src/domain/api-key.ts';
import { openBrowser } from '../test/support/browser.ts';
import { copyDemoStore } from '../test/support/demo-store.ts';
import { ServerProcess } from '../test/support/server-process.ts';

/** Milliseconds until a page has its data and its charts. */
const SETTLE = 4000;
const images = join(import.meta.dirname, '../docs/images');
const desktop = { width: 1280, height: 820 };
const phone = { width: 390, height: 844 };

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: desktop, colorScheme: 'light' },
  dark: { viewport: desktop, colorScheme: 'dark' },
  phone: { viewport: phone, colorScheme: 'light', deviceScaleFactor: 2, hasTouch: true, isMobile: true },
};

const folder = await mkdtemp(join(tmpdir(), 'tidemark-screenshots-'));
const store = join(folder, 'demo.db');
await copyDemoStore(store);
const service = await ServerProcess.start('--demo', '--store', `sqlite:${store}`);
const browser = await openBrowser();
try {
  await mkdir(images, { recursive: true });
  const pages = { screener: '/', map: '/map', asset: `/asset/${await largestAsset()}` };
  const asked = process.argv.slice(2);
  for (const [name, path] of Object.entries(pages)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    for (const [look, options] of Object.entries(LOOKS)) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      await page.goto(service.url + path);
      // The stream of live prices never ends, so the network is never idle.
      await page.waitForTimeout(SETTLE);
      await page.screenshot({ path: join(images, `${name}-${look}.png`) });
      await context.close();
    }
  }
} finally {
  await browser.close();
  await service.stop();
  await rm(folder, { recursive: true });
}

async function largestAsset(): Promise<string> {
  const headers = { 'x-api-key': DEMO_KEYS.pro };
  const answer = await fetch(`${service.url}/v1/crypto/assets?limit=1&sort=rank&order=asc`, { headers });
  // The listing of assets, as the reference describes it.
  const { result } = (await answer.json()) as { result: { id: string }[] };
  return result[0]!.id;
}
