import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { tidemark } from '../../support/server-process.ts';
import { Site, tickers, waitFor } from './site.ts';

const ASSETS = 10_000;
const folder = mkdtempSync(join(tmpdir(), 'tidemark-large-'));
const store = `sqlite:${join(folder, 'large.db')}`;

const ticker = (number: number) => `T${String(number).padStart(5, '0')}`;

let site: Site;
before(async () => {
  const file = join(folder, 'prices.csv');
  const lines = Array.from({ length: ASSETS }, (_, i) => `${ticker(i)},2026-06-30,${i + 1}`);
  writeFileSync(file, ['symbol,day,close', ...lines].join('\n'));
  await tidemark('ingest', 'csv', file, '--store', store);
  // Answers that a browser may keep for long: it must not show them for new ones.
  site = await Site.start('--open', '--max-age', '600', '--store', store);
});
after(async () => {
  await site?.close();
  rmSync(folder, { recursive: true });
});

describe(`a listing of ${ASSETS} assets, served without API keys`, () => {
  it('opens without a key, and scrolls to any place, fetching only what is seen there', async () => {
    const page = await site.open('/?sort=symbol&order=asc&cols=price');
    const asked: string[] = [];
    // What a busy service puts off is asked again.
    page.on('response', response => {
      if (response.status() !== 503) asked.push(response.url());
    });
    await page.getByText('10,000 assets').waitFor();
    assert.deepEqual(await tickers(page, 3), [0, 1, 2].map(ticker));

    for (const row of [5000, 9990, 1234]) {
      await page.evaluate(`document.querySelector('.table-region').scrollTop = ${row} * 32`);
      await page.getByText(ticker(row), { exact: true }).waitFor();
      const line = page.getByRole('row').filter({ hasText: ticker(row) });
      assert.equal(await line.getAttribute('aria-rowindex'), String(row + 2));
      assert.equal(await line.locator('td').getAttribute('title'), `Price ${row + 1}`);
      assert.ok((await page.locator('tbody tr').count()) < 100);
    }
    const queries = asked.filter(url => /\/ta-cur\?/.test(url)).map(url => new URL(url).searchParams);
    const pages = queries.flatMap(query =>
      query.get('limit') === '100' && query.has('page') ? [Number(query.get('page'))] : [],
    );
    const seen = [1, 50, 51, 100, 12, 13];
    assert.deepEqual(
      pages.filter(each => !seen.includes(each)),
      [],
      'pages other than those that were scrolled to',
    );
    assert.equal(new Set(pages).size, pages.length, `a page was fetched twice: ${pages}`);
    // The marks of the rows in sight, each time that some of them arrive.
    const marked = queries.flatMap(query => query.get('symbol')?.split(',').length ?? []);
    assert.ok(Math.max(...marked) < 100 && marked.length <= 2 * pages.length, `marks of ${marked} rows`);
    site.assertNoMisdeeds();
  });

  it('is sorted by the service, all of it', async () => {
    const page = await site.open('/?cols=price');
    await page.getByRole('button', { name: 'Price USD', exact: true }).click();
    await waitFor(async () => assert.deepEqual(await tickers(page, 2), [9999, 9998].map(ticker)));
  });
});

describe('a tab that stays open', () => {
  const comeBack = (page: Page) => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");

  it('shows new data when one comes back to it, where one was', async () => {
    const table = await site.open('/?sort=symbol&order=asc&cols=price');
    const asset = await site.open(`/asset/${ticker(5000)}`);
    await asset.getByText('2026-06-30: one close so far').waitFor();
    await table.getByText('10,000 assets').waitFor();
    await table.evaluate("document.querySelector('.table-region').scrollTop = 5000 * 32");
    const price = table
      .getByRole('row')
      .filter({ hasText: ticker(5000) })
      .locator('td');
    await price.filter({ hasText: '5,001.00' }).waitFor();

    const file = join(folder, 'later.csv');
    writeFileSync(file, `symbol,day,close\n${ticker(5000)},2026-07-01,777`);
    await tidemark('ingest', 'csv', file, '--store', store);
    await waitFor(async () => {
      await comeBack(table);
      assert.equal(await price.textContent(), '777.00');
    });
    assert.equal(await table.evaluate("document.querySelector('.table-region').scrollTop"), 5000 * 32);
    await comeBack(asset);
    await asset.getByText('2026-06-30 to 2026-07-01: from 5,001.00 to 777.00').waitFor();
    site.assertNoMisdeeds();
  });
});
