// How the asset page behaves: what it says when something is wrong, on a phone, to a screen reader, and to other hosts.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Route } from 'playwright-core';
import { DEMO_KEYS } from '../../../src/domain/api-key.ts';
import { openAsset } from './asset-page.ts';
import { audit } from './audit.ts';
import { Site } from './site.ts';

const PHONE = { width: 320, height: 700 };

let site: Site;
before(async () => {
  site = await Site.start();
});
afterEach(() => site.closePages());
after(() => site?.close());

describe('an address that names no asset', () => {
  it('leads to the assets that it could mean', async () => {
    const page = await openAsset(site, 'aldermoo');
    assert.equal(await page.innerText('h1'), 'There is no asset “aldermoo”');
    await page.getByRole('link', { name: 'Aldermoor (ALDM)' }).click();
    await page.getByRole('heading', { name: 'Aldermoor ALDM' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/asset/aldm-aldermoor');
  });

  it('leads back to the list where nothing is like it', async () => {
    const page = await openAsset(site, '%22%3Cnothing%3E');
    assert.equal(await page.innerText('h1'), 'There is no asset “"<nothing>”');
    assert.equal(await page.getByRole('link', { name: 'Find it among all assets' }).getAttribute('href'), '/');
  });

  it('offers every asset of an ambiguous ticker', async () => {
    const page = await openAsset(site, 'tilo');
    assert.equal(await page.innerText('h1'), 'Which TILO?');
    // The names come after the ids.
    for (const name of ['Tilo the Otter (TILO)', 'Tiloran Finance (TILO)', 'Tilosa (TILO)']) {
      await page.getByRole('link', { name }).waitFor();
    }
    assert.equal(await page.locator('.likely-assets a').count(), 3);
    await page.getByRole('link', { name: 'Tilosa (TILO)' }).click();
    await page.getByRole('heading', { name: 'Tilosa TILO' }).waitFor();
  });
});

describe('a request that fails', () => {
  const problem =
    (status: number, code: string, title: string, headers: Record<string, string> = {}) =>
    (route: Route) =>
      route.fulfill({
        status,
        headers: { 'content-type': 'application/problem+json', ...headers },
        body: JSON.stringify({ error: true, status, code, title, detail: `${title}.`, request_id: 'abc-1' }),
      });
  const cases: readonly [string, (route: Route) => Promise<void>, RegExp, string][] = [
    ['a refused key', problem(401, 'revoked_key', 'Revoked key'), /Ask the operator/, 'Enter an API key'],
    [
      'a quota used up',
      problem(429, 'quota_exceeded', 'Quota used up', { 'retry-after': '7000' }),
      /continues in 117 minutes/,
      'Retry',
    ],
    ['a service without data', problem(503, 'no_data', 'No data', { 'retry-after': '100' }), /no data yet/, 'Retry'],
    ['a mistake of the service', problem(500, 'internal', 'Internal error'), /request id abc-1/, 'Retry'],
    ['no answer', route => route.abort(), /does not answer/, 'Retry'],
  ];
  for (const [what, answer, words, button] of cases) {
    it(`says what to do about ${what}`, async () => {
      const page = await openAsset(site, 'aldm-aldermoor', { prepare: each => each.route('**/assets/aldm*', answer) });
      const notice = page.getByRole('alert');
      assert.match(await notice.innerText(), words);
      await page.unroute('**/assets/aldm*');
      await notice.getByRole('button', { name: button }).click();
      if (button === 'Retry') await page.getByRole('heading', { name: 'Aldermoor ALDM' }).waitFor();
      else await page.getByRole('textbox', { name: 'API key' }).waitFor();
    });
  }

  it('of the history alone leaves the rest of the page, and is tried again', async () => {
    const chartRows = '**/ta-hist?*excl_cols*';
    const page = await openAsset(site, 'aldm-aldermoor', {
      prepare: each => each.route(chartRows, problem(500, 'internal', 'Internal error')),
    });
    await page.getByRole('heading', { name: 'Indicators' }).waitFor();
    const notice = page.getByRole('alert');
    await notice.waitFor();
    await page.unroute(chartRows);
    await notice.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('slider').waitFor();
    assert.equal(await notice.count(), 0);
  });
});

it('the way back leads to the screener as it was, with no list of suggestions open', async () => {
  const page = await openAsset(site, 'aldm-aldermoor');
  await page.getByRole('link', { name: '← All assets' }).click();
  await page.locator('tbody a').first().waitFor();
  assert.equal(await page.locator('#where-suggestions').isVisible(), false);
});

it('an asset without prices and profile says so', async () => {
  const page = await openAsset(site, 'aldm-aldermoor', {
    prepare: async each => {
      await each.route('**/ta-hist?*', async route => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), result: [], next: null } });
      });
      await each.route('**/assets/aldm*', async route => {
        const { id, name, symbol, links } = await (await route.fetch()).json();
        const none = Object.fromEntries(Object.keys(links).map(key => [key, []]));
        await route.fulfill({
          json: {
            ...{ id, name, symbol, rank: null, is_new: false, is_active: false, type: null, tags: [], team: [] },
            ...{ description: null, message: null, open_source: null, started_at: null, development_status: null },
            ...{ hardware_wallet: null, proof_type: null, org_structure: null, hash_algorithm: null, links: none },
            ...{ links_extended: [], whitepaper: { link: null, thumbnail: null }, first_data_at: null },
          },
        });
      });
    },
  });
  await page.getByText('There is no price yet.').waitFor();
  await page.getByText('No source has described this asset yet.').waitFor();
});

