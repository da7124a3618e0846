// The asset page as a person uses it: its figures are the API's, its chart answers to pointer and keys, its words explain.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { DEMO_KEYS } from '../../../src/domain/api-key.ts';
import { allDays, assertShows, type Cells, findAsset, latestRow, legend, openAsset } from './asset-page.ts';
import { Site, waitFor } from './site.ts';

const DAY = 86_400_000;

/** As much of the API's answers as is compared; its own tests hold it to the whole. */
interface Catalog {
  readonly datasets: readonly {
    readonly name: string;
    readonly columns: readonly { name: string; formula: string }[];
  }[];
}

interface Profile {
  readonly description: string;
  readonly proof_type: string;
  readonly hash_algorithm: string;
  readonly org_structure: string;
  readonly development_status: string;
  readonly started_at: string;
  readonly tags: readonly { readonly id: string; readonly name: string }[];
  readonly team: readonly { readonly name: string; readonly position: string }[];
  readonly links_extended: readonly { readonly url: string; readonly stats?: Readonly<Record<string, number>> }[];
}

let site: Site;
before(async () => {
  site = await Site.start();
});
afterEach(() => site.closePages());
after(() => site?.close());

describe('the head of the asset page', () => {
  it('has the name, ticker, rank, price and changes that the API has', async () => {
    const page = await openAsset(site, 'aldm-aldermoor');
    const row = await latestRow(site, 'aldm-aldermoor');
    assert.equal(await page.innerText('h1'), 'Aldermoor ALDM');
    const head = page.locator('.asset-header');
    await head.getByText('Rank 1', { exact: true }).waitFor();
    await head.getByText('Simulated').waitFor();
    assertShows(await page.innerText('.price .number'), row['price'], 'price');
    const changes = await page.locator('.asset-changes:not(.asset-size) dd').allInnerTexts();
    const expected = [1, 7, 30, 90, 365].map(window => row[`change${window}`]);
    assert.equal(changes.length, expected.length);
    for (const [place, text] of changes.entries()) assertShows(text, expected[place]);
    assert.equal(await page.title(), 'Aldermoor (ALDM) – Tidemark');
  });

  it('has the market capitalisation and the turnover, each with how it is computed', async () => {
    const page = await openAsset(site, 'aldm-aldermoor');
    const [row] = await site.rows('symbol=ALDM&incl_cols=supply,turnover');
    const size = page.locator('.asset-size dd');
    await waitFor(async () => assert.match(await size.first().innerText(), /^[\d.]+ B$/));
    // The price may change between the page's request and this one.
    const cap = Number.parseFloat(await size.first().innerText()) * 1e9;
    const expected = Number(row!['supply']) * Number(row!['price']);
    assert.ok(Math.abs(cap / expected - 1) < 0.1, `${cap} instead of ${expected}`);
    assert.match(await size.last().innerText(), /^[\d.]+ [MB]$/);
    await size.first().getByRole('button').click();
    const dialog = page.getByRole('dialog', { name: /^Market cap of Aldermoor on \d{4}-\d\d-\d\d/ });
    await dialog.getByText('supply', { exact: true }).waitFor();
    await dialog.getByText(/^\d{12} USD$/).waitFor();
  });

  it('opens by ticker too', async () => {
    const page = await openAsset(site, 'aldm');
    assert.equal(await page.innerText('h1'), 'Aldermoor ALDM');
  });

  it('says what is new, with what little there is', async () => {
    const asset = await findAsset(site, ({ is_new: isNew }) => isNew === true);
    const page = await openAsset(site, String(asset['id']));
    await page.getByText('New: first price within 5 days').waitFor();
    await page.getByText('longer windows are not full yet').waitFor();
    assert.equal((await page.locator('.asset-changes:not(.asset-size) dd').allInnerTexts()).at(-1), '–');
  });

  it('says what is no longer traded, and since when', async () => {
    const asset = await findAsset(site, ({ is_active: isActive }) => isActive === false);
    const page = await openAsset(site, String(asset['id']));
    await page.getByText('Inactive: no recent close, or delisted').waitFor();
    const day = String(asset['last_data_at']).slice(0, 10);
    assert.equal(await page.innerText('.asset-header time'), day);
  });
});

