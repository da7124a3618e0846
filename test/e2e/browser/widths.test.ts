// Every page at every width: no text or control lies over another, nothing makes the page scroll sideways, and what matters is in sight.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { audit } from './audit.ts';
import { Site, tickers, waitFor } from './site.ts';

let site: Site;
before(async () => {
  site = await Site.start();
});
afterEach(() => site.closePages());
after(() => site?.close());

const WIDTHS = [320, 360, 390, 430, 480, 560, 640, 641, 700, 768, 834, 900, 1024, 1152, 1280, 1440, 1680, 1920, 2560];
const HEIGHT = 900;
const SCREEN = `?where=${encodeURIComponent('price >= 1 and sma50 > 1.02 * sma200')}&tag=payments,defi`;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Pairs of texts and controls whose visible boxes overlap. Runs in the page. */
const OVERLAPS = `(() => {
  const clipped = (element, box) => {
    if (!element.checkVisibility()) return null;
    let { left, right, top, bottom } = box;
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.visibility === 'hidden' || style.clipPath !== 'none') return null;
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
      const own = at.getBoundingClientRect();
      [left, right] = [Math.max(left, own.left), Math.min(right, own.right)];
      [top, bottom] = [Math.max(top, own.top), Math.min(bottom, own.bottom)];
    }
    return right - left > 2 && bottom - top > 2 && bottom > 0 ? { left, right, top, bottom } : null;
  };
  const found = [];
  const add = (element, rect, text) => {
    const box = clipped(element, rect);
    if (box) found.push({ element, box, text: text.trim().slice(0, 40) });
  };
  const walker = document.createTreeWalker(document.querySelector('#app'), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.data.trim() === '' || node.parentElement.closest('option, [hidden], canvas')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) add(node.parentElement, rect, node.data);
  }
  for (const element of document.querySelectorAll('button, input, select, a.button, .badge, .chip')) {
    add(element, element.getBoundingClientRect(), element.getAttribute('aria-label') ?? (element.textContent || element.placeholder || element.id));
  }
  const overlaps = [];
  for (const [i, one] of found.entries()) {
    for (const other of found.slice(i + 1)) {
      const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (width <= 1.5 || height <= 3) continue;
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      overlaps.push(one.text + ' | ' + other.text);
    }
  }
  return overlaps;
})()`;

async function expectTidy(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await waitFor(async () => {
      // A chart and a map are drawn anew a moment later.
      assert.deepEqual(await page.evaluate(OVERLAPS), [], `${name} at ${width}`);
      assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= width, `${name} at ${width}`);
    });
  }
}

/** Of a row that is cut. */
function hiddenWidth(page: Page, selector: string): Promise<number> {
  return page.locator(selector).evaluate(element => element.scrollWidth - element.clientWidth);
}

