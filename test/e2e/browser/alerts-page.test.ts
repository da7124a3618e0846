// The alerts page and the reference page in a browser: the command that it shows is run, and the alert is listed.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { DEMO_KEYS } from '../../../src/domain/api-key.ts';
import { copyDemoStore } from '../../support/demo-store.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { audit } from './audit.ts';
import { Site, waitFor } from './site.ts';

const root = join(import.meta.dirname, '../../..');

let site: Site;
before(async () => {
  site = await Site.start();
});
afterEach(() => site.closePages());
after(() => site?.close());

const SCREEN = `?where=${encodeURIComponent("change7 < -5 and symbol != 'ALDM'")}&tag=payments&cols=price`;

describe('the alerts page', () => {
  it('leads to the screener while it has no filter', async () => {
    const page = await site.open('/alerts');
    await page.getByText('The screener has no filter yet.').waitFor();
    await page.getByText('There are no alerts yet.').waitFor();
  });

  it('shows a command that works, and then the alert without its secrets', async () => {
    const page = await site.open(`/alerts${SCREEN}`);
    await page.getByLabel('Name').fill("Bob's screen");
    await page.getByLabel('When assets').selectOption('both');
    await page.getByLabel('Post to').selectOption('ntfy');
    const command = await page.locator('#alert-command').innerText();
    assert.match(command, /--on both --format ntfy/);
    await promisify(execFile)('sh', ['-c', command], { cwd: root });
    const { result } = JSON.parse(
      await site.text(`/v1/crypto/ta-cur/stats${SCREEN.replace('&cols', '&excl_cols')}&cols=price`),
    );
    await page.getByText(`: ${result[0].count} now.`).waitFor();
    await page.reload();
    const row = page.locator('.alert-table tbody tr');
    await row.waitFor();
    const text = await row.innerText();
    for (const wanted of [
      "Bob's screen",
      'active',
      "where=change7 < -5 and symbol != 'ALDM'&tag=payments",
      'https://ntfy.sh/…',
    ]) {
      assert.ok(text.includes(wanted), `${wanted} in ${text}`);
    }
    assert.ok(!(await page.content()).includes('YOUR-TOPIC</td>'));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await audit(page, colorScheme), [], colorScheme);
    }
  });

  it('names the store of the demo, which nobody has named', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tidemark-demo-'));
    await mkdir(join(folder, 'data'));
    await copyDemoStore(join(folder, 'data', 'demo.db'));
    process.chdir(folder);
    const server = await ServerProcess.start('--demo', '--workers', '1').finally(() => process.chdir(root));
    try {
      const page = await (await fetch(`${server.url}/alerts`)).text();
      assert.match(page, /keys create [^"]* --store sqlite:data\/demo\.db&quot;/);
    } finally {
      await server.stop();
      await rm(folder, { recursive: true });
    }
  });

  it('says why an API key does not get the list', async () => {
    const prepare = (page: Page) => page.addInitScript(`sessionStorage.setItem('tidemark-key', '${DEMO_KEYS.pro}')`);
    const page = await site.open(`/alerts${SCREEN}`, { prepare }, 'keys');
    await page.getByText('The tier of your API key does not include the list').first().waitFor();
    await page.locator('#alert-command').waitFor();
  });

  it('fits a window of 320 pixels', async () => {
    const page = await site.open(`/alerts${SCREEN}`, { viewport: { width: 320, height: 640 } });
    await page.locator('#alert-command').waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
  });
});

describe('the reference page', () => {
  const background = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor');

  it('is dark by the system, or by the button of the explorer, and leads there and back', async () => {
    // Swagger UI, which takes the browser seconds, is not part of this.
    const prepare = (page: Page) => page.route('**/docs/reference.js', route => route.fulfill({ body: '' }));
    const page = await site.open('/docs', { colorScheme: 'dark', prepare });
    const dark = await background(page);
    await page.emulateMedia({ colorScheme: 'light' });
    await waitFor(async () => assert.notEqual(await background(page), dark));
    await page.getByRole('link', { name: 'Screener', exact: true }).click();
    await page.locator('.screener').waitFor();
    await page.getByRole('button', { name: 'Switch to dark colours' }).click();
    await page.getByRole('link', { name: 'API docs' }).click();
    await page.locator('.masthead').waitFor();
    assert.equal(await background(page), dark);
  });

  // To render the reference takes the browser seconds: one page for what can be seen on it.
  it('sends the demo key, has enough contrast, and fits a window of 320 pixels', async () => {
    const page = await site.open('/docs#error-not_found', { colorScheme: 'light' });
    await page.locator('.swagger-ui .info').waitFor();
    // With it, a request can be tried at once.
    await page.locator('.swagger-ui .authorize.locked, .swagger-ui .auth-wrapper .locked').first().waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // Swagger UI, between them, has faults of its own.
      assert.deepEqual(await audit(page, 'dark', ['.masthead', '.notice', '.errors']), [], colorScheme);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    const box = (await page.locator('.masthead').boundingBox())!;
    assert.ok(box.width <= 320);
  });
});

it('did nothing but talk to its own service, within its content policy', () => site.assertNoMisdeeds());
