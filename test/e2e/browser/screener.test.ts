import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { expectRows, type Row, Site, tickers, waitFor } from './site.ts';

let site: Site;
before(async () => {
  site = await Site.start();
});
afterEach(() => site.closePages());
after(() => site?.close());

const header = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const chips = (page: Page) => page.getByRole('list', { name: 'Filters in force' });
const headers = async (page: Page) => (await page.locator('thead th').allTextContents()).map(each => each.trim());

/** What a person reads: a typographic minus, commas between thousands, the zeros after the point counted (0.0₄123). */
function readNumber(text: string): number {
  const plain = text
    .replace(/[▲▼%\s,]/g, '')
    .replace('−', '-')
    .replace(/(?<=0\.0)[₀-₉]+/, zeros => {
      const count = Number([...zeros].map(digit => digit.codePointAt(0)! - 0x2080).join(''));
      return '0'.repeat(count - 1);
    });
  return Number(plain);
}

/** Four digits of a number, or two decimals of a percentage. */
function assertShows(text: string, value: string | number | null): void {
  if (typeof value !== 'number') assert.equal(text, '–');
  else {
    const tolerance = Math.max(Math.abs(value) * 5e-4, text.includes('%') ? 0.005_000_1 : 0);
    assert.ok(Math.abs(readNumber(text) - value) <= tolerance, `${text} is shown for ${value}`);
  }
}

describe('the table', () => {
  it('shows the numbers of the API, in its order', async () => {
    const page = await site.open(
      '/?sort=change1&order=desc&cols=datetimeUTC,price,change1,change365,sma200,var20,vol30',
    );
    const rows = await site.rows('sort=change1&order=desc&limit=20');
    await expectRows(page, rows, 20);
    const names = ['price', 'change1', 'change365', 'sma200', 'var20', 'vol30'];
    const cells = await page.locator('tbody td').allTextContents();
    for (const row of rows) {
      const [day, ...texts] = cells.splice(0, names.length + 1);
      assert.equal(day, String(row['datetimeUTC']).slice(0, 10));
      for (const [at, name] of names.entries()) assertShows(texts[at] ?? '', row[name] ?? null);
    }
    const exact = page.locator('tbody tr').first().locator('td').nth(1);
    assert.equal(await exact.getAttribute('title'), `Price ${rows[0]!['price']}`);
  });

  it('says the direction of a change by its sign and an arrow, not by colour alone', async () => {
    const page = await site.open('/?sort=change1&order=desc&cols=change1');
    const texts = async () => await page.locator('tbody td').allTextContents();
    await expectRows(page, await site.rows('sort=change1&order=desc&limit=5'), 5);
    assert.match((await texts())[0]!, /^\+[\d.]+%▲$/);
    await button(page, 'Change 1d').click();
    await waitFor(async () => assert.match((await texts())[0]!, /^−[\d.]+%▼$/));
  });

  it('sorts by a click on a header, and back to front by a second one', async () => {
    const page = await site.open('/');
    await button(page, 'Volatility 30d').click();
    await expectRows(page, await site.rows('sort=vol30&order=desc&limit=12'));
    assert.equal(await header(page, 'Volatility 30d').getAttribute('aria-sort'), 'descending');
    await button(page, 'Volatility 30d').click();
    await expectRows(page, await site.rows('sort=vol30&order=asc&limit=12'));
    assert.equal(await header(page, 'Volatility 30d').getAttribute('aria-sort'), 'ascending');
    await button(page, 'Asset').click();
    await expectRows(page, await site.rows('sort=symbol&order=asc&limit=12'));
  });

  it('scrolls to the last of all rows, with a screenful of them in the document', async () => {
    const page = await site.open('/?sort=symbol&order=asc');
    const rows = await site.rows('sort=symbol&order=asc&limit=1000');
    await expectRows(page, rows);
    await page.getByText(`${rows.length} assets`).waitFor();
    await page.locator('.table-region').hover();
    await page.mouse.wheel(0, 1e6);
    await page.getByText(rows.at(-1)!.symbol, { exact: true }).waitFor();
    const shown = await page.locator('tbody a b').allTextContents();
    assert.deepEqual(
      shown,
      rows.slice(-shown.length).map(row => row.symbol),
    );
    assert.ok(shown.length < 100, `${shown.length} rows in the document`);
    assert.ok(await header(page, 'Price USD').isVisible());
  });

  it('is walked through by the keyboard, and found again where it was left', async () => {
    const page = await site.open('/?sort=symbol&order=asc');
    const rows = await site.rows('sort=symbol&order=asc&limit=1000');
    await expectRows(page, rows);
    const focused = () => page.locator('a:focus b').textContent();
    await page.getByRole('region', { name: 'Assets' }).focus();
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), rows[0]!.symbol);
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), rows[1]!.symbol);
    await page.keyboard.press('End');
    await waitFor(async () => assert.equal(await focused(), rows.at(-1)!.symbol));
    await page.keyboard.press('ArrowUp');
    assert.equal(await focused(), rows.at(-2)!.symbol);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/asset\//);
    await page.goBack();
    await page.getByText(rows.at(-2)!.symbol, { exact: true }).waitFor();
    await page.keyboard.press('/');
    assert.equal(await page.locator(':focus').getAttribute('id'), 'search');
  });

  it('is found again where it was left, if an asset was opened before the browser told of its scrolling', async () => {
    const page = await site.open('/?sort=symbol&order=asc');
    const rows = await site.rows('sort=symbol&order=asc&limit=1000');
    await expectRows(page, rows);
    await page.getByRole('region', { name: 'Assets' }).evaluate(region => {
      region.dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }));
      region.querySelector<HTMLElement>('tbody a')!.click();
    });
    await page.waitForURL(/\/asset\//);
    await page.goBack();
    await page.getByText(rows.at(-1)!.symbol, { exact: true }).waitFor();
  });
});