describe('nothing overlaps from 320 to 2,560 pixels', () => {
  it('in the screener and its panels', async () => {
    const page = await site.open(`/${SCREEN}`);
    await tickers(page, 1);
    await page.locator('.market-summary dd').first().waitFor();
    await expectTidy(page, 'the screener');
    // Narrower than this they scroll sideways.
    for (const width of WIDTHS.filter(each => each > 640)) {
      await page.setViewportSize({ width, height: HEIGHT });
      for (const row of ['.presets', '.market-summary'])
        await waitFor(async () => assert.equal(await hiddenWidth(page, row), 0, `${row} at ${width}`));
    }
    await page.setViewportSize({ width: 1280, height: HEIGHT });
    for (const name of ['Filters 4 in force', 'Columns', 'Saved', 'Export']) {
      await button(page, name).click();
      await expectTidy(page, name);
      await page.setViewportSize({ width: 1280, height: HEIGHT });
    }
  });

  it('in the screener of a past day with a mistake in the filter', async () => {
    const page = await site.open('/?as_of=2026-01-31');
    await tickers(page, 1);
    await page.getByRole('combobox', { name: 'Filter' }).fill('tag = meme');
    await page.getByText("Write tag('meme').").waitFor();
    await page.getByLabel('As of').focus();
    await expectTidy(page, 'a mistake');
  });

  it('on the page of an asset', async () => {
    const page = await site.open('/asset/aldm-aldermoor?interval=1w&rsi=1&macd=1&bands=1&ema=20,50');
    await page.getByRole('slider').waitFor();
    await page.getByText('The API request behind this chart').click();
    await expectTidy(page, 'an asset');
  });

  it('with an interval and times, in the screener, on the page of an asset and on the map', async () => {
    const page = await site.open('/?interval=1h&cols=datetimeUTC,price,change7,ath_at');
    await tickers(page, 1);
    await page.getByLabel('As of').fill(`${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}T10:00`);
    await page.getByRole('complementary', { name: 'A past day' }).waitFor();
    await tickers(page, 1);
    await expectTidy(page, 'hours in the screener');
    await page.goto(`${await site.url()}/asset/aldm-aldermoor?interval=15m&rsi=1`);
    await page.getByRole('slider').waitFor();
    await expectTidy(page, 'minutes of an asset');
    await page.goto(`${await site.url()}/map?interval=1h`);
    await page.locator('.treemap a.tile').first().waitFor();
    await expectTidy(page, 'the map of an hour');
  });

  it('on the map', async () => {
    const page = await site.open('/map');
    await page.locator('.treemap a.tile').first().waitFor();
    await expectTidy(page, 'the map');
  });

  it('on the page of alerts', async () => {
    const page = await site.open(`/alerts${SCREEN}`);
    await button(page, 'Notify me in this browser').click();
    await page.locator('.watches').waitFor();
    await button(page, 'Test').click();
    await page.locator('.notices').waitFor();
    await expectTidy(page, 'alerts');
  });
});

describe('in sight', () => {
  for (const width of [320, 360, 390]) {
    it(`are price and change on a phone of ${width} pixels`, async () => {
      const page = await site.open('/', { viewport: { width, height: 740 } });
      await tickers(page, 1);
      const [row] = await site.rows('sort=rank&order=asc&limit=1');
      for (const name of ['price', 'change1'] as const) {
        const label = name === 'price' ? 'Price' : 'Change 1d';
        const cell = page.getByTitle(`${label} ${row![name]}`, { exact: true }).first();
        const box = (await cell.boundingBox())!;
        assert.ok(box.x >= 0 && box.x + box.width <= width, `${name} ends at ${box.x + box.width}`);
      }
    });
  }

  for (const [width, height] of [
    [1280, 800],
    [1440, 900],
  ] as const) {
    it(`is the whole chart with its axis in a window of ${width} × ${height}`, async () => {
      const page = await site.open('/asset/aldm-aldermoor', { viewport: { width, height } });
      const chart = page.getByRole('slider');
      await chart.waitFor();
      const box = (await chart.boundingBox())!;
      assert.ok(box.y + box.height <= height, `it ends at ${box.y + box.height}`);
    });
  }
});

describe('the chosen colours', () => {
  it('are green and red on request, with enough contrast, and stay', async () => {
    const page = await site.open('/', { viewport: { width: 1280, height: 500 } });
    await tickers(page, 1);
    const colour = () =>
      page
        .locator('td.up')
        .first()
        .evaluate(cell => getComputedStyle(cell).color);
    const before = await colour();
    await button(page, 'Green and red').click();
    const chosen = await colour();
    assert.notEqual(chosen, before);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await audit(page, colorScheme), [], colorScheme);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(`${await site.url()}/map`);
    await page.locator('.treemap a.tile').first().waitFor();
    assert.deepEqual(await audit(page), []);
    await page.goto(`${await site.url()}/`);
    await tickers(page, 1);
    assert.equal(await colour(), chosen);
  });
});

it('did nothing but talk to its own service, within its content policy', () => site.assertNoMisdeeds());
