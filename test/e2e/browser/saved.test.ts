// Trends, saved screens, watchlists, links to share, and files.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { audit } from './audit.ts';
import { expectRows, Site, tickers, waitFor } from './site.ts';

let site: Site;
before(async () => {
  site = await Site.start();
});
afterEach(() => site.closePages());
after(() => site?.close());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const BY_NAME = 'sort=symbol&order=asc';

describe('the trend', () => {
  it('is drawn from the closes of the last 90 days, fetched in one request per screenful', async () => {
    const asked: string[] = [];
    const page = await site.open(`/?${BY_NAME}&cols=price,trend`, {
      prepare: async each => {
        each.on('request', request => request.url().includes('/closes?') && asked.push(request.url()));
      },
    });
    const rows = await site.rows(`${BY_NAME}&limit=12&min_history=90`);
    const { result } = JSON.parse(await site.text(`/v1/crypto/closes?symbol=${rows.map(each => each.symbol).join()}`));
    const line = page.getByRole('row').filter({ hasText: rows[0]!.symbol }).first().locator('polyline');
    await line.waitFor({ state: 'attached' });
    const points = (await line.getAttribute('points'))!.split(' ').map(pair => pair.split(',').map(Number));
    const closes: number[] = result[0].closes;
    assert.equal(points.length, closes.length);
    // The highest close is the topmost point, and the lowest the lowest.
    const heights = points.map(([, y]) => y!);
    assert.equal(heights[closes.indexOf(Math.max(...closes))], Math.min(...heights));
    assert.equal(heights[closes.indexOf(Math.min(...closes))], Math.max(...heights));
    assert.equal(asked.length, 1);
    await page.evaluate("document.querySelector('.table-region').scrollTop = 1e6");
    await waitFor(async () => assert.equal(asked.length, 2));
  });
});

describe('a saved screen', () => {
  it('is opened again by its name, also after it moved to another browser as JSON', async () => {
    const page = await site.open('/?where=sma50%20%3E%20sma200&sort=vol30&order=desc&cols=price,vol30');
    const rows = await site.rows('where=sma50>sma200&sort=vol30&order=desc&limit=12');
    await expectRows(page, rows);
    await button(page, 'Saved').click();
    await page.getByLabel('Name of this screen').fill('Crossed');
    await button(page, 'Save screen').click();
    assert.deepEqual(await audit(page), []);
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Export as JSON').click()]);
    const file = await readFile(await download.path());

    await page.goto(await site.url());
    await button(page, 'Saved').click();
    await page.getByRole('link', { name: 'Crossed' }).click();
    await expectRows(page, rows);

    const other = await site.open('/');
    await button(other, 'Saved').click();
    await other.getByLabel('Import JSON').setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: file });
    await other.getByText('1 screens and watchlists read').waitFor();
    await other.getByRole('link', { name: 'Crossed' }).click();
    await expectRows(other, rows);
    await button(other, 'Remove Crossed').click();
    await waitFor(async () => assert.equal(await other.getByRole('link', { name: 'Crossed' }).count(), 0));
    await other
      .getByLabel('Import JSON')
      .setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('[]') });
    await other.getByText('This file has no saved screens.').waitFor();
  });
});

describe('a watchlist', () => {
  it('is filled by the stars of rows, and shows their assets', async () => {
    const page = await site.open(`/?${BY_NAME}`);
    const [first, second, third] = await tickers(page, 3);
    await button(page, `${first} in the watchlist`).click();
    await button(page, `${third} in the watchlist`).click();
    await button(page, `${second} in the watchlist`).click();
    await button(page, `${second} in the watchlist`).click();
    await button(page, 'Saved').click();
    await page.getByRole('link', { name: 'Watchlist' }).click();
    await page.getByText('2 assets').waitFor();
    assert.deepEqual((await tickers(page, 5)).sort(), [first, third]);
    assert.equal(await button(page, `${first} in the watchlist`).getAttribute('aria-pressed'), 'true');
    await page.reload();
    await page.getByText('2 assets').waitFor();
    await button(page, `Remove the filter: Only ${first}, ${third}`).click();
    await waitFor(async () => assert.equal(await page.getByText('2 assets', { exact: true }).count(), 0));
  });

  it('takes the row of the keyboard too', async () => {
    const page = await site.open(`/?${BY_NAME}`);
    const [first] = await tickers(page, 1);
    await page.getByRole('region', { name: 'Assets' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Space');
    assert.equal(await button(page, `${first} in the watchlist`).getAttribute('aria-pressed'), 'true');
  });
});

describe('sharing', () => {
  it('copies a link that shows the same rows and columns elsewhere', async () => {
    const page = await site.open(`/?${BY_NAME}&where=vol30%20%3E%2050`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await button(page, 'Columns').click();
    await page.getByRole('checkbox', { name: 'SMA 365' }).check();
    await button(page, 'Share').click();
    await page.getByText('Link copied').waitFor();
    const link = new URL(String(await page.evaluate('navigator.clipboard.readText()')));
    const other = await site.open(link.pathname + link.search);
    await expectRows(other, await site.rows(`${BY_NAME}&where=vol30>50&limit=12`));
    await button(other, 'SMA 365 USD').waitFor();
  });

  it('shows the link on a line of its own where the page may not copy', async () => {
    const page = await site.open('/?where=vol30%20%3E%2050', {
      viewport: { width: 360, height: 740 },
      prepare: each => each.addInitScript('delete Navigator.prototype.clipboard'),
    });
    await tickers(page, 1);
    await button(page, 'Share').click();
    const link = page.getByText(/^http.*where=/).last();
    const [line, share] = [(await link.boundingBox())!, (await button(page, 'Share').boundingBox())!];
    assert.ok(line.y >= share.y + share.height, 'below the buttons');
    assert.ok(line.x >= 0 && line.x + line.width <= 360, 'within the window');
  });
});

describe('export', () => {
  it('gives the whole listing as Parquet', async () => {
    const page = await site.open('/');
    await button(page, 'Export').click();
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download Parquet').click()]);
    assert.match(download.suggestedFilename(), /^tidemark-ta-cur-\d{4}-\d\d-\d\d\.parquet$/);
    const bytes = await readFile(await download.path());
    assert.deepEqual([bytes.subarray(0, 4).toString(), bytes.subarray(-4).toString()], ['PAR1', 'PAR1']);
  });
});

it('did nothing but talk to its own service, with the key in a header, within its content policy', () => {
  site.assertNoMisdeeds();
});