describe('the indicators', () => {
  it('are those of the API, each in its group', async () => {
    const page = await openAsset(site, 'aldm-aldermoor');
    const row = await latestRow(site, 'aldm-aldermoor');
    const rows = page.locator('.indicator-group tbody tr');
    await rows.first().waitFor();
    const lines = await rows.evaluateAll(elements =>
      elements.map(element => {
        const [, ...texts] = [...element.querySelectorAll('button, td')].map(each => each.textContent ?? '');
        // The formula in the tooltip names the column.
        return [element.querySelector('[role=tooltip] code')?.textContent?.split(' = ')[0], ...texts];
      }),
    );
    assert.ok(lines.length > 60, `${lines.length} lines`);
    for (const [name = '', , value = '', distance] of lines) {
      if (row[name] === null) assert.equal(value, '–', name);
      else if (name === 'ath_at') assert.equal(value, String(row[name]).slice(0, 10));
      else assertShows(value, row[name], name);
      if (!name.startsWith('sma')) continue;
      const percent = (Number(row['price']) / Number(row[name]) - 1) * 100;
      const [, size = '', side] = /^(\S+%) (above|below)$/.exec(distance ?? '') ?? [];
      assertShows(size, Math.abs(percent), `distance from ${name}`);
      assert.equal(side, percent > 0 ? 'above' : 'below');
    }
  });

  it('show their formula on hover and on focus, and hide it with Escape', async () => {
    const page = await openAsset(site, 'aldm-aldermoor');
    const { datasets } = JSON.parse(await site.text('/v1/catalog')) as Catalog;
    const columns = datasets.find(dataset => dataset.name === 'ta-hist')!.columns;
    const { formula } = columns.find(column => column.name === 'vol30')!;
    const word = page.getByRole('button', { name: 'Volatility 30d', exact: true });
    const tip = page.locator('[role=tooltip]').filter({ hasText: 'vol30 = ' });
    // The chart moves what is below it when it arrives, away from the pointer.
    await page.locator('.chart-legend > div').first().waitFor();
    for (const show of [() => word.hover(), () => word.focus()]) {
      assert.equal(await tip.isVisible(), false);
      await show();
      await tip.waitFor();
      assert.ok((await tip.innerText()).includes(formula));
      await page.keyboard.press('Escape');
      await tip.waitFor({ state: 'hidden' });
      await page.mouse.move(0, 0);
    }
    assert.equal(await word.getAttribute('aria-describedby'), await tip.getAttribute('id'));
  });
});

/** Columns by their label in the legend. */
const LEGEND = {
  Open: 'open',
  High: 'high',
  Low: 'low',
  Close: 'price',
  'SMA 20': 'sma20',
  'EMA 26': 'ema26',
  'RSI 14': 'rsi14',
  Histogram: 'macd_hist',
  MACD: 'macd',
  Signal: 'macd_signal',
};

describe('the chart', () => {
  it('reads out each day: the price, the averages that are drawn, the bands', async () => {
    const page = await openAsset(site, 'aldm-aldermoor', { search: '?sma=20&ema=26&bands=1&rsi=1&macd=1' });
    const days = await allDays(site, 'aldm-aldermoor');
    const chart = page.getByRole('slider');
    await chart.focus();
    for (const [key, back] of [
      ['ArrowLeft', 1],
      ['PageDown', 31],
      ['ArrowRight', 30],
      ['End', 0],
    ] as const) {
      await page.keyboard.press(key);
      const row = days[back]!;
      const day = String(row['datetimeUTC']).slice(0, 10);
      await page.locator('.chart-legend').filter({ hasText: day }).waitFor();
      const readings = await legend(page);
      for (const [label, column] of Object.entries(LEGEND)) assertShows(readings.get(label)!, row[column], label);
      const [lower = '', upper = ''] = readings.get('Bollinger')!.split(' … ');
      assertShows(lower, row['bb20_lower'], 'lower band');
      assertShows(upper, row['bb20_upper'], 'upper band');
      assertShows(readings.get('Volume')!, row['volume'], 'volume');
      assert.ok((await chart.getAttribute('aria-valuetext'))?.startsWith(`${day}, Open`));
    }
  });

  it('follows the pointer', async () => {
    const page = await openAsset(site, 'aldm-aldermoor');
    await page.getByRole('slider').waitFor();
    const latest = (await legend(page)).get('Day')!;
    const day = page.locator('.chart-legend > :first-child dd');
    const box = (await page.getByRole('slider').boundingBox())!;
    await page.mouse.move(box.x + box.width / 3, box.y + box.height / 2);
    await day.filter({ hasNotText: latest }).waitFor();
    await page.mouse.move(0, 0);
    await day.filter({ hasText: latest }).waitFor();
  });

  it('shows ranges from a month to all, and keeps its state in the address', async () => {
    const page = await openAsset(site, 'aldm-aldermoor');
    const days = await allDays(site, 'aldm-aldermoor');
    const latest = String(days[0]!['datetimeUTC']).slice(0, 10);
    for (const [label, address, first] of [
      ['1M', '?range=1m', monthsBefore(latest, 1)],
      ['3Y', '?range=3y', monthsBefore(latest, 36)],
      ['All', '?range=all', String(days.at(-1)!['datetimeUTC']).slice(0, 10)],
      ['1Y', '', monthsBefore(latest, 12)],
    ] as const) {
      const button = page.getByRole('button', { name: label, exact: true });
      await button.click();
      assert.equal(await button.getAttribute('aria-pressed'), 'true');
      assert.equal(new URL(page.url()).search, address);
      await page.getByText(`${first} to ${latest}: from `).waitFor();
    }
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.locator('.chart-controls').getByRole('button', { name: 'SMA 100', exact: true }).click();
    await page.locator('.chart-controls').getByRole('button', { name: 'Volume', exact: true }).click();
    assert.equal(new URL(page.url()).search, '?range=all&sma=50,100,200&volume=0');
    await page.reload();
    await page.getByRole('slider').waitFor();
    const labels = ['Day', 'Open', 'High', 'Low', 'Close', 'SMA 50', 'SMA 100', 'SMA 200'];
    assert.deepEqual([...(await legend(page)).keys()], labels);
    assert.equal(await page.getByRole('button', { name: 'All', exact: true }).getAttribute('aria-pressed'), 'true');
  });

  it('is drawn anew for every choice and in the dark, and credits its maker', async () => {
    const page = await openAsset(site, 'aldm-aldermoor', { search: '?range=all' });
    const firstDay = String((await allDays(site, 'aldm-aldermoor')).at(-1)!['datetimeUTC']).slice(0, 10);
    await page.getByText(`${firstDay} to `).waitFor();
    let before = await picture(page);
    for (const name of [
      'Log',
      'Bollinger',
      'SMA 365',
      'EMA 20',
      'RSI',
      'MACD',
      'Line',
      'Drawdown',
      'Switch to dark colours',
    ]) {
      // The cards below the chart have some of these names too.
      await page.getByRole('button', { name, exact: true }).first().click();
      await page.mouse.move(0, 0);
      await waitFor(async () => assert.notEqual(await picture(page), before, name));
      before = await picture(page);
    }
    await page.getByRole('link', { name: 'tradingview.com' }).waitFor();
  });
});

