// An asset with two sources that disagree: their comparison, and the mark of its row that leads to the findings.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { tidemark } from '../../support/server-process.ts';
import { audit } from './audit.ts';
import { Site, tickers } from './site.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-sources-'));
const store = `sqlite:${join(folder, 'own.db')}`;
const dayOf = (i: number) => new Date(Date.UTC(2026, 4, 1 + i)).toISOString().slice(0, 10);
const DAYS = Array.from({ length: 40 }, (_, i) => i);

async function load(source: string, ...lines: readonly string[]): Promise<void> {
  const file = join(folder, `${source}.csv`);
  writeFileSync(file, ['symbol,day,close', ...lines].join('\n'));
  await tidemark('ingest', 'csv', file, '--source', source, '--store', store);
}

let site: Site;
before(async () => {
  const calm = (symbol: string) => DAYS.map(i => `${symbol},${dayOf(i)},${100 + (i % 2)}`);
  await load('first', ...calm('ONE'), ...calm('TWO').slice(0, 39));
  // A day of its own, and one that is 10 % higher.
  await load('second', `TWO,${dayOf(30)},${110}`, `TWO,${dayOf(39)},101`);
  site = await Site.start('--open', '--store', store);
});
afterEach(() => site.closePages());
after(async () => {
  await site?.close();
  rmSync(folder, { recursive: true });
});

describe('an asset with two sources', () => {
  it('has a mark in its row, which leads to the list of findings', async () => {
    const page = await site.open('/');
    await tickers(page, 2);
    const mark = page.getByRole('link', { name: '1 finding in the bars of the last 30 days' });
    await mark.waitFor();
    assert.equal(await mark.count(), 1);
    assert.match(String(await page.getByRole('row').filter({ has: mark }).innerText()), /TWO/);
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      assert.deepEqual(await audit(page, scheme), [], scheme);
    }
    await mark.click();
    await page.getByText('The sources differ by 10 %').waitFor();
    assert.equal(new URL(page.url()).hash, '#findings');
    await page.locator('#findings:focus').waitFor();
  });

  it('shows which decided, and compares them', async () => {
    const page = await site.open('/asset/two');
    const section = page.locator('.sources');
    await section.getByText(`The close of ${dayOf(39)} UTC is from second.`).waitFor();
    assert.deepEqual(await section.locator('tbody tr').allInnerTexts(), [
      ['first', `${dayOf(0)} UTC`, `${dayOf(38)} UTC`, '39', '97.50%', '0.00%', '0.00%'].join('\t'),
      ['second', `${dayOf(30)} UTC`, `${dayOf(39)} UTC`, '2', '2.50%', '5.00%', '10.00%'].join('\t'),
    ]);
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      assert.deepEqual(await audit(page, scheme), [], scheme);
    }
    await page.setViewportSize({ width: 320, height: 800 });
    assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 320);
    await page.goto(`${await site.url()}/asset/one`);
    await page.getByText('All bars are from the source first.').waitFor();
    assert.equal(await page.locator('.sources, .findings').count(), 0);
  });
});

it('did nothing but talk to its own service, within its content policy', () => site.assertNoMisdeeds());
