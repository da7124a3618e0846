// The asset page as a person uses it: its figures are the API's, its chart answers to pointer and keys, its words explain.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { DEMO_KEYS } from '../../src/domain/api-key.ts';
import { AssetSite, type Row, shownNumber } from './asset-site.ts';

const DAY = 86_400_000;

let site: AssetSite;
before(async () => {
  site = await AssetSite.start();
});
after(() => site.close());

describe('the head of the asset page', () => {
  it('has the name, ticker, rank, price and changes that the API has', async () => {
    const page = await site.open('aldm-aldermoor');
    const row = await site.latest('aldm-aldermoor');
    assert.equal(await page.innerText('h1'), 'Aldermoor ALDM');
    const head = page.locator('.asset-header');
    await head.getByText('Rank 1', { exact: true }).waitFor();
    await head.getByText('Simulated').waitFor();
    close(await shown(page, '.price .number'), row['price']);
    const changes = await texts(page, '.asset-changes dd');
    const expected = [1, 7, 30, 90, 365].map(window => row[`change${window}`]);
    assert.equal(changes.length, expected.length);
    for (const [place, text] of changes.entries()) close(shownNumber(text), expected[place]);
    assert.equal(await page.title(), 'Aldermoor (ALDM) – Tidemark');
  });

  it('opens by ticker too', async () => {
    const page = await site.open('aldm');
    assert.equal(await page.innerText('h1'), 'Aldermoor ALDM');
  });

  it('says what is new, with what little there is', async () => {
    const asset = await site.find(({ is_new: isNew }) => isNew === true);
    const page = await site.open(String(asset['id']));
    await page.getByText('New: first price within 5 days').waitFor();
    await page.getByText('longer windows are not full yet').waitFor();
    assert.equal((await texts(page, '.asset-changes dd')).at(-1), '–');
  });

  it('says what is no longer traded, and since when', async () => {
    const asset = await site.find(({ is_active: isActive }) => isActive === false);
    const page = await site.open(String(asset['id']));
    await page.getByText('Inactive: no recent price').waitFor();
    const day = String(asset['last_data_at']).slice(0, 10);
    assert.equal(await page.innerText('.asset-header time'), day);
  });
});

describe('the indicators', () => {
  it('are those of the API, each in its group', async () => {
    const page = await site.open('aldm-aldermoor');
    const row = await site.latest('aldm-aldermoor');
    const rows = await page.locator('.indicator-group tbody tr').all();
    assert.equal(rows.length, 31);
    for (const line of rows) {
      const name = await line.locator('button').innerText();
      const [value = '', distance] = await line.locator('td').allInnerTexts();
      close(shownNumber(value), row[name], name);
      if (!name.startsWith('sma')) continue;
      const percent = (Number(row['price']) / Number(row[name]) - 1) * 100;
      const words = /^(.+) (above|below)$/.exec(distance ?? '');
      close(shownNumber(words?.[1] ?? '') * (words?.[2] === 'below' ? -1 : 1), percent, `distance from ${name}`);
    }
  });

  it('show their formula on hover and on focus, and hide it with Escape', async () => {
    const page = await site.open('aldm-aldermoor');
    const formulas = await site.formulas();
    const word = page.getByRole('button', { name: 'vol30', exact: true });
    const tip = page.locator('[role=tooltip]').filter({ hasText: 'vol30 = ' });
    for (const show of [() => word.hover(), () => word.focus()]) {
      assert.equal(await tip.isVisible(), false);
      await show();
      await tip.waitFor();
      assert.ok((await tip.innerText()).includes(formulas.get('vol30')!));
      await page.keyboard.press('Escape');
      await tip.waitFor({ state: 'hidden' });
      await page.mouse.move(0, 0);
    }
    assert.equal(await word.getAttribute('aria-describedby'), await tip.getAttribute('id'));
  });
});