describe('columns', () => {
  it('are chosen from the catalogue, and the address remembers them', async () => {
    const page = await site.open('/');
    await button(page, 'Columns').click();
    await page.getByRole('checkbox', { name: 'Variance 20d' }).check();
    await page.getByRole('checkbox', { name: 'RSI 14' }).check();
    await page.getByRole('checkbox', { name: 'Change 7d' }).uncheck();
    const wanted = [
      'Asset',
      '↑ Rank',
      'Price USD',
      'Change 1d',
      'Change 30d',
      'Change 365d',
      'Trend 90d',
      'Variance 20d USD²',
      'Market cap USD',
      'Turnover USD',
      'Volatility 30d',
      'RSI 14',
    ];
    await waitFor(async () => assert.deepEqual(await headers(page), wanted));
    const again = await site.open(new URL(page.url()).pathname + new URL(page.url()).search);
    await waitFor(async () => assert.deepEqual(await headers(again), wanted));
  });

  it('offer every column that the API has', async () => {
    const page = await site.open('/');
    await button(page, 'Columns').click();
    const catalogue = JSON.parse(await site.text('/v1/catalog')).datasets[0].columns;
    // Its ticker is always there, and the trend is the page's own.
    assert.equal(await page.getByRole('checkbox').count(), catalogue.length - 1 + 1);
  });
});

