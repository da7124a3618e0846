// The chart of the asset page against the API: bars of months, comparison, drawdown, zoom; and how a number was computed.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { allDays, assertShows, type Cells, legend, openAsset } from './asset-page.ts';
import { audit } from './audit.ts';
import { Site, waitFor } from './site.ts';

const ASSET = 'aldm-aldermoor';
const OTHER = 'velr-veloria';

let site: Site;
before(async () => {
  site = await Site.start();
});
afterEach(() => site.closePages());
after(() => site?.close());

async function openChart(search = '', options: Parameters<typeof openAsset>[2] = {}): Promise<Page> {
  const page = await openAsset(site, ASSET, { ...options, search });
  await page.getByRole('slider').waitFor();
  return page;
}

const day = (row: Cells) => String(row['datetimeUTC']).slice(0, 10);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('bars', () => {
  it('of a month are those of the API, with the indicators of its last day', async () => {
    const { result } = JSON.parse(await site.text(`/v1/crypto/bars?id=${ASSET}&interval=1mo&limit=3`));
    const days = await allDays(site, ASSET);
    const page = await openChart('?range=all&ema=20');
    await page.getByLabel('Interval').selectOption('1mo');
    await page
      .locator('.chart-legend')
      .filter({ hasText: day(result[0]) })
      .waitFor();
    await page.getByRole('slider').focus();
    for (const [place, bar] of (result as Cells[]).entries()) {
      if (place > 0) await page.keyboard.press('ArrowLeft');
      await page
        .locator('.chart-legend')
        .filter({ hasText: day(bar) })
        .waitFor();
      const shown = await legend(page);
      for (const name of ['Open', 'High', 'Low', 'Close']) {
        assertShows(shown.get(name)!, bar[name.toLowerCase()], `${name} of ${day(bar)}`);
      }
      const next = place === 0 ? '9999' : day(result[place - 1]);
      const last = days.find(row => day(row) < next)!;
      assertShows(shown.get('EMA 20, daily')!, last['ema20'], `EMA of ${day(last)}`);
    }
  });
});

