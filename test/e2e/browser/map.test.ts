// The map in a browser against the API: areas, colours, tags, filters, keys, and the table.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { audit } from './audit.ts';
import { type Row, Site, waitFor } from './site.ts';

let site: Site;
before(async () => {
  site = await Site.start();
});
afterEach(() => site.closePages());
after(() => site?.close());

async function openMap(search = '', options: Parameters<Site['open']>[1] = {}): Promise<Page> {
  const page = await site.open(`/map${search}`, options);
  await page.locator('.treemap a.tile').first().waitFor();
  return page;
}

interface Tile {
  readonly symbol: string;
  readonly label: string;
  readonly area: number;
  readonly colour: string;
}

function tilesOf(page: Page): Promise<Tile[]> {
  return page.locator('.treemap a.tile').evaluateAll(elements =>
    elements.map(element => {
      const { width, height } = element.getBoundingClientRect();
      return {
        symbol: element.getAttribute('data-symbol') ?? '',
        label: element.textContent ?? '',
        area: width * height,
        colour: element.className.replace(/^tile /, ''),
      };
    }),
  );
}

const largest = (query = '') => site.rows(`sort=market_cap&limit=300&incl_cols=market_cap&not_null=market_cap${query}`);
const symbols = (rows: readonly { readonly symbol: string }[]) => rows.map(({ symbol }) => symbol).sort();

describe('the map', () => {
  it('has the largest assets, with areas in proportion to their market capitalisation', async () => {
    // One tag is one group, whose tiles share one scale.
    const page = await openMap('?tag=payments');
    const rows = await largest('&tag=payments');
    const tiles = await tilesOf(page);
    assert.deepEqual(symbols(tiles), symbols(rows));
    const areaOf = (row: Row) => tiles.find(({ symbol }) => symbol === row.symbol)!.area;
    const [first, second] = [rows[0]!, rows[1]!];
    const expected = Number(first['market_cap']) / Number(second['market_cap']);
    assert.ok(Math.abs(areaOf(first) / areaOf(second) / expected - 1) < 0.02);
  });

  it('is coloured by the chosen change, with its sign in words', async () => {
    const page = await openMap();
    await page.getByRole('combobox', { name: /^Colour/ }).selectOption('change30');
    assert.equal(new URL(page.url()).search, '?colour=change30');
    const rows = await largest();
    await waitFor(async () => assert.match((await tilesOf(page))[0]!.label, /Change 30d/));
    const changes = new Map(rows.map(row => [row.symbol, row['change30']]));
    for (const { symbol, label, colour } of await tilesOf(page)) {
      const change = changes.get(symbol);
      if (typeof change !== 'number') assert.equal(colour, 'flat');
      else if (colour.startsWith('rise')) assert.ok(change > 0, `${symbol} ${change}`);
      else if (colour.startsWith('fall')) assert.ok(change < 0, `${symbol} ${change}`);
      if (typeof change === 'number' && Math.abs(change) > 0.01)
        assert.ok(label.includes(change > 0 ? '+' : '−'), label);
    }
  });

  it('groups assets by tag, zooms into one, and goes back', async () => {
    const page = await openMap();
    const title = page.locator('a.group-title').first();
    const tag = await title.innerText();
    await title.click();
    const id = new URL(page.url()).searchParams.get('tag')!;
    assert.equal(id.toLowerCase(), tag.toLowerCase());
    const rows = await largest(`&tag=${id}`);
    await waitFor(async () => assert.deepEqual(symbols(await tilesOf(page)), symbols(rows)));
    await page.goBack();
    await waitFor(async () => assert.deepEqual(symbols(await tilesOf(page)), symbols(await largest())));
  });

  it('has the filters of the screener, and leads back to it', async () => {
    const where = encodeURIComponent('change7 < -5 and price >= 1');
    const page = await openMap(`?where=${where}`);
    assert.deepEqual(symbols(await tilesOf(page)), symbols(await largest(`&where=${where}`)));
    const href = await page.getByRole('link', { name: 'Open in the screener' }).getAttribute('href');
    assert.equal(new URLSearchParams(href!.slice(1)).get('where'), 'change7 < -5 and price >= 1');
  });

  it('of a past day is sized by turnover', async () => {
    const page = await openMap('?as_of=2026-01-31');
    assert.equal(await page.getByLabel('Area').inputValue(), 'turnover30');
    await page.getByText('Its market cap is not recorded').waitFor();
  });

  it('of one of the first days, which have no mean of 30 days, is sized by the turnover of the day', async () => {
    const { result } = JSON.parse(await site.text('/v1/crypto/assets?sort=first_data_at&order=asc&limit=1'));
    const first = Date.parse(result[0].first_data_at.slice(0, 10));
    const page = await openMap(`?as_of=${new Date(first + 10 * 86_400_000).toISOString().slice(0, 10)}`);
    assert.equal(await page.getByLabel('Area').inputValue(), 'turnover');
  });

  it('of a day before the data says when it starts', async () => {
    const page = await site.open('/map?as_of=1990-01-01');
    await page.getByRole('link', { name: 'Show that day' }).click();
    await page.locator('.treemap a.tile').first().waitFor();
  });

  it('says so when nothing matches', async () => {
    const page = await site.open('/map?where=price%20%3C%200');
    await page.getByText('No asset matches').waitFor();
  });

  it('opens an asset', async () => {
    const page = await openMap();
    await page.locator('.treemap a.tile[data-symbol="ALDM"]').click();
    await page.getByRole('heading', { name: 'Aldermoor ALDM' }).waitFor();
  });
});

