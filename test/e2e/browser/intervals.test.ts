// One interval for all pages: switched in the screener, on the map and on the page of an asset, and kept in the address; the chart
// loads older bars as one scrolls; times are of UTC or local.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertShows, type Cells, legend, openAsset } from './asset-page.ts';
import { expectRows, Site, tickers, waitFor } from './site.ts';

const ASSET = 'aldm-aldermoor';
const DAY_MS = 86_400_000;

let site: Site;
before(async () => {
  site = await Site.start();
});
afterEach(() => site.closePages());
after(() => site?.close());

const field = (page: Page) => page.getByLabel('Interval');
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
const yesterday = () => new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
const history = async (query: string): Promise<readonly Cells[]> =>
  JSON.parse(await site.text(`/v1/crypto/ta-hist?id=${ASSET}&${query}`)).result;
/** `2026-11-17 14:00` of the start of a row's period. */
const timeOf = (row: Cells) => String(row['datetimeUTC']).slice(0, 16).replace('T', ' ');

/** The intervals that requests of the page ask for from now on; days have none. */
function asked(page: Page): Set<string> {
  const intervals = new Set<string>();
  page.on('request', request => {
    const { pathname, searchParams } = new URL(request.url());
    const isData = /\/(ta-cur|ta-hist|bars|closes|explain)\b/.test(pathname);
    // The marks of rows are about daily bars, whatever the interval.
    const isOfMarks =
      searchParams.get('where')?.includes('findings30') || searchParams.get('incl_cols')?.includes('findings30');
    if (isData && !isOfMarks) intervals.add(searchParams.get('interval') ?? '1d');
  });
  return intervals;
}