describe('filters', () => {
  it('by range, comparison and not-null narrow the table to what the API gives', async () => {
    const page = await site.open('/?sort=symbol&order=asc');
    await button(page, 'Filters').click();
    await page.getByLabel('Lowest (USD)').fill('1e-3');
    await page.getByLabel('Highest (USD)').fill('100');
    await button(page, 'Add filter').click();
    await expectRows(page, await site.rows('sort=symbol&order=asc&price=0.001:100'));

    await page.getByLabel('Show assets whose').selectOption('SMA 50');
    await page.getByLabel('Condition').selectOption('is at or above');
    await page.getByLabel('Compared with').selectOption('SMA 200');
    await button(page, 'Add filter').click();
    await expectRows(page, await site.rows('sort=symbol&order=asc&price=0.001:100&[sma50]>=:[sma200]'));

    await page.getByLabel('Show assets whose').selectOption('Change 365d');
    await page.getByLabel('Condition').selectOption('has a value');
    await button(page, 'Add filter').click();
    const query = 'sort=symbol&order=asc&price=0.001:100&[sma50]>=:[sma200]&not_null=change365&limit=1000';
    const rows = await site.rows(query);
    await expectRows(page, rows);
    await page.getByText(`${rows.length} assets`).waitFor();

    const texts = await chips(page).getByTitle('Change this filter').allTextContents();
    assert.deepEqual(texts, ['Price from 0.001 to 100', 'SMA 50 is at or above SMA 200', 'Change 365d has a value']);
    await button(page, 'Remove the filter: Price from 0.001 to 100').click();
    await expectRows(page, await site.rows('sort=symbol&order=asc&[sma50]>=:[sma200]&not_null=change365'));
  });

  it('are changed by a click on them', async () => {
    const page = await site.open('/?sort=symbol&order=asc&where=price%20%3C%3D%205');
    await chips(page).getByTitle('Change this filter').click();
    await page.getByLabel('Highest (USD)').fill('0.5');
    await button(page, 'Change filter').click();
    await expectRows(page, await site.rows('sort=symbol&order=asc&price=:0.5'));
    assert.equal(new URL(page.url()).searchParams.get('where'), 'price <= 0.5');
  });

  it('that cannot be are explained and not applied', async () => {
    const page = await site.open('/');
    await button(page, 'Filters').click();
    for (const [low, high, words] of [
      ['', '', 'Write a lowest value'],
      ['ten', '', 'Write numbers such as 0.5, 1e-9, 10M'],
      ['5', '1', 'above the highest'],
    ] as const) {
      await page.getByLabel('Lowest (USD)').fill(low);
      await page.getByLabel('Highest (USD)').fill(high);
      await button(page, 'Add filter').click();
      await page.getByRole('alert').filter({ hasText: words }).waitFor();
    }
    assert.equal(new URL(page.url()).search, '');
  });

  it('ask for a length of history', async () => {
    const page = await site.open('/?sort=symbol&order=asc');
    await button(page, 'Filters').click();
    const field = page.getByLabel('Only assets with at least');
    await field.fill('366');
    await page.keyboard.press('Tab');
    const rows = await site.rows('sort=symbol&order=asc&min_history=366&limit=1000');
    await page.getByText(`${rows.length} assets`).waitFor();
    await expectRows(page, rows);
    await field.fill('1,000');
    await field.press('Tab');
    await page.getByText('At least 1,000 closes').waitFor();
    // What is not such a number changes nothing.
    for (const typed of ['-5', '0.5', 'many']) {
      await field.fill(typed);
      await field.press('Tab');
      await page.getByText('Write a whole number from 1').waitFor();
    }
    assert.match(page.url(), /min_history=1000&|min_history=1000$/);
  });
});

describe('search', () => {
  it('finds by ticker and by name, and Enter opens the asset', async () => {
    const page = await site.open('/');
    const { result } = JSON.parse(await site.text('/v1/crypto/assets?limit=200&sort=rank'));
    const asset = result.find((each: { is_active: boolean; name: string }) => each.is_active && / /.test(each.name));
    const box = page.getByRole('searchbox');
    await box.fill(asset.name.toLowerCase());
    await waitFor(async () => assert.deepEqual(await tickers(page, 1), [asset.symbol]));
    await page.getByText(asset.name, { exact: true }).waitFor();
    await box.fill(asset.symbol.toLowerCase());
    await waitFor(async () => assert.ok((await tickers(page, 50)).includes(asset.symbol)));
    await box.press('Enter');
    await page.waitForURL(`**/asset/${asset.id}`);
    await page.getByRole('heading', { level: 1 }).filter({ hasText: asset.name }).waitFor();
  });

  it('says so when nothing matches', async () => {
    const page = await site.open('/');
    await page.getByRole('searchbox').fill('no such thing anywhere');
    await page.getByText('No asset matches').waitFor();
    await button(page, 'Remove the filter: Matches “no such thing anywhere”').click();
    await expectRows(page, await site.rows('sort=rank&order=asc'));
  });
});