describe('for everyone, the map', () => {
  it('is one stop of the keyboard, moves by arrows to a neighbour, and opens by Enter', async () => {
    const page = await openMap('?tag=payments');
    const tabStops = await page.locator('.treemap a.tile[tabindex="0"]').count();
    assert.equal(tabStops, 1);
    await page.locator('.treemap a.tile[tabindex="0"]').focus();
    const focused = () => page.evaluate('document.activeElement.dataset.symbol');
    const before = await focused();
    const box = (await page.locator('.treemap a.tile:focus').boundingBox())!;
    await page.keyboard.press('ArrowRight');
    const next = (await page.locator('.treemap a.tile:focus').boundingBox())!;
    assert.notEqual(await focused(), before);
    assert.ok(next.x >= box.x + box.width - 1, 'it lies to the right');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await focused(), before);
    await page.keyboard.press('Enter');
    await page.locator('.asset-header').waitFor();
  });

  it('is there as a table, by the button and in the address', async () => {
    const page = await openMap('?tag=payments');
    await page.getByRole('button', { name: 'Table' }).click();
    assert.equal(new URL(page.url()).search, '?tag=payments&view=table');
    const rows = await largest('&tag=payments');
    await waitFor(async () => {
      const shown = await page.locator('.map-table tbody b').allInnerTexts();
      assert.deepEqual(
        shown,
        rows.map(row => row.symbol),
      );
    });
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has nothing that axe finds wrong, ${colorScheme}`, async () => {
      const page = await openMap('', { colorScheme });
      assert.deepEqual(await audit(page, colorScheme), []);
      await page.getByRole('button', { name: 'Table' }).click();
      await page.locator('.map-table').waitFor();
      assert.deepEqual(await audit(page, colorScheme), []);
    });
  }

  it('fits a window of 320 pixels, also from right to left', async () => {
    for (const direction of ['ltr', 'rtl']) {
      const page = await openMap('', { viewport: { width: 320, height: 640 } });
      await page.evaluate(`document.documentElement.dir = '${direction}'`);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
      const box = (await page.locator('.treemap a.tile').first().boundingBox())!;
      assert.ok(box.x >= 0 && box.x + box.width <= 320);
    }
  });
});

it('did nothing but talk to its own service, within its content policy', () => site.assertNoMisdeeds());