describe('the interval', () => {
  it('is one of those that the store has, and days without a word in the address or a request', async () => {
    const { intervals } = JSON.parse(await site.text('/v1/catalog'));
    const listed = intervals.map((each: { interval: string }) => each.interval);
    assert.ok(listed.includes('1m') && listed.includes('1h'), 'the demo has minutes and hours');
    const seen: Set<string>[] = [];
    for (const path of ['/', '/map', `/asset/${ASSET}`]) {
      const page = await site.open(path, { prepare: async each => seen.push(asked(each)) });
      await page.locator('tbody a b, .treemap a.tile, [role=slider]').first().waitFor();
      const offered = await field(page)
        .locator('option')
        .evaluateAll(options => options.map(each => each.getAttribute('value')));
      assert.deepEqual(offered, path.startsWith('/asset') ? listed : listed.filter((each: string) => each !== '1mo'));
      assert.equal(await field(page).inputValue(), '1d');
      assert.equal(new URL(page.url()).search, '');
    }
    assert.deepEqual(
      seen.map(each => [...each]),
      [['1d'], ['1d'], ['1d']],
    );
  });

  it('of the screener is that of its rows, its words, its trends and its saved screens', async () => {
    // What follows the first rows must not be taken for requests of the other interval.
    let settled: Promise<unknown> = Promise.resolve();
    const page = await site.open('/', {
      prepare: async opened => {
        const following = ['/closes?', '/stats?', 'format=sse'];
        settled = Promise.all(following.map(part => opened.waitForRequest(request => request.url().includes(part))));
      },
    });
    await tickers(page, 1);
    await settled;
    const intervals = asked(page);
    await field(page).selectOption('1h');
    await expectRows(page, await site.rows('interval=1h&sort=rank&order=asc&limit=5'), 5);
    assert.equal(parameter(page, 'interval'), '1h');
    const [row] = await site.rows('interval=1h&sort=rank&order=asc&limit=1');
    await page.getByTitle(`Change 7h ${row!['change7']}`, { exact: true }).first().waitFor();
    const header = page.getByRole('columnheader', { name: 'Volatility 30h' });
    await waitFor(async () => assert.match(String(await header.getAttribute('title')), /30 hourly log returns/));
    await page.locator('.sparkline').first().waitFor();
    assert.deepEqual([...intervals], ['1h']);
    await page.getByRole('button', { name: 'Saved', exact: true }).click();
    await page.getByRole('textbox', { name: 'Name of this screen' }).fill('hours');
    await page.getByRole('button', { name: 'Save screen' }).click();
    assert.match(String(await page.getByRole('link', { name: 'hours' }).getAttribute('href')), /[?&]interval=1h(&|$)/);
    await field(page).selectOption('1d');
    await expectRows(page, await site.rows('sort=rank&order=asc&limit=5'), 5);
    assert.equal(new URL(page.url()).search, '');
    await page.getByRole('link', { name: 'hours' }).click();
    await page.getByRole('columnheader', { name: 'Change 7h' }).waitFor();
  });

  it('stays on the way from the map to an asset and back to the screener', async () => {
    const page = await site.open('/map');
    await page.locator('.treemap a.tile').first().waitFor();
    await field(page).selectOption('1h');
    const [row] = await site.rows('interval=1h&sort=market_cap&order=desc&limit=1&incl_cols=market_cap');
    const tile = page.locator(`.treemap a.tile[data-symbol="${row!.symbol}"]`);
    await waitFor(async () => {
      const words = await tile.innerText();
      assertShows(/[+−]?[\d.,]+%/.exec(words)?.[0] ?? '', row!['change1'], words);
    });
    assert.match(await page.locator('.map-words').innerText(), /Change 1h/);
    await tile.click();
    await page.locator('.asset-header').waitFor();
    assert.equal(parameter(page, 'interval'), '1h');
    await page.getByText('7 hours', { exact: true }).waitFor();
    await page.getByRole('link', { name: '← All assets' }).click();
    await expectRows(page, await site.rows('interval=1h&sort=rank&order=asc&limit=5'), 5);
    assert.equal(parameter(page, 'interval'), '1h');
  });

  for (const [interval, isFine] of [
    ['1w', false],
    ['4h', true],
    ['1m', true],
  ] as const) {
    it(`${interval} of the chart has the bars and indicators of the API`, async () => {
      const page = await openAsset(site, ASSET);
      await page.getByRole('slider').waitFor();
      await field(page).selectOption(interval);
      const rows = await history(`interval=${interval}&limit=3&incl_cols=open,high,low,volume`);
      const shownTime = (row: Cells) => (isFine ? timeOf(row) : timeOf(row).slice(0, 10));
      await page
        .locator('.chart-legend')
        .filter({ hasText: shownTime(rows[0]!) })
        .waitFor();
      await page.getByRole('slider').focus();
      for (const [place, row] of rows.entries()) {
        if (place > 0) await page.keyboard.press('ArrowLeft');
        await page
          .locator('.chart-legend')
          .filter({ hasText: shownTime(row) })
          .waitFor();
        const shown = await legend(page);
        for (const [label, column] of [
          ['Open', 'open'],
          ['Close', 'price'],
          ['SMA 50', 'sma50'],
        ] as const) {
          assertShows(shown.get(label)!, row[column], `${label} of ${shownTime(row)}`);
        }
      }
      assert.equal(parameter(page, 'interval'), interval);
    });
  }

  it('that the store does not have is said, and another can be chosen', async () => {
    const page = await site.open('/', {
      prepare: each =>
        each.route(/\/ta-cur\?.*interval=30m/, route =>
          route.fulfill({
            status: 400,
            contentType: 'application/problem+json',
            body: JSON.stringify({
              ...{ error: true, status: 400, code: 'unknown_interval', title: 'Unknown interval' },
              detail: 'This store has no bars for interval=30m.',
            }),
          }),
        ),
    });
    await tickers(page, 1);
    await field(page).selectOption('30m');
    await page.getByText('This store has no bars for interval=30m.').waitFor();
    await field(page).selectOption('1d');
    await expectRows(page, await site.rows('sort=rank&order=asc&limit=5'), 5);
  });
});