describe('with a key that gets 5 rows a request', () => {
  /** As if it had been entered before in this tab. */
  const withFreeKey = (page: Page) => page.addInitScript(`sessionStorage.setItem('tidemark-key', '${DEMO_KEYS.free}')`);

  it('loads a little unasked, says what is missing, and loads the rest when told to', async () => {
    const days = (asset: Cells) =>
      (Date.parse(String(asset['last_data_at'])) - Date.parse(String(asset['first_data_at']))) / DAY + 1;
    const asset = await findAsset(site, each => days(each) > 32 && days(each) < 50);
    const all = days(asset);
    const asked: (string | null)[] = [];
    const prepare = async (page: Page) => {
      await withFreeKey(page);
      page.on('request', request => {
        if (!/ta-hist.*excl_cols/.test(request.url())) return;
        const number = new URL(request.url()).searchParams.get('page');
        // The newest rows are asked for again after a publication.
        if (number !== '1' || !asked.includes('1')) asked.push(number);
      });
    };
    const page = await openAsset(site, String(asset['id']), { search: '?range=all', prepare });
    const note = page.getByRole('status').filter({ hasText: 'your API key gets 5 rows per request' });
    await note.getByText(`The latest 30 of ${all} days of this range are loaded`).waitFor();
    assert.equal(asked.length, 6);
    await note.getByRole('button', { name: /^Load the rest: \d more requests?$/ }).click();
    await note.waitFor({ state: 'hidden' });
    await page.getByText(`${String(asset['first_data_at']).slice(0, 10)} to `).waitFor();
    assert.equal(asked.length, Math.ceil(all / 5));
  });

  it('stops loading when told to', async () => {
    const page = await openAsset(site, 'aldm-aldermoor', { prepare: withFreeKey });
    await page.getByRole('button', { name: /^Load the rest: 6\d more requests$/ }).click();
    await page.getByRole('button', { name: 'Stop loading' }).click();
    await page.getByRole('button', { name: /^Load the rest/ }).waitFor();
  });
});

describe('the profile', () => {
  it('has the description, facts, tags, people and links of the API', async () => {
    const page = await openAsset(site, 'aldm-aldermoor');
    const profile = JSON.parse(await site.text('/v1/crypto/assets/aldm-aldermoor')) as Profile;
    const text = await page.getByRole('region', { name: 'About Aldermoor' }).innerText();
    for (const words of [
      profile.description,
      profile.proof_type,
      profile.hash_algorithm,
      profile.org_structure,
      profile.development_status,
      profile.started_at.slice(0, 10),
      ...profile.tags.map(tag => tag.name),
      ...profile.team.flatMap(({ name, position }) => [name, position]),
    ]) {
      assert.ok(text.includes(words), words);
    }
    for (const { url, stats } of profile.links_extended) {
      const link = page.locator(`.link:has(a[href="${url}"])`);
      const words = await link.innerText();
      for (const [name, count] of Object.entries(stats ?? {})) {
        assert.ok(words.replaceAll(/[\s,]/g, '').includes(`${count}${name}`), `${count} ${name} in ${words}`);
      }
    }
    const { id, name } = profile.tags[0]!;
    assert.equal(await page.getByRole('link', { name, exact: true }).getAttribute('href'), `/?tag=${id}`);
    const rel = await page.locator('.link a').first().getAttribute('rel');
    assert.ok(rel?.includes('noopener') && rel.includes('noreferrer'));
  });
});

async function picture(page: Page): Promise<string> {
  return (await page.getByRole('slider').screenshot()).toString('base64');
}

/** The 31st of a month that ends earlier is its last day. */
function monthsBefore(day: string, months: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  const dayOfMonth = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() - months);
  if (date.getUTCDate() !== dayOfMonth) date.setUTCDate(0);
  return date.toISOString().slice(0, 10);
}