describe('the API request behind the chart', () => {
  it('gives the rows that the chart shows', async () => {
    const page = await openAsset(site, 'aldm-aldermoor', { search: '?range=1m' });
    await page.getByRole('slider').waitFor();
    await page.getByText('The API request behind this chart').click();
    const url = await page.getByRole('tabpanel').innerText();
    const response = await fetch(url, { headers: { 'x-api-key': DEMO_KEYS.pro } });
    const { result } = (await response.json()) as { result: readonly { datetimeUTC: string }[] };
    const [last, first] = [result[0]!, result.at(-1)!].map(row => row.datetimeUTC.slice(0, 10));
    await page.getByText(`${first} to ${last}: from `).waitFor();
    // A program asks for larger pages than the chart.
    const { pathname, searchParams } = new URL(url);
    for (const form of ['curl', 'Python', 'TypeScript', 'DuckDB']) {
      await page.getByRole('tab', { name: form }).click();
      const text = await page.getByRole('tabpanel').innerText();
      for (const part of [pathname.split('/').at(-1)!, searchParams.get('id')!, searchParams.get('from')!]) {
        assert.ok(text.includes(part), `${form}: ${part}`);
      }
    }
  });
});

describe('the page is accessible', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    it(`axe finds nothing wrong in the ${colorScheme}, with an open formula and an open request`, async () => {
      const page = await openAsset(site, 'aldm-aldermoor', { colorScheme });
      await page.getByRole('slider').waitFor();
      await page.getByText('The API request behind this chart').click();
      await page.locator('.indicators').getByRole('button', { name: 'SMA 20', exact: true }).focus();
      assert.deepEqual(await audit(page, colorScheme), []);
    });
  }

  it('axe finds nothing wrong where there is no asset', async () => {
    assert.deepEqual(await audit(await openAsset(site, 'aldermoo')), []);
  });

  it('fits a phone', async () => {
    const page = await openAsset(site, 'aldm-aldermoor', { viewport: PHONE, hasTouch: true });
    await page.getByRole('slider').waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), PHONE.width);
    const word = page.locator('.indicators').getByRole('button', { name: 'SMA 200', exact: true });
    await word.tap();
    const note = page.locator('[role=tooltip]:visible');
    assert.equal(await note.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), true);
    const tip = (await note.boundingBox())!;
    assert.ok(tip.x >= 0 && tip.x + tip.width <= PHONE.width, 'the formula stays in the window');
  });

  it('can be worked with keys alone', async () => {
    const page = await openAsset(site, 'aldm-aldermoor');
    await page.getByRole('slider').waitFor();
    const reached = new Set<string>();
    for (let presses = 0; presses < 150; presses++) {
      await page.keyboard.press('Tab');
      reached.add(await page.evaluate('document.activeElement.textContent || document.activeElement.role'));
    }
    for (const name of [
      '← All assets',
      '1M',
      'Candles',
      '365',
      'Bollinger',
      'Log',
      'MACD',
      'Reset',
      'slider',
      'Change 1d',
      'Volatility 50d',
    ]) {
      assert.ok(reached.has(name), name);
    }
  });
});

it('no page asked another host for anything or broke its policy', () => {
  site.assertNoMisdeeds();
});
