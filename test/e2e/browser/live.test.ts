import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { heapAfterEvents } from './live-heap.ts';
import { expectRows, type Row, Site, tickers, waitFor } from './site.ts';

let site: Site;
before(async () => {
  // The demo moves five prices every second here, as it does for users.
  process.env['TIDEMARK_NO_TICKS'] = 'false';
  site = await Site.start();
});
afterEach(() => site.closePages());
after(() => site?.close());

const VIEW = '/?sort=symbol&order=asc&cols=price,change1';
/** Shows about sixty assets. */
const tall = { viewport: { width: 900, height: 2000 } };
const live = (page: Page) => page.locator('button.live');

/** The exact prices that the table shows, by ticker. */
async function prices(page: Page): Promise<Record<string, number>> {
  const rows = await page.locator('tbody tr').all();
  const pairs = await Promise.all(
    rows.map(async row => [
      await row.locator('b').textContent(),
      Number((await row.locator('td').first().getAttribute('title'))?.replace('Price ', '')),
    ]),
  );
  return Object.fromEntries(pairs);
}

async function pricesOf(query: string): Promise<Record<string, number>> {
  return Object.fromEntries((await site.rows(query)).map(row => [row.symbol, Number(row['price'])]));
}

const QUERY = 'sort=symbol&order=asc&limit=60';

describe('the table', () => {
  it('shows new prices as they are published, with a highlight that fades', async () => {
    const page = await site.open(VIEW, tall);
    await page.locator('button.live.on').waitFor();
    const before = await prices(page);
    await page.locator('td[class*="moved-"]').first().waitFor({ state: 'attached' });
    await waitFor(async () => {
      const shown = await prices(page);
      const now = await pricesOf(QUERY);
      for (const [symbol, price] of Object.entries(now)) if (symbol in shown) assert.equal(shown[symbol], price);
      assert.notDeepEqual(shown, before);
    });
    await waitFor(async () => {
      const names = await page.evaluate(
        "document.getAnimations().map(each => each.animationName).filter(name => name.startsWith('moved')).length",
      );
      assert.equal(names, 0);
    });
  });

  it('follows the rows that it has been scrolled to', async () => {
    const page = await site.open(VIEW, { viewport: { width: 900, height: 700 } });
    const rows = await site.rows('sort=symbol&order=asc&limit=1000');
    await expectRows(page, rows);
    await page.evaluate("document.querySelector('.table-region').scrollTop = 1e6");
    await page.getByText(rows.at(-1)!.symbol, { exact: true }).waitFor();
    const before = await prices(page);
    await waitFor(async () => assert.notDeepEqual(await prices(page), before));
  });

  it('keeps the order of the service while values change', async () => {
    const page = await site.open('/?sort=price&order=desc&cols=price', tall);
    await page.locator('button.live.on').waitFor();
    await page.locator('td[class*="moved-"]').first().waitFor({ state: 'attached' });
    await expectRows(page, await site.rows('sort=price&order=desc&limit=40'), 40);
  });

  it('stands still when paused, and catches up when resumed', async () => {
    const page = await site.open(VIEW, tall);
    await page.locator('button.live.on').waitFor();
    await live(page).click();
    await page.getByRole('button', { name: 'Paused: resume updates' }).waitFor();
    const shown = await prices(page);
    await waitFor(async () => {
      const now = await pricesOf(QUERY);
      assert.ok(Object.entries(shown).some(([symbol, price]) => symbol in now && now[symbol] !== price));
    });
    assert.deepEqual(await prices(page), shown);
    await live(page).click();
    await waitFor(async () => {
      const now = await pricesOf(QUERY);
      for (const [symbol, price] of Object.entries(await prices(page))) {
        if (symbol in now) assert.equal(now[symbol], price);
      }
    });
  });

  it('has no highlight for people who asked for less motion', async () => {
    const page = await site.open(VIEW, { ...tall, reducedMotion: 'reduce' });
    await page.locator('td[class*="moved-"]').first().waitFor({ state: 'attached' });
    assert.equal(await page.evaluate('document.getAnimations().length'), 0);
  });

  it('says so when the API key has no stream left, and still shows the rows', async () => {
    const problem = {
      error: true,
      status: 429,
      code: 'too_many_streams',
      title: 'Too many streams',
      detail: 'Enough.',
    };
    const page = await site.open(VIEW, {
      prepare: each =>
        each.route(/format=sse/, route =>
          route.fulfill({ status: 429, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
        ),
    });
    await page.getByText('Not live').waitFor();
    assert.equal((await tickers(page, 5)).length, 5);
    assert.equal(await page.getByRole('alert').count(), 0);
  });
});

describe('memory', () => {
  it('stays level over live updates', async () => {
    const [early, late] = await heapAfterEvents(site.browser, await site.url(), [50, 800]);
    assert.ok(late! - early! < 1e6, `${early} bytes after 50 updates, ${late} after 800`);
  });
});

describe('a past day', () => {
  const day = (row: Row) => String(row['datetimeUTC']).slice(0, 10);

  it('is chosen by its date, shown as the API has it, without live updates, and left again', async () => {
    const page = await site.open('/?sort=change7&order=desc&cols=datetimeUTC,price,change7');
    const { newest_day: newest } = JSON.parse(await site.text('/readyz'));
    const past = new Date(Date.parse(newest) - 400 * 86_400_000).toISOString().slice(0, 10);
    await page.getByLabel('As of').fill(past);
    const rows = await site.rows(`sort=change7&order=desc&limit=15&as_of=${past}`);
    await expectRows(page, rows, 15);
    assert.deepEqual((await page.locator('tbody td:nth-child(2)').allTextContents()).slice(0, 15), rows.map(day));
    await page.getByText(`The market of ${past}`).waitFor();
    assert.equal(await live(page).count(), 0);
    assert.equal(new URL(page.url()).searchParams.get('as_of'), past);

    await page.reload();
    await expectRows(page, rows, 15);
    // Ranks have no history: the usual view is ordered by turnover there.
    const usual = await site.open('/');
    await usual.getByLabel('As of').fill(past);
    await expectRows(usual, await site.rows(`sort=turnover&order=desc&as_of=${past}`));
    // Presets stay on the day.
    await usual.getByRole('button', { name: 'Biggest drawdown' }).click();
    await expectRows(usual, await site.rows(`where=mdd365 is not null&sort=mdd365&order=asc&as_of=${past}`));
    await usual.getByText(`The market of ${past}`).waitFor();
    await usual.getByRole('button', { name: 'All assets' }).click();
    await expectRows(usual, await site.rows(`sort=turnover&order=desc&as_of=${past}`));
    assert.equal(await usual.getByRole('button', { name: 'All assets' }).getAttribute('aria-pressed'), 'true');
    await usual.getByRole('button', { name: 'Back to today' }).click();
    await expectRows(usual, await site.rows('sort=rank&order=asc'));
    await page.getByRole('button', { name: 'Back to today' }).click();
    await waitFor(async () => assert.equal(await page.getByText('The market of').count(), 0));
    await page.locator('button.live.on').waitFor();
  });
});

it('did nothing but talk to its own service, with the key in a header, within its content policy', () => {
  site.assertNoMisdeeds();
});