describe('labels', () => {
  /** Notes every text that the chart draws, with the place of its canvas. */
  const NOTE_TEXTS = `
    window.drawn = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
      window.drawn.push([text, Math.round(this.canvas.getBoundingClientRect().top)]);
      return fillText.call(this, text, ...rest);
    };
  `;

  it('of panes stand in their own pane only', async () => {
    const page = await openChart('', { prepare: each => each.addInitScript(NOTE_TEXTS) });
    for (const name of ['RSI', 'MACD', 'RSI', 'RSI']) {
      await page.locator('.chart-controls').getByRole('button', { name, exact: true }).click();
    }
    await waitFor(async () => {
      // What was drawn before the page had its final height is at other places.
      await page.evaluate('window.drawn = []');
      await button(page, 'Zoom in').click();
      await page.evaluate('new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
      const drawn = await page.evaluate<[string, number][]>('window.drawn');
      const placesOf = (title: string) => new Set(drawn.filter(([text]) => text === title).map(([, top]) => top));
      const [rsi, macd] = [placesOf('RSI 14'), placesOf('MACD 12 26 9')];
      assert.deepEqual([rsi.size, macd.size], [1, 1], JSON.stringify(drawn));
      const top = (await page.getByRole('slider').boundingBox())!.y;
      assert.ok([...rsi][0]! > top + 100 && [...macd][0]! > [...rsi][0]!, 'below the prices, one below the other');
    });
  });

  it('of the prices are whole, and none is cut by the edge of its pane', async () => {
    const page = await openChart('?rsi=1&macd=1', { viewport: { width: 1280, height: 1300 } });
    // A label that is cut has text in the first or last row of its axis.
    const cut = () =>
      page.evaluate<number>(`(() => {
        let cut = 0;
        for (const cell of document.querySelectorAll('[role=slider] tr > td:last-child')) {
          const canvas = cell.querySelector('canvas');
          if (!canvas || canvas.height < 40) continue;
          for (const row of [0, canvas.height - 1]) {
            const { data } = canvas.getContext('2d').getImageData(6, row, canvas.width - 6, 1);
            for (let at = 3; at < data.length; at += 4) if (data[at] > 0) cut++;
          }
        }
        return cut;
      })()`);
    // In one of many windows an edge would meet a label.
    for (let height = 1300; height < 1330; height += 3) {
      await page.setViewportSize({ width: 1280, height });
      await waitFor(async () => assert.equal(await cut(), 0, `${height}`));
    }
  });

  it('say that the indicators of a month are those of a day', async () => {
    const page = await openChart('?interval=1mo&rsi=1&macd=1');
    await page.getByText('each month shows those of its last day').waitFor();
    await waitFor(async () => {
      const daily = [...(await legend(page)).keys()].filter(label => label.endsWith(', daily')).sort();
      assert.deepEqual(daily, ['MACD, daily', 'RSI 14, daily', 'SMA 200, daily', 'SMA 50, daily']);
    });
    await page.getByLabel('Interval').selectOption('1d');
    await page.getByText('each month shows').waitFor({ state: 'detached' });
  });
});

describe('a comparison', () => {
  it('takes Enter before the suggestions are there', async () => {
    const page = await openChart('');
    await page.route('**/v1/crypto/assets?*', async route => {
      await new Promise(resolve => setTimeout(resolve, 300));
      await route.continue();
    });
    const field = page.getByRole('combobox', { name: 'Add an asset to compare with' });
    await field.fill('VELR');
    await field.press('Enter');
    await waitFor(async () => assert.equal(new URL(page.url()).searchParams.get('vs'), OTHER));
  });

  it('has each asset at 100 on the first day of the range, and lives in the address', async () => {
    const page = await openChart('?range=3m');
    const field = page.getByRole('combobox', { name: 'Add an asset to compare with' });
    await field.fill('velor');
    await page.getByRole('option', { name: 'VELR Veloria' }).waitFor();
    await field.press('Enter');
    assert.equal(new URL(page.url()).search, `?range=3m&vs=${OTHER}`);
    const [own, other] = await Promise.all([allDays(site, ASSET), allDays(site, OTHER)]);
    const note = await page.getByText(/^Rebased: every asset is 100 on /).innerText();
    const base = /\d{4}-\d\d-\d\d/.exec(note)![0];
    await waitFor(async () => assert.deepEqual([...(await legend(page)).keys()], ['Day', 'ALDM', 'VELR']));
    const shown = await legend(page);
    for (const [ticker, rows] of [['ALDM', own] as const, ['VELR', other] as const]) {
      const first = rows.find(row => day(row) === base)!;
      const expected = (Number(rows[0]!['price']) / Number(first['price'])) * 100;
      assert.equal(shown.get(ticker), expected.toFixed(2));
    }
    await page.reload();
    await button(page, 'Remove VELR from the comparison').click();
    await page.locator('.chart-legend').filter({ hasText: 'Close' }).waitFor();
    assert.equal(new URL(page.url()).search, '?range=3m');
  });

  it('takes five assets and no more', async () => {
    const { result } = JSON.parse(await site.text('/v1/crypto/assets?limit=6&sort=rank&order=asc'));
    const others = (result as Cells[]).map(row => String(row['id'])).filter(id => id !== ASSET);
    const page = await openChart(`?vs=${others.slice(0, 4).join()}`);
    await waitFor(async () => assert.equal((await legend(page)).size, 6));
    assert.equal(await page.getByRole('combobox', { name: 'Add an asset to compare with' }).count(), 0);
  });
});

it('the drawdown is the distance from the highest close so far, day by day', async () => {
  const page = await openChart('?range=all');
  await button(page, 'Drawdown').click();
  const [latest, before] = await allDays(site, ASSET);
  await page.locator('.chart-legend').filter({ hasText: 'Drawdown' }).waitFor();
  assertShows((await legend(page)).get('Drawdown')!, latest!['from_ath']);
  await page.getByRole('slider').focus();
  await page.keyboard.press('ArrowLeft');
  await page
    .locator('.chart-legend')
    .filter({ hasText: day(before!) })
    .waitFor();
  assertShows((await legend(page)).get('Drawdown')!, before!['from_ath']);
});

describe('zoom', () => {
  /** With all days, so that nothing is drawn anew meanwhile. */
  async function openLoaded(): Promise<Page> {
    const page = await openChart();
    await untilLoaded(page);
    return page;
  }

  async function untilLoaded(page: Page): Promise<void> {
    const days = await allDays(site, ASSET);
    await page.locator(`[role=slider][aria-valuemax="${days.length - 1}"]`).waitFor();
    // Effects run after the next frame, and what they draw is there in the one after it.
    const frame = 'new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))';
    for (let i = 0; i < 3; i++) await page.evaluate(frame);
  }

  const shownDays = async (page: Page) => {
    const [, from = '', to = ''] = /(\d{4}-\d\d-\d\d) to (\d{4}-\d\d-\d\d)/.exec(await page.innerText('figcaption'))!;
    return (Date.parse(to) - Date.parse(from)) / 86_400_000;
  };

  for (const [what, zoomIn, zoomOut] of [
    ['buttons', (page: Page) => button(page, 'Zoom in').click(), (page: Page) => button(page, 'Zoom out').click()],
    ['keys', (page: Page) => page.keyboard.press('+'), (page: Page) => page.keyboard.press('-')],
    ['the wheel with Ctrl', (page: Page) => wheel(page, -200), (page: Page) => wheel(page, 200)],
  ] as const) {
    it(`by ${what} shows fewer and more days, and the words follow`, async () => {
      const page = await openLoaded();
      await page.getByRole('slider').focus();
      const whole = await shownDays(page);
      assert.ok(whole >= 365 && whole <= 366, `${whole} days`);
      await zoomIn(page);
      await waitFor(async () => assert.ok((await shownDays(page)) < 0.9 * whole));
      const close = await shownDays(page);
      await zoomOut(page);
      await waitFor(async () => assert.ok((await shownDays(page)) > close));
      await button(page, 'Reset').click();
      await waitFor(async () => assert.equal(await shownDays(page), whole));
    });
  }

  async function wheel(page: Page, delta: number): Promise<void> {
    const box = (await page.getByRole('slider').boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, delta);
    await page.keyboard.up('Control');
  }

  it('stays where it is when older days arrive', async () => {
    const older = Promise.withResolvers<void>();
    const prepare = (each: Page) =>
      each.route('**/ta-hist?*page=2*', async route => {
        await older.promise;
        await route.continue();
      });
    const page = await openChart('', { prepare });
    const whole = await shownDays(page);
    assert.ok(whole >= 365 && whole <= 366, `${whole} days as soon as there is a chart`);
    await button(page, 'Zoom in').click();
    await waitFor(async () => assert.ok((await shownDays(page)) < 0.9 * whole));
    const inSight = await page.innerText('figcaption');
    older.resolve();
    await untilLoaded(page);
    assert.equal(await page.innerText('figcaption'), inSight);
  });

  it('by a range leaves the place of the keyboard, also if the key comes before the range is drawn', async () => {
    const page = await openChart();
    await page.getByRole('slider').focus();
    // Without a frame in between, as on a busy machine.
    const placed = await page.evaluate(`(async () => {
      const slider = document.querySelector('[role=slider]');
      const numberOf = name => Number(slider.getAttribute('aria-' + name));
      [...document.querySelectorAll('button')].find(each => each.textContent === '1M').click();
      for (let i = 0; i < 20; i++) await null;
      slider.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
      for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
      await new Promise(resolve => setTimeout(resolve));
      return { back: numberOf('valuemax') - numberOf('valuenow'), narrow: numberOf('valuemax') - numberOf('valuemin') < 35 };
    })()`);
    assert.deepEqual(placed, { back: 1, narrow: true });
  });

  it('does not lose a key that comes before the months of a new interval are in sight', async () => {
    const page = await openChart('?range=1y');
    await page.evaluate(`{
      new MutationObserver((_, observer) => {
        const slider = document.querySelector('[role=slider]');
        if (!(Number(slider?.getAttribute('aria-valuemax') ?? 100) < 100)) return;
        observer.disconnect();
        slider.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
      }).observe(document.body, { attributes: true, childList: true, subtree: true });
    }`);
    await page.getByLabel('Interval').selectOption('1mo');
    const slider = page.getByRole('slider');
    const numberOf = async (name: string) => Number(await slider.getAttribute(`aria-${name}`));
    await waitFor(async () => {
      const max = await numberOf('valuemax');
      assert.ok(max < 100);
      assert.equal(await numberOf('valuenow'), max - 1);
    });
  });

  it('and a drag moves along the days', async () => {
    const page = await openLoaded();
    const caption = page.locator('figcaption');
    const latest = (await legend(page)).get('Day')!;
    await caption.filter({ hasText: `to ${latest}` }).waitFor();
    const box = (await page.getByRole('slider').boundingBox())!;
    await page.mouse.move(box.x + 200, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 600, box.y + 100, { steps: 5 });
    await page.mouse.up();
    await caption.filter({ hasNotText: `to ${latest}:` }).waitFor();
  });

  it('leaves the plain wheel to the page', async () => {
    const page = await openLoaded();
    const box = (await page.getByRole('slider').boundingBox())!;
    await page.mouse.move(box.x + 200, box.y + 100);
    await page.mouse.wheel(0, 300);
    await waitFor(async () => assert.ok(Number(await page.evaluate('scrollY')) > 100));
  });
});

interface ShownInput {
  readonly name: string;
  readonly day: string;
  readonly close: number;
  readonly influence: number | null;
  readonly numbers: { readonly high?: number; readonly low?: number };
}

/** The dialog shows it first; of equal ones, the latest. */
function mostInfluential(inputs: readonly ShownInput[]): ShownInput {
  return inputs.reduce((best, each) => ((each.influence ?? 0) > (best.influence ?? 0) ? each : best));
}

describe('a number', () => {
  const dialog = (page: Page) => page.getByRole('dialog');

  async function expectExplanation(page: Page, column: string, asOf: string): Promise<void> {
    const path = `/v1/crypto/explain/${ASSET}/${column}?as_of=${asOf}`;
    const { value, formula, exact, inputs, steps } = JSON.parse(await site.text(path));
    await dialog(page).getByText(exact, { exact: true }).last().waitFor();
    const text = await dialog(page).innerText();
    for (const wanted of [
      formula,
      String(value),
      `GET ${path}`,
      ...steps.map((step: { value: string }) => step.value),
    ]) {
      assert.ok(text.includes(wanted), `${column}: ${wanted} in ${text}`);
    }
    const rows = dialog(page).locator('tbody tr');
    assert.equal(await rows.count(), Math.min(12, inputs.length));
    const first = mostInfluential(inputs);
    assert.match(
      await rows.first().innerText(),
      new RegExp(`${first.name}\\s+${first.day}\\s+${first.close}\\s.*demo, load \\d+`),
    );
  }

  it('in the head and among the indicators opens its explanation, and gives the focus back', async () => {
    const page = await openChart();
    const latest = (await legend(page)).get('Day')!;
    for (const [column, number] of [
      ['price', page.locator('.asset-price .price .explained')],
      ['change30', page.locator('.asset-changes > div').filter({ hasText: '30 days' }).locator('.explained')],
      ['vol30', page.locator('.indicator-group tr').filter({ hasText: 'vol30' }).locator('.explained')],
    ] as const) {
      await number.focus();
      await page.keyboard.press('Enter');
      await expectExplanation(page, column, latest);
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      assert.equal(await number.evaluate(element => element === element.ownerDocument.activeElement), true);
    }
  });

  it('of a day that was kept in the chart is explained as of that day', async () => {
    const page = await openChart();
    const past = day((await allDays(site, ASSET))[40]!);
    await page.getByRole('slider').focus();
    for (const key of ['PageDown', ...Array<string>(10).fill('ArrowLeft'), 'Enter']) await page.keyboard.press(key);
    const reading = page.locator('.chart-legend > div').filter({ hasText: 'SMA 50' }).getByRole('button');
    await reading.click();
    await expectExplanation(page, 'sma50', past);
    await dialog(page).getByRole('button', { name: 'Show all 50 closes' }).click();
    assert.equal(await dialog(page).locator('tbody tr').count(), 50);
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await button(page, 'Show the latest day again').click();
    await page.locator('.chart-legend').filter({ hasNotText: past }).waitFor();
  });

  it('that needs more than closes shows those numbers too', async () => {
    const page = await openChart();
    await page.locator('.indicator-group tr').filter({ hasText: 'atr14' }).locator('.explained').click();
    const { exact, inputs } = JSON.parse(await site.text(`/v1/crypto/explain/${ASSET}/atr14`));
    await dialog(page).getByText(exact, { exact: true }).waitFor();
    const { name, day: own, close, numbers } = mostInfluential(inputs);
    const row = await dialog(page).locator('tbody tr').first().innerText();
    assert.match(row, new RegExp(`${name}\\s+${own}\\s+${close}\\s+${numbers.high}\\s+${numbers.low}\\s.*demo`));
  });

  it('of the chart opens its explanation for every indicator', async () => {
    const page = await openChart('?ema=20&rsi=1&macd=1');
    for (const [label, formula] of [
      ['EMA 20', 'ema20 = '],
      ['RSI 14', 'rsi14 = '],
      ['Signal', 'macd_signal = '],
      ['Volume', 'volume = as the source gives it'],
    ] as const) {
      await page.locator('.chart-legend > div').filter({ hasText: label }).getByRole('button').click();
      await dialog(page).getByText(formula).waitFor();
      await dialog(page).getByText('Exact, 40 digits').waitFor();
      await page.keyboard.press('Escape');
    }
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`explains itself to everyone: axe finds nothing in the ${colorScheme}`, async () => {
      const page = await openChart('?rsi=1&macd=1&bands=1', { colorScheme });
      await page.locator('.asset-changes .explained').first().click();
      await dialog(page).getByText('Relative error').waitFor();
      assert.deepEqual(await audit(page, colorScheme), []);
    });
  }

  it('explains itself within a window of 320 pixels', async () => {
    const page = await openChart('', { viewport: { width: 320, height: 640 } });
    await page.locator('.asset-changes .explained').first().click();
    await dialog(page).getByText('Relative error').waitFor();
    const box = (await dialog(page).boundingBox())!;
    assert.ok(box.x >= 0 && box.x + box.width <= 320 && box.y >= 0 && box.y + box.height <= 640);
  });
});

it('no page asked another host for anything or broke its policy', () => {
  site.assertNoMisdeeds();
});
