// What people who tried the explorer for the first time tripped over: each was a fault, and must stay mended.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { DEMO_KEYS } from '../../../src/domain/api-key.ts';
import { Site, tickers, waitFor } from './site.ts';

let site: Site;
before(async () => {
  site = await Site.start();
});
afterEach(() => site.closePages());
after(() => site?.close());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

interface Ready {
  readonly newest_day: string;
  readonly inactive: number;
  /** Of the listing. */
  readonly rows: number;
}
const ready = async (): Promise<Ready> => JSON.parse(await site.text('/readyz'));

describe('the age of the data', () => {
  /** The page believes that this much time has passed. */
  const later = (days: number) => (page: Page) =>
    page.addInitScript(`const now = Date.now; Date.now = () => now() + ${days} * 86400000`);

  it('is below the table: the day of the closes, and how many assets are inactive', async () => {
    const { newest_day: day, inactive } = await ready();
    const foot = (await site.open('/')).locator('.table-foot');
    await foot.getByText(`Closes of ${day} UTC`).waitFor();
    assert.ok(inactive > 0);
    await foot.getByText(`${inactive} inactive assets not listed`).waitFor();
    assert.equal(await foot.locator('.warn').count(), 0);
  });

  it('has a switch that shows the inactive assets, marked as such, and hides them', async () => {
    const { inactive, rows } = await ready();
    // The oldest closes are at the top.
    const page = await site.open('/?sort=datetimeUTC&order=asc');
    const foot = page.locator('.table-foot');
    await foot.getByRole('link', { name: 'show inactive' }).click();
    await foot.getByText(`with ${inactive} inactive assets`).waitFor();
    assert.equal(new URL(page.url()).search, '?inactive=1&sort=datetimeUTC&order=asc');
    // The rows of the view before stay until the new ones are there.
    await waitFor(async () => {
      const total = Number((await foot.getByRole('status').innerText()).replaceAll(/\D/g, ''));
      assert.ok(total > rows, `${total} are listed, ${rows} of them active`);
    });
    await page.locator('.badge.warn', { hasText: 'inactive' }).first().waitFor();
    await foot.getByRole('link', { name: 'hide inactive' }).click();
    await foot.getByText(`${inactive} inactive assets not listed`).waitFor();
    assert.equal(new URL(page.url()).search, '?sort=datetimeUTC&order=asc');
  });

  it('is a warning beyond two days, in the screener and on the page of an asset', async () => {
    for (const path of ['/', '/asset/aldm-aldermoor']) {
      const page = await site.open(path, { prepare: later(182) });
      assert.match(await page.locator('.badge.warn', { hasText: 'days old' }).innerText(), /^18[23] days old$/);
    }
  });
});

describe('an inactive asset', () => {
  it('is found by a search, with a link to its page', async () => {
    const { result } = JSON.parse(await site.text('/v1/crypto/assets?is_active=false&not_null=last_data_at&limit=1'));
    const page = await site.open(`/?q=${encodeURIComponent(result[0].name)}`);
    await page.getByText('No active asset matches.').waitFor();
    await page.locator(`a[href="/asset/${result[0].id}"]`).click();
    await page.getByText('Inactive: no recent close, or delisted').waitFor();
  });
});

describe('the table', () => {
  it('opens an asset by a click anywhere in its row', async () => {
    const page = await site.open('/');
    const [first] = await tickers(page, 1);
    await page.locator('tbody tr').first().locator('td').last().click();
    await page.locator('.asset-title .ticker', { hasText: first! }).waitFor();
  });

  it('keeps its filters on the way back by “All assets”', async () => {
    const page = await site.open('/?sort=vol30&order=desc&where=price%20%3E%201');
    const before = await tickers(page, 5);
    await page.locator('tbody a').first().click();
    await page.getByRole('link', { name: '← All assets' }).click();
    await waitFor(async () => assert.deepEqual(await tickers(page, 5), before));
    assert.equal(new URL(page.url()).search, '?sort=vol30&order=desc&where=price%20%3E%201');
  });

  it('remembers its columns, unless the address names others', async () => {
    const page = await site.open('/');
    await tickers(page, 1);
    await button(page, 'Columns').click();
    await page.getByRole('checkbox', { name: 'SMA 365' }).check();
    await page.goto(await site.url());
    await button(page, 'SMA 365 USD').waitFor();
    await page.goto(`${await site.url()}/?cols=price`);
    await tickers(page, 1);
    assert.equal(await button(page, 'SMA 365 USD').count(), 0);
  });

  it('opens its top row by Enter in the search', async () => {
    const page = await site.open('/');
    await page.getByRole('searchbox').fill('al');
    await page.waitForURL('**/?q=al');
    const [top] = await tickers(page, 1);
    await page.getByRole('searchbox').press('Enter');
    await page.locator('.asset-title .ticker', { hasText: top! }).waitFor();
  });
});

describe('a connection that fails', () => {
  it('is retried without a click, after a pause', async () => {
    const page = await site.open('/', { prepare: each => each.route('**/ta-cur?*', route => route.abort()) });
    await page.getByText(/retrying in \d s/).waitFor();
    await page.unroute('**/ta-cur?*');
    await tickers(page, 1);
  });

  it('inside a response is a failure, and not an endless “Loading”', async () => {
    const cut = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"id": "aldm' };
    const page = await site.open('/asset/aldm-aldermoor', {
      prepare: each => each.route('**/assets/aldm*', route => route.fulfill(cut)),
    });
    await page.getByRole('alert').filter({ hasText: 'does not answer' }).waitFor();
    await page.unroute('**/assets/aldm*');
    await page.getByRole('heading', { name: 'Aldermoor ALDM' }).waitFor();
  });

  it('to a file that an upgrade has replaced reloads the page once', async () => {
    let missing = 1;
    const page = await site.open('/', {
      prepare: each =>
        each.route('**/app/asset-page-*.js', route => (missing-- > 0 ? route.abort() : route.continue())),
    });
    await page.locator('tbody a').first().click();
    await page.locator('.asset-title .ticker').waitFor();
    assert.ok(missing < 0);
  });
});

describe('an API key', () => {
  const enter = async (page: Page, remember: boolean) => {
    await page.getByRole('textbox', { name: 'API key' }).fill(DEMO_KEYS.pro);
    if (remember) await page.getByRole('checkbox', { name: 'Remember on this device' }).check();
    await button(page, 'Use this API key').click();
    await tickers(page, 1);
  };

  for (const remember of [true, false]) {
    it(`is ${remember ? '' : 'not '}there in a new tab ${remember ? 'when' : 'unless'} the person said so`, async () => {
      const page = await site.open('/', {}, 'keys');
      await page.getByText('./tidemark keys create --tier pro --name me').waitFor();
      await enter(page, remember);
      const other = await page.context().newPage();
      await other.goto(await site.url('keys'));
      if (remember) await tickers(other, 1);
      else await other.getByRole('textbox', { name: 'API key' }).waitFor();
    });
  }
});

describe('the reference page', () => {
  it('sends requests in the demo, without a sample If-None-Match', async () => {
    const page = await site.open('/docs');
    await page.locator('#operations-Profiles-getAsset .opblock-summary-control').click();
    await button(page, 'Try it out').click();
    await page.getByPlaceholder('id', { exact: true }).fill('aldm-aldermoor');
    const [request] = await Promise.all([
      page.waitForRequest('**/v1/crypto/assets/aldm-aldermoor'),
      button(page, 'Execute').click(),
    ]);
    assert.equal((await request.response())?.status(), 200);
    assert.equal(request.headers()['if-none-match'], undefined);
  });
});
