// One day for all pages: typed in full, within bounds, carried from the screener to the map, to an asset and back.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { expectRows, Site, tickers, waitFor } from './site.ts';

let site: Site;
before(async () => {
  site = await Site.start();
});
afterEach(() => site.closePages());
after(() => site?.close());

const PAST = '2026-01-31';
const field = (page: Page) => page.getByLabel('As of');
const dayIn = (page: Page) => new URL(page.url()).searchParams.get('as_of');

describe('a day that is typed', () => {
  it('is applied once it is whole, and no request asks for another', async () => {
    const asked = new Set<string | null>();
    const page = await site.open('/');
    await tickers(page, 1);
    page.on('request', request => asked.add(new URL(request.url()).searchParams.get('as_of')));
    await field(page).focus();
    await page.keyboard.type('01312026');
    await expectRows(page, await site.rows(`as_of=${PAST}&sort=turnover&order=desc&limit=5`), 5);
    assert.equal(dayIn(page), PAST);
    asked.delete(null);
    assert.deepEqual([...asked], [PAST]);
    assert.equal(await page.locator('.problem').count(), 0);
  });

  it('is refused before the data and after it, with the day where it starts or ends', async () => {
    const page = await site.open('/');
    const [first] = await tickers(page, 1);
    const [oldest] = JSON.parse(await site.text('/v1/crypto/assets?sort=first_data_at&order=asc&limit=1')).result;
    const { newest_day: newest } = JSON.parse(await site.text('/readyz'));
    await field(page).focus();
    await page.keyboard.type('01011990');
    await page
      .getByRole('alert')
      .filter({ hasText: `Data starts on ${oldest.first_data_at.slice(0, 10)}.` })
      .waitFor();
    await field(page).focus();
    await field(page).fill('2030-01-01');
    await page
      .getByRole('alert')
      .filter({ hasText: `The newest close is of ${newest}.` })
      .waitFor();
    assert.equal(dayIn(page), null);
    assert.deepEqual(await tickers(page, 1), [first]);
  });

  it('in an address before the data leads to the first day', async () => {
    const page = await site.open('/?as_of=1990-01-01');
    const [oldest] = JSON.parse(await site.text('/v1/crypto/assets?sort=first_data_at&order=asc&limit=1')).result;
    await page.getByText(`Data starts on ${oldest.first_data_at.slice(0, 10)}.`).waitFor();
    await page.getByRole('link', { name: 'Show that day' }).click();
    await tickers(page, 1);
  });
});

describe('a past day', () => {
  it('stays on the way from the screener to an asset, to the map and back, until it is left', async () => {
    const page = await site.open(`/?as_of=${PAST}`);
    const [row] = await site.rows(`as_of=${PAST}&sort=turnover&order=desc&limit=1`);
    await page
      .getByRole('row', { name: new RegExp(`${row!.symbol} `) })
      .first()
      .click();
    await page.locator('.asset-header').waitFor();
    assert.equal(dayIn(page), PAST);
    await page.locator('.asset-price time', { hasText: PAST }).waitFor();
    await page.getByRole('button', { name: '1M', exact: true }).click();
    assert.equal(dayIn(page), PAST, 'another range is of the same day');
    await waitFor(async () => assert.match(await page.locator('figcaption').innerText(), new RegExp(`to ${PAST}:`)));

    await page.getByRole('link', { name: 'Map' }).click();
    await page.getByRole('complementary', { name: 'A past day' }).getByText(PAST).waitFor();
    await page.locator('.treemap a.tile').first().waitFor();
    assert.equal(await field(page).inputValue(), PAST);
    await page.locator(`.treemap a.tile[data-symbol="${row!.symbol}"]`).click();
    await page.locator('.asset-price time', { hasText: PAST }).waitFor();
    await page.getByRole('link', { name: '← All assets' }).click();
    await expectRows(page, await site.rows(`as_of=${PAST}&sort=turnover&order=desc&limit=5`), 5);

    await page.getByRole('button', { name: 'Back to today' }).click();
    await expectRows(page, await site.rows('sort=rank&order=asc&limit=5'), 5);
    assert.equal(dayIn(page), null);
  });

  it('before the first close of an asset says when that was', async () => {
    const page = await site.open('/asset/aldm-aldermoor?as_of=2015-01-01');
    await page.getByText('Aldermoor has no close up to 2015-01-01.').waitFor();
  });

  it('that has not begun is not said to have prices', async () => {
    const page = await site.open('/asset/aldm-aldermoor?as_of=2040-01-01');
    await page.getByText('2040-01-01 has not begun: these are the latest prices.').waitFor();
  });
});

it('did nothing but talk to its own service, within its content policy', () => site.assertNoMisdeeds());
