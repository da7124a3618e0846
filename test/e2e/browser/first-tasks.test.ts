// Ten tasks of a first-time visitor, by what the pages say on their buttons, fields and links.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { legend } from './asset-page.ts';
import { expectRows, Site, tickers, waitFor } from './site.ts';

let site: Site;
before(async () => {
  site = await Site.start();
});
afterEach(() => site.closePages());
after(() => site?.close());

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

// Wide enough to find an asset on every day: the demo is of today.
const OVERSOLD = 'rsi14 < 40 and market_cap > 100000000';

async function openScreener(): Promise<Page> {
  const page = await site.open('/');
  await tickers(page, 1);
  return page;
}

async function filterBy(page: Page, expression: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Filter' }).fill(expression);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
}

/** By its name in the table. */
async function openAldermoor(page: Page): Promise<void> {
  await page.locator('tbody a').filter({ hasText: 'Aldermoor' }).click();
  await page.getByRole('slider').waitFor();
}

it('finds oversold large caps', async () => {
  const page = await openScreener();
  await filterBy(page, OVERSOLD);
  const rows = await site.rows(`where=${encodeURIComponent(OVERSOLD)}&sort=rank&order=asc&limit=12`);
  assert.ok(rows.length > 0);
  await expectRows(page, rows);
});

it('compares two assets', async () => {
  const page = await openScreener();
  await openAldermoor(page);
  await page.getByPlaceholder('+ ticker or name').fill('Veloria');
  await page.getByRole('option', { name: 'VELR Veloria' }).click();
  await waitFor(async () => assert.deepEqual([...(await legend(page)).keys()], ['Day', 'ALDM', 'VELR']));
});

it('exports the rows', async () => {
  const page = await openScreener();
  await button(page, 'Export').click();
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download CSV').click()]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
  assert.ok(lines.length > 600 && lines[0]!.includes('symbol'), `${lines.length} lines`);
});

it('shares a screen', async () => {
  const page = await openScreener();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await button(page, 'Most volatile').click();
  await button(page, 'Share').click();
  await page.getByText('Link copied').waitFor();
  const address = String(await page.evaluate('navigator.clipboard.readText()'));
  const wanted = await tickers(page, 5);
  const other = await site.open(new URL(address).pathname + new URL(address).search);
  await waitFor(async () => assert.deepEqual(await tickers(other, 5), wanted));
});

it('saves a screen and opens it again', async () => {
  const page = await openScreener();
  await button(page, 'Newcomers').click();
  const before = await tickers(page, 5);
  await button(page, 'Saved').click();
  await page.getByPlaceholder('Name of this screen').fill('Young');
  await button(page, 'Save screen').click();
  await page.goto(await site.url());
  await button(page, 'Saved').click();
  await link(page, 'Young').click();
  await waitFor(async () => assert.deepEqual(await tickers(page, 5), before));
});

it('looks at a past day', async () => {
  const page = await openScreener();
  await page.getByLabel('As of').fill('2026-01-31');
  await page.getByText('The market of 2026-01-31').waitFor();
  await expectRows(page, await site.rows('as_of=2026-01-31&sort=turnover&order=desc&limit=5'), 5);
});

it('finds why a number is what it is', async () => {
  const page = await openScreener();
  await openAldermoor(page);
  await page.locator('.asset-changes').getByRole('button').first().click();
  const dialog = page.getByRole('dialog', { name: /^Change 1d of Aldermoor/ });
  await dialog.getByText('Exact, 40 digits').waitFor();
  await dialog.getByText('The 2 closes that it is computed from').waitFor();
});

it('sees the map of a tag', async () => {
  const page = await openScreener();
  await link(page, 'Map').click();
  await page.getByRole('link', { name: /^payments \d+$/ }).click();
  const rows = await site.rows('tag=payments&sort=market_cap&limit=300&not_null=market_cap');
  await waitFor(async () => assert.equal(await page.locator('.treemap a.tile').count(), rows.length));
});

it('makes an alert of a screen', async () => {
  const page = await openScreener();
  await filterBy(page, OVERSOLD);
  await waitFor(async () => assert.ok(page.url().includes('where=')));
  await link(page, 'Alerts').click();
  const command = await page.locator('#alert-command').innerText();
  assert.ok(command.includes(`--query 'where=${OVERSOLD}'`), command);
});

it('opens the API docs and comes back', async () => {
  const page = await openScreener();
  await link(page, 'API docs').click();
  await page.getByRole('heading', { name: /^Tidemark/ }).waitFor();
  await link(page, 'Screener').click();
  await tickers(page, 1);
});

it('did nothing but talk to its own service, within its content policy', () => site.assertNoMisdeeds());