describe('the usual view', () => {
  it('has the assets by rank, with rank, market capitalisation and turnover', async () => {
    const page = await site.open('/');
    const rows = await site.rows('sort=rank&order=asc&limit=20&incl_cols=rank,market_cap,turnover');
    await expectRows(page, rows, 20);
    assert.deepEqual((await headers(page)).slice(0, 3), ['Asset', '↑ Rank', 'Price USD']);
    const script = "[...document.querySelectorAll('tbody tr:first-child td[title]')].map(cell => cell.title)";
    const texts = (await page.evaluate(script)) as string[]; // as the script says
    for (const [label, name] of [
      ['Rank', 'rank'],
      ['Market cap', 'market_cap'],
      ['Turnover', 'turnover'],
    ] as const) {
      assert.ok(texts.includes(`${label} ${rows[0]![name]}`), `${label}: ${texts.join('; ')}`);
    }
  });
});

describe('the line on the whole market', () => {
  it('counts what rose and fell, whatever the filter, and has the sums of the listing', async () => {
    const page = await site.open('/?where=price%20%3E%201000');
    const rows = await site.rows('limit=1000&incl_cols=market_cap,turnover');
    const summary = page.getByRole('region', { name: 'The whole market in one day' });
    const count = (holds: (change: number) => boolean) => rows.filter(row => holds(Number(row['change1']))).length;
    await summary.getByText(`▲ ${count(change => change > 0)}`).waitFor();
    await summary.getByText(`▼ ${count(change => change < 0)}`).waitFor();
    const text = await summary.innerText();
    for (const name of ['market_cap', 'turnover']) {
      const sum = rows.reduce((total, row) => total + Number(row[name] ?? 0), 0);
      const shown = (sum >= 1e12 ? sum / 1e12 : sum / 1e9).toFixed(2);
      assert.ok(text.includes(shown), `${shown} of ${name} in ${text}`);
    }
    const current = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current="page"]');
    assert.equal(await current.innerText(), 'Screener');
  });
});

describe('a preset', () => {
  const number = (row: Row, name: string) => Number(row[name]);
  /** What its name promises, checked with the numbers of the rows. */
  const cases: readonly [name: string, query: string, holds: (row: Row) => boolean][] = [
    [
      'Golden cross',
      'sort=rank&order=asc&min_history=200&calc=a:lag(sma50,1)&calc=b:lag(sma200,1)',
      row => number(row, 'sma50') > number(row, 'sma200') && number(row, 'a') <= number(row, 'b'),
    ],
    [
      'Oversold in an uptrend',
      'sort=rsi14&order=asc&min_history=200',
      row => row['rsi14'] !== null && number(row, 'rsi14') < 30 && number(row, 'sma50') > number(row, 'sma200'),
    ],
    ['New 365-day highs', 'sort=rank&order=asc', row => row['from_max365'] !== null && number(row, 'from_max365') >= 0],
    ['Most volatile', 'sort=vol30&order=desc&min_history=31', () => true],
    ['Newcomers', 'sort=history&order=asc', row => number(row, 'history') <= 180],
    ['Biggest drawdown', 'sort=mdd365&order=asc', row => row['mdd365'] !== null],
  ];
  for (const [name, query, holds] of cases) {
    it(`“${name}” shows those assets of the listing for which it holds`, async () => {
      const page = await site.open('/');
      const rows = (await site.rows(`${query}&incl_cols=all&limit=1000`)).filter(holds);
      await button(page, name).click();
      if (rows.length === 0) await page.getByText('No asset matches').waitFor();
      else {
        await expectRows(page, rows);
        await page.getByText(`${rows.length} asset`).first().waitFor();
      }
      assert.equal(await button(page, name).getAttribute('aria-pressed'), 'true');
      await page.goBack();
      await expectRows(page, await site.rows('sort=rank&order=asc'));
    });
  }
});

