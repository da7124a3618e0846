import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { tidemark } from '../support/server-process.ts';
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
  site = await Site.start('--open', '--store', store);
});
after(async () => {
  await site?.close();
  rmSync(folder, { recursive: true });
});

describe(`a listing of ${ASSETS} assets, served to everybody`, () => {
  it('opens without a key, and scrolls to any place, fetching only what is seen there', async () => {
    const page = await site.open('/?sort=symbol&order=asc&cols=price');
    const asked: string[] = [];
    page.on('request', request => asked.push(request.url()));
    await page.getByText('10 000 assets').waitFor();
    assert.deepEqual(await tickers(page, 3), [0, 1, 2].map(ticker));

    for (const row of [5000, 9990, 1234]) {
      await page.evaluate(`document.querySelector('.table-region').scrollTop = ${row} * 32`);
      await page.getByText(ticker(row), { exact: true }).waitFor();
      const line = page.getByRole('row').filter({ hasText: ticker(row) });
      assert.equal(await line.getAttribute('aria-rowindex'), String(row + 2));
      assert.equal(await line.locator('td').getAttribute('title'), `Price ${row + 1}`);
      assert.ok((await page.locator('tbody tr').count()) < 100);
    }
    const pages = asked.filter(url => url.includes('/ta-cur'));
    assert.ok(pages.length <= 8, `${pages.length} requests for four screens`);
    site.assertNoMisdeeds();
  });

  it('is sorted by the service, all of it', async () => {
    const page = await site.open('/?cols=price');
    await page.getByRole('button', { name: 'Price', exact: true }).click();
    await waitFor(async () => assert.deepEqual(await tickers(page, 2), [9999, 9998].map(ticker)));
  });
});