describe('the chart', () => {
  it('reads out each day: the price, the averages that are drawn, the bands', async () => {
    const page = await site.open('aldm-aldermoor', { search: '?sma=20,365' });
    const days = await site.history('aldm-aldermoor');
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
      assert.deepEqual([...readings.keys()], ['day', 'price', 'sma20', 'sma365', 'bands']);
      assert.equal(readings.get('day'), day);
      for (const name of ['price', 'sma20', 'sma365']) close(shownNumber(readings.get(name)!), row[name], name);
      const [lower = '', upper = ''] = readings.get('bands')!.split(' … ');
      const reach = 2 * Math.sqrt(Number(row['var20']));
      close(shownNumber(lower), Number(row['sma20']) - reach, 'lower band');
      close(shownNumber(upper), Number(row['sma20']) + reach, 'upper band');
      assert.ok((await chart.getAttribute('aria-valuetext'))?.startsWith(`${day}, price`));
    }
  });

  it('follows the pointer', async () => {
    const page = await site.open('aldm-aldermoor');
    const latest = (await legend(page)).get('day')!;
    const day = page.locator('.chart-legend > :first-child dd');
    const box = (await page.getByRole('slider').boundingBox())!;
    await page.mouse.move(box.x + box.width / 3, box.y + box.height / 2);
    await day.filter({ hasNotText: latest }).waitFor();
    await page.mouse.move(0, 0);
    await day.filter({ hasText: latest }).waitFor();
  });

  it('shows ranges from a month to all, and keeps its state in the address', async () => {
    const page = await site.open('aldm-aldermoor');
    const days = await site.history('aldm-aldermoor');
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
    await page.getByRole('button', { name: '100', exact: true }).click();
    await page.getByRole('button', { name: 'Bollinger bands' }).click();
    assert.equal(new URL(page.url()).search, '?range=all&sma=50,100,200&bands=0');
    await page.reload();
    await page.getByRole('slider').waitFor();
    assert.deepEqual([...(await legend(page)).keys()], ['day', 'price', 'sma50', 'sma100', 'sma200']);
    assert.equal(await page.getByRole('button', { name: 'All', exact: true }).getAttribute('aria-pressed'), 'true');
  });

  it('is drawn, and drawn anew for every choice and in the dark', async () => {
    const page = await site.open('aldm-aldermoor', { search: '?range=all' });
    const pictures = [await picture(page)];
    for (const name of ['Log scale', 'Bollinger bands', '365', 'Switch to dark colours']) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.mouse.move(0, 0);
      await page.waitForTimeout(100);
      pictures.push(await picture(page));
    }
    assert.equal(new Set(pictures).size, pictures.length);
    assert.ok(
      pictures.every(each => each.length > 5000),
      'no picture is empty',
    );
  });

  it('credits its maker', async () => {
    const page = await site.open('aldm-aldermoor');
    await page.getByRole('link', { name: 'tradingview.com' }).waitFor();
  });
});

describe('with a key that gets 5 rows a request', () => {
  it('loads a little unasked, says what is missing, and loads the rest when told to', async () => {
    const days = (asset: Row) =>
      (Date.parse(String(asset['last_data_at'])) - Date.parse(String(asset['first_data_at']))) / DAY + 1;
    const asset = await site.find(each => days(each) > 32 && days(each) < 50);
    const all = days(asset);
    let asked = 0;
    const count = (page: Page) =>
      page.route('**/ta-hist?*excl_cols*', route => {
        asked++;
        return route.continue();
      });
    const page = await site.open(String(asset['id']), { search: '?range=all', key: DEMO_KEYS.free, prepare: count });
    const note = page.getByRole('status').filter({ hasText: 'your key gets 5 rows a request' });
    await note.getByText(`The latest 30 of ${all} days of this range are loaded`).waitFor();
    assert.equal(asked, 6);
    await note.getByRole('button', { name: /^Load the rest: \d more requests?$/ }).click();
    await note.waitFor({ state: 'hidden' });
    await page.getByText(`${String(asset['first_data_at']).slice(0, 10)} to `).waitFor();
    assert.equal(asked, Math.ceil(all / 5));
  });

  it('stops loading when told to', async () => {
    const page = await site.open('aldm-aldermoor', { key: DEMO_KEYS.free });
    await page.getByRole('button', { name: /^Load the rest: 6\d more requests$/ }).click();
    await page.getByRole('button', { name: 'Stop loading' }).click();
    await page.getByRole('button', { name: /^Load the rest/ }).waitFor();
  });
});

describe('the profile', () => {
  it('has the description, facts, tags, people and links of the API', async () => {
    const page = await site.open('aldm-aldermoor');
    const profile = await site.profile('aldm-aldermoor');
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
        assert.ok(words.replaceAll(/\s/g, '').includes(`${count}${name}`), `${count} ${name} in ${words}`);
      }
    }
    const rel = await page.locator('.link a').first().getAttribute('rel');
    assert.ok(rel?.includes('noopener') && rel.includes('noreferrer'));
  });
});

/** A shown figure has four digits or more, or two decimals. */
function close(actual: number, expected: unknown, message = ''): void {
  assert.ok(typeof expected === 'number', message);
  const allowed = Math.max(Math.abs(expected) * 5.1e-4, Math.abs(expected) >= 0.01 ? 0.00501 : 0);
  assert.ok(Math.abs(actual - expected) <= allowed, `${message} shows ${actual} for ${expected}`);
}

async function shown(page: Page, selector: string): Promise<number> {
  return shownNumber(await page.innerText(selector));
}

function texts(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).allInnerTexts();
}

async function legend(page: Page): Promise<Map<string, string>> {
  const pairs = page.locator('.chart-legend > div');
  return new Map(
    await pairs.evaluateAll(elements =>
      elements.map((element): [string, string] => [
        element.querySelector('dt')?.textContent ?? '',
        element.querySelector('dd')?.textContent ?? '',
      ]),
    ),
  );
}

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
