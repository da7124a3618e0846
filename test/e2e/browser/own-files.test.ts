// The explorer over files of one's own, without profiles and volumes, and the notifications of a watched screen when a load changes it.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { tidemark } from '../../support/server-process.ts';
import { audit } from './audit.ts';
import { Site, tickers, waitFor } from './site.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-own-'));
const store = `sqlite:${join(folder, 'own.db')}`;
const DAYS = 40;
const dayOf = (i: number) => new Date(Date.UTC(2026, 4, 1 + i)).toISOString().slice(0, 10);
/** Percent that the price of each asset swings. */
const SWINGS = { CALM: 1, WILD: 30, MILD: 8 } as const;

async function load(...lines: readonly string[]): Promise<void> {
  const file = join(folder, 'prices.csv');
  writeFileSync(file, ['symbol,day,close', ...lines].join('\n'));
  await tidemark('ingest', 'csv', file, '--store', store);
}

let site: Site;
before(async () => {
  const lines = Object.entries(SWINGS).flatMap(([symbol, swing]) =>
    Array.from({ length: DAYS }, (_, i) => `${symbol},${dayOf(i)},${100 + (i % 2) * swing}`),
  );
  await load(...lines, `ONCE,${dayOf(DAYS - 1)},7`);
  site = await Site.start('--open', '--store', store);
});
afterEach(() => site.closePages());
after(async () => {
  await site?.close();
  rmSync(folder, { recursive: true });
});

describe('a store without ranks, market caps and volumes', () => {
  it('is listed by volatility, without columns that have no value', async () => {
    const page = await site.open('/');
    assert.deepEqual(await tickers(page, 4), ['WILD', 'MILD', 'CALM', 'ONCE']);
    await page.getByText('by Volatility 30d, highest first').waitFor();
    const heads = await page.locator('thead th').allInnerTexts();
    assert.deepEqual(
      heads.filter(head => /Rank|Market cap|Turnover/.test(head)),
      [],
    );
    await page.getByRole('button', { name: 'All assets', pressed: true }).waitFor();
  });

  it('has a map, sized by volatility', async () => {
    const page = await site.open('/map');
    await page.locator('.treemap a.tile').first().waitFor();
    assert.equal(await page.getByLabel('Area').inputValue(), 'vol30');
    assert.deepEqual((await page.locator('.treemap a.tile b').allInnerTexts()).sort(), ['CALM', 'MILD', 'WILD']);
  });

  it('does not say that an asset with one close is calm', async () => {
    const page = await site.open('/?cols=price,vol30');
    await tickers(page, 4);
    await waitFor(async () => {
      const texts = await page.locator('tbody tr', { hasText: 'ONCE' }).locator('td').allInnerTexts();
      assert.deepEqual(texts, ['7.0000', '–']);
    });
    const asset = await site.open('/asset/once');
    const volatility = asset.locator('.indicator-group', { hasText: 'Volatility 30d' });
    await volatility.waitFor();
    assert.doesNotMatch(await volatility.innerText(), /0\.00%/);
  });
});

/** What the operating system would show. */
const NOTIFICATIONS = `
  window.shown = [];
  window.Notification = class {
    static permission = 'default';
    static async requestPermission() { return (this.permission = 'granted'); }
    constructor(title, { body }) { window.shown.push({ title, body }); }
  };
`;

describe('a screen that the browser watches', () => {
  const shown = (page: Page) => page.evaluate<{ title: string; body: string }[]>('window.shown');
  const price = (symbol: string, value: number) => `${symbol},${dayOf(DAYS)},${value}`;

  it('notifies of assets that enter, also after a reload, until it is removed', async () => {
    const requests: string[] = [];
    const prepare = async (page: Page) => {
      await page.addInitScript(NOTIFICATIONS);
      page.on('request', request => requests.push(request.method()));
    };
    const page = await site.open(`/alerts?where=${encodeURIComponent('price > 1000')}`, { prepare });
    await page.getByLabel('Name').fill('Above a thousand');
    await page.getByRole('button', { name: 'Notify me in this browser' }).click();
    await page.getByText('“Above a thousand” is watched.').waitFor();
    await page.getByText('0 match now').waitFor();
    await page.getByRole('button', { name: 'Test' }).click();
    assert.match((await shown(page))[0]!.title, /Above a thousand: a test/);

    await load(price('WILD', 1500), price('CALM', 100));
    await waitFor(async () => assert.equal((await shown(page)).length, 2));
    const [, news] = await shown(page);
    assert.deepEqual(news, { title: 'Above a thousand: 1 asset entered', body: 'WILD 1,500.00 USD' });
    await page.getByText('1 match now').waitFor();
    assert.deepEqual(await audit(page), []);

    await page.goto(`${await site.url()}/`);
    await tickers(page, 1);
    await load(price('MILD', 2500));
    await waitFor(async () => assert.match((await shown(page))[0]?.title ?? '', /1 asset entered/));
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Alerts' });
    assert.match(await link.innerText(), /1/);
    await link.click();
    await page.getByText('MILD 2,500.00 USD').waitFor();
    await page.getByRole('button', { name: 'Remove Above a thousand' }).click();
    await page.reload();
    await page.getByText('MILD 2,500.00 USD').waitFor();
    assert.equal(await page.locator('.watches').count(), 0);
    assert.deepEqual([...new Set(requests)].sort(), ['GET', 'HEAD'], 'nothing was written on the server');
  });

  it('is paused and resumed', async () => {
    const prepare = (page: Page) => page.addInitScript(NOTIFICATIONS);
    const page = await site.open('/alerts?where=price%20%3C%2050', { prepare });
    await page.getByRole('button', { name: 'Notify me in this browser' }).click();
    await page.getByText('1 match now').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('paused', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('1 match now').waitFor();
    assert.deepEqual(await shown(page), []);
  });
});

it('did nothing but talk to its own service, within its content policy', () => site.assertNoMisdeeds());