describe('a time of a past day', () => {
  it('is taken where the interval is finer than a day, and becomes its day with longer ones', async () => {
    const page = await site.open('/?interval=1h');
    await tickers(page, 1);
    const day = yesterday();
    await page.getByLabel('As of').fill(`${day}T10:30`);
    const moment = `${day}T10:30Z`;
    await expectRows(page, await site.rows(`interval=1h&as_of=${moment}&sort=turnover&order=desc&limit=5`), 5);
    assert.equal(parameter(page, 'as_of'), moment);
    await page.getByRole('complementary', { name: 'A past day' }).getByText(`${day} 10:00 UTC`).waitFor();
    await field(page).selectOption('1d');
    await expectRows(page, await site.rows(`as_of=${day}&sort=turnover&order=desc&limit=5`), 5);
    assert.equal(parameter(page, 'as_of'), day);
  });

  it('in an address is that of the chart, its figures and their explanations', async () => {
    const moment = `${yesterday()}T10:00Z`;
    const page = await openAsset(site, ASSET, { search: `?interval=1h&as_of=${moment}` });
    await page.getByRole('slider').waitFor();
    const [row] = await history(`interval=1h&to=${moment}&limit=1`);
    await waitFor(async () => assert.equal((await legend(page)).get('Time'), timeOf(row!)));
    assertShows((await legend(page)).get('Close')!, row!['price']);
    await page.locator('.asset-price .price .explained').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`at ${timeOf(row!)}`).waitFor();
    await dialog.getByText(`?as_of=${moment}&interval=1h`).waitFor();
    assert.equal(await page.getByLabel('As of').inputValue(), moment.slice(0, 16));
  });

  it('that the interval does not reach is refused with the time where it starts', async () => {
    const { intervals } = JSON.parse(await site.text('/v1/catalog'));
    const { first } = intervals.find((each: { interval: string }) => each.interval === '1m');
    const page = await site.open('/?interval=1m');
    await tickers(page, 1);
    await page.getByLabel('As of').fill('2020-01-01T10:00');
    await page.getByLabel('As of').blur();
    const text = `Data starts at ${first.slice(0, 16).replace('T', ' ')} UTC.`;
    await page.getByRole('alert').filter({ hasText: text }).waitFor();
    assert.equal(parameter(page, 'as_of'), null);
  });
});

describe('the chart of minutes', () => {
  const last = async (page: Page) => Number(await page.getByRole('slider').getAttribute('aria-valuemax'));
  const caption = (page: Page) => page.locator('figcaption p').first().innerText();

  it('loads older bars as one moves to the left, and stays where one looks', async () => {
    const older = Promise.withResolvers<void>();
    const pages: string[] = [];
    const prepare = (each: Page) =>
      each.route(/\/ta-hist\?.*interval=1m.*limit=5000/, async route => {
        const to = new URL(route.request().url()).searchParams.get('to');
        if (to !== null) pages.push(to);
        if (to !== null) await older.promise;
        await route.continue();
      });
    const page = await openAsset(site, ASSET, { search: '?interval=1m', prepare });
    await page.getByRole('slider').focus();
    await waitFor(async () => assert.equal(await last(page), 999));
    assert.deepEqual(pages, [], 'nobody has moved yet');
    // The chart asks once it has drawn the bars near its beginning, which takes a busy browser a moment.
    await waitFor(async () => {
      if (pages.length === 0) await page.keyboard.press('Shift+ArrowLeft');
      assert.equal(pages.length, 1);
    });
    await page.getByText('Loading older bars …').waitFor();
    const inSight = await caption(page);
    older.resolve();
    // The demo has those of yesterday and of today.
    const known: unknown[] = JSON.parse(await site.text(`/v1/crypto/bars?id=${ASSET}&interval=1m&limit=5000`)).result;
    await waitFor(async () => assert.ok((await last(page)) >= Math.min(1999, known.length - 1)));
    assert.equal(await caption(page), inSight);
    // To the first bar that there is.
    const all = (await site.text(`/v1/crypto/bars?id=${ASSET}&interval=1m&order=asc&limit=1`)).slice(0, 4000);
    const [first] = JSON.parse(all).result;
    await waitFor(async () => {
      for (let moves = 0; moves < 10; moves++) await page.keyboard.press('Shift+ArrowLeft');
      assert.ok((await caption(page)).startsWith(timeOf(first)), await caption(page));
    });
    assert.equal(new Set(pages).size, pages.length, 'no page twice');
  });

  it('has as much of a long range as it says, and the rest on request', async () => {
    const page = await openAsset(site, ASSET, { search: '?interval=1m&range=1d' });
    await page.getByRole('slider').waitFor();
    await waitFor(async () => assert.ok((await last(page)) >= 1440));
    await waitFor(async () => assert.equal(await page.locator('.loaded-note').count(), 0));
  });
});