describe('the request behind a view', () => {
  it('is copied as an address that gives the rows of the table', async () => {
    const page = await site.open(
      '/?sort=vol30&order=desc&where=price%20%3E%3D%201%20and%20sma50%20%3E%20sma200&cols=price,vol30',
      {
        permissions: ['clipboard-read', 'clipboard-write'],
      },
    );
    await button(page, 'Export').click();
    await page.getByText('This request returns one page.').waitFor();
    await button(page, 'Copy').click();
    await page.getByText('Copied').waitFor();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    const { result } = JSON.parse(await site.text(copied.slice(new URL(copied).origin.length)));
    await expectRows(page, result);
    assert.deepEqual(Object.keys(result[0]), ['symbol', 'price', 'vol30']);
    for (const [tab, words] of [
      ['curl', /curl -fsS -D headers.txt -H 'X-API-Key: tdm_Demo/],
      ['Python', /urllib\.request/],
      ['TypeScript', /for await/],
      ['DuckDB', /read_json/],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      assert.match((await page.getByRole('tabpanel').textContent()) ?? '', words);
    }
  });

  it('comes as a CSV file with all of its rows', async () => {
    const page = await site.open('/?sort=symbol&order=asc&where=vol30%20%3E%3D%2050&cols=price,vol30');
    await button(page, 'Export').click();
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download CSV').click()]);
    const { newest_day: day } = JSON.parse(await site.text('/readyz'));
    assert.equal(download.suggestedFilename(), `tidemark-ta-cur-${day}.csv`);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
    const rows = await site.rows('sort=symbol&order=asc&vol30=50:&limit=1000');
    const assets = JSON.parse(await site.text('/v1/crypto/assets?limit=1000&sort=rank&order=desc')).result as {
      symbol: string;
      name: string;
      is_active: boolean;
    }[];
    const names = new Map(assets.filter(each => each.is_active).map(each => [each.symbol, each.name]));
    assert.deepEqual(lines, [
      'datetimeUTC,symbol,name,price,vol30',
      ...rows.map(row => [row['datetimeUTC'], row.symbol, names.get(row.symbol), row['price'], row['vol30']].join()),
    ]);
  });

  it('comes as a CSV file with the columns of the table in their order, and is named by the past day', async () => {
    const { newest_day: newest } = JSON.parse(await site.text('/readyz'));
    const day = new Date(Date.parse(newest) - 30 * 86_400_000).toISOString().slice(0, 10);
    const page = await site.open(`/?sort=vol30&order=desc&cols=sma50,price&as_of=${day}`);
    await button(page, 'Export').click();
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download CSV').click()]);
    assert.equal(download.suggestedFilename(), `tidemark-ta-cur-${day}.csv`);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
    const rows = await site.rows(`as_of=${day}&sort=vol30&order=desc&limit=1000`);
    const [head, ...cells] = lines.map(line => line.split(','));
    assert.deepEqual(head, ['datetimeUTC', 'symbol', 'name', 'sma50', 'price']);
    assert.deepEqual(
      cells.map(([time, symbol, name, ...values]) => [time, symbol, name !== '', ...values.map(Number)]),
      rows.map(row => [row['datetimeUTC'], row.symbol, true, row['sma50'], row['price']]),
    );
  });
});

it('did nothing but talk to its own service, with the key in a header, within its content policy', () => {
  site.assertNoMisdeeds();
});
