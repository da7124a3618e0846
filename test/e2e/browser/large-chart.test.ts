// The chart of one asset with 100,000 bars of a minute: all of them are loaded on request, and can be read, zoomed and moved.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { tidemark } from '../../support/server-process.ts';
import { legend, openAsset } from './asset-page.ts';
import { Site, waitFor } from './site.ts';

const BARS = 100_000;
const FIRST = Date.parse('2026-04-01T00:00Z');
const folder = mkdtempSync(join(tmpdir(), 'tidemark-chart-'));
const store = `sqlite:${join(folder, 'minutes.db')}`;

const timeOf = (bar: number) => new Date(FIRST + bar * 60_000).toISOString();
const shown = (bar: number) => timeOf(bar).slice(0, 16).replace('T', ' ');
/** A wave, so that bars differ. */
const closeOf = (bar: number) => 1000 + Math.round(100 * Math.sin(bar / 500)) + (bar % 7);

let site: Site;
before(async () => {
  const file = join(folder, 'minutes.csv');
  const lines = Array.from({ length: BARS }, (_, i) => `LONG,${timeOf(i)},${closeOf(i)}`);
  writeFileSync(file, ['symbol,time,close', ...lines].join('\n'));
  await tidemark('ingest', 'csv', file, '--interval', '1m', '--retention-1m', '0', '--store', store);
  site = await Site.start('--open', '--retention-1m', '0', '--store', store);
});
after(async () => {
  await site?.close();
  rmSync(folder, { recursive: true });
});

describe(`a chart of ${BARS} bars`, () => {
  const last = async (page: Page) => Number(await page.getByRole('slider').getAttribute('aria-valuemax'));
  const caption = (page: Page) => page.locator('figcaption p').first().innerText();

  it('has them all on request, and each can be reached', async () => {
    const page = await openAsset(site, 'LONG', { search: '?interval=1m&range=all' });
    await page.getByRole('button', { name: /^Load the rest: \d+ more requests$/ }).click();
    // Twenty requests take long on a busy machine: as long as each brings something, there is time for the next.
    for (let now = await last(page); now < BARS - 1; now = await last(page)) {
      await waitFor(async () => assert.notEqual(await last(page), now));
    }
    assert.equal(await last(page), BARS - 1);
    await waitFor(async () => assert.ok((await caption(page)).startsWith(`${shown(0)} to ${shown(BARS - 1)} UTC`)));
    await page.locator('.loaded-note').waitFor({ state: 'detached' });
    await page.getByRole('slider').focus();
    await page.keyboard.press('Home');
    await waitFor(async () => assert.equal((await legend(page)).get('Time'), shown(0)));
    await page.keyboard.press('PageUp');
    await waitFor(async () => assert.equal((await legend(page)).get('Time'), shown(30)));
    assert.equal((await legend(page)).get('Price'), closeOf(30).toLocaleString('en-US', { minimumFractionDigits: 2 }));
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await waitFor(async () => assert.ok(!(await caption(page)).startsWith(shown(0))));
    site.assertNoMisdeeds();
  });
});