describe('local times', () => {
  const KOLKATA = 'Asia/Kolkata';
  const local = (utc: string) =>
    new Date(Date.parse(utc) + 5.5 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
  const NOTE_TEXTS = `
    window.drawn = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
      window.drawn.push(text);
      return fillText.call(this, text, ...rest);
    };
  `;

  it('are shown on request in the chart, the explanation and the screener, and are kept', async () => {
    const prepare = (each: Page) => each.addInitScript(NOTE_TEXTS);
    const page = await openAsset(site, ASSET, { search: '?interval=1h', timezoneId: KOLKATA, prepare });
    await page.getByRole('slider').waitFor();
    const [row] = await history('interval=1h&limit=1');
    const start = String(row!['datetimeUTC']);
    await waitFor(async () => assert.equal((await legend(page)).get('Time'), timeOf(row!)));
    await page.evaluate('window.drawn = []');
    await page.getByRole('button', { name: 'UTC: write local times' }).click();
    await waitFor(async () => assert.equal((await legend(page)).get('Time'), local(start)));
    await page
      .locator('.asset-price')
      .getByText(`${local(start)} GMT+5:30`)
      .waitFor();
    await page.getByRole('slider').focus();
    await page.keyboard.press('ArrowLeft');
    const before = local(new Date(Date.parse(start) - 3_600_000).toISOString());
    await waitFor(async () => assert.ok((await page.evaluate<string[]>('window.drawn')).includes(before)));
    const figure = page.locator('.asset-price .price .explained');
    await figure.click();
    await page
      .getByRole('dialog')
      .getByText(`at ${local(start)}`)
      .waitFor();
    await page
      .getByRole('dialog')
      .getByRole('cell', { name: local(start), exact: true })
      .waitFor();
    await page
      .getByRole('dialog')
      .getByText(`?as_of=${start.slice(0, 16)}Z&interval=1h`)
      .waitFor();

    await page.goto(`${await site.url()}/?interval=1h&cols=datetimeUTC,price`);
    await tickers(page, 1);
    await page
      .getByRole('cell', { name: local(start), exact: true })
      .first()
      .waitFor();
    await page.getByLabel('As of').fill(`${yesterday()}T10:30`);
    await waitFor(async () => assert.equal(parameter(page, 'as_of'), `${yesterday()}T05:00Z`));
    await page.getByRole('button', { name: 'Local times' }).click();
    await waitFor(async () => assert.equal(await page.getByLabel('As of').inputValue(), `${yesterday()}T05:00`));
  });

  it('leave days as they are', async () => {
    const page = await site.open('/?cols=datetimeUTC,price', { timezoneId: 'America/Los_Angeles' });
    await tickers(page, 1);
    await page.getByRole('button', { name: 'UTC: write local times' }).click();
    const { newest_day: newest } = JSON.parse(await site.text('/readyz'));
    await page.getByRole('cell', { name: newest, exact: true }).first().waitFor();
  });
});

it('did nothing but talk to its own service, within its content policy', () => site.assertNoMisdeeds());
