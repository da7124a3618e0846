// The quote of the pages: in the address, in saved screens, on every page and in every unit.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertShows } from './asset-page.ts';
import { audit } from './audit.ts';
import { expectRows, Site, tickers } from './site.ts';

let site: Site;
before(async () => {
  site = await Site.start();
});
afterEach(() => site.closePages());
after(() => site?.close());

/** The invented fiat currency of the demo, and one of its coins. */
const [FIAT, COIN] = ['CRN', 'VELR'];
const ASSET = 'aldm-aldermoor';
const field = (page: Page) => page.getByLabel('Quote');
const search = (page: Page) => new URL(page.url()).searchParams;

describe('the quote', () => {
  it('of the screener is that of its rows, units, summary and saved screens', async () => {
    const page = await site.open('/');
    await tickers(page, 1);
    await field(page).selectOption(FIAT!);
    const [row] = await site.rows(`quote=${FIAT}&sort=rank&order=asc&limit=1`);
    await page.getByTitle(`Price ${row!['price']}`, { exact: true }).waitFor();
    assert.equal(search(page).get('quote'), FIAT);
    await page.getByRole('columnheader', { name: `Price ${FIAT}` }).waitFor();
    await page
      .locator('.market-summary')
      .getByText(new RegExp(`^[\\d.]+ [BT] ${FIAT}$`))
      .first()
      .waitFor();
    assert.equal(await page.evaluate('document.activeElement.id'), 'quote', 'the focus stays');
    await page.getByRole('button', { name: 'Saved', exact: true }).click();
    await page.getByRole('textbox', { name: 'Name of this screen' }).fill('in crowns');
    await page.getByRole('button', { name: 'Save screen' }).click();
    await field(page).selectOption('USD');
    await expectRows(page, await site.rows('sort=rank&order=asc&limit=5'), 5);
    await page.getByRole('columnheader', { name: 'Price USD' }).waitFor();
    assert.equal(new URL(page.url()).search, '');
    await page.getByRole('button', { name: 'Saved', exact: true }).click();
    await page.getByRole('link', { name: 'in crowns' }).click();
    await page.getByRole('columnheader', { name: `Price ${FIAT}` }).waitFor();
  });

  it('stays on the way from the map to an asset and back, with a day and an interval', async () => {
    const page = await site.open(`/map?interval=1w&as_of=2026-06-01&quote=${COIN}`);
    const tile = page.locator('.treemap a.tile[data-symbol="ALDM"]');
    await tile.waitFor();
    assert.match(await page.locator('.map-words').innerText(), new RegExp(COIN!));
    await tile.click();
    await page.locator('.asset-price .price .note').getByText(COIN!).waitFor();
    const query = `ta-hist?id=${ASSET}&interval=1w&to=2026-06-01&quote=${COIN}&limit=1`;
    const { result } = JSON.parse(await site.text(`/v1/crypto/${query}`));
    assertShows(await page.locator('.asset-price .price .number').innerText(), result[0].price);
    await page.getByText(new RegExp(` ${COIN} \\([+−][\\d.,]+%\\)`)).waitFor();
    assert.deepEqual(
      ['interval', 'as_of', 'quote'].map(name => search(page).get(name)),
      ['1w', '2026-06-01', COIN],
    );
    await page.getByRole('link', { name: '← All assets' }).click();
    await page.getByRole('columnheader', { name: `Price ${COIN}` }).waitFor();
    assert.equal(search(page).get('quote'), COIN);
  });

  it('that is not known is said, with the way back to dollars', async () => {
    const page = await site.open('/?quote=NOPE');
    await page.getByText('Unknown quote "NOPE".').waitFor();
    assert.deepEqual(await audit(page), []);
    await page.getByRole('button', { name: 'Show prices in USD' }).click();
    await expectRows(page, await site.rows('sort=rank&order=asc&limit=5'), 5);
    assert.equal(search(page).get('quote'), null);
  });

  it('alone does not make an alert, and belongs to one that has a filter', async () => {
    const page = await site.open(`/alerts?quote=${FIAT}`);
    await page.getByText('The screener has no filter yet.').waitFor();
    await page.goto(`${await site.url()}/alerts?quote=${FIAT}&where=price%20%3E%201`);
    const { result } = JSON.parse(
      await site.text(`/v1/crypto/ta-cur/stats?where=price%20%3E%201&quote=${FIAT}&cols=price`),
    );
    await page.getByText(`: ${result[0].count} now.`).waitFor();
    assert.match(await page.locator('#alert-command').innerText(), /--query 'where=price > 1&quote=CRN'/);
  });
});

it('did nothing but talk to its own service, within its content policy', () => site.assertNoMisdeeds());
