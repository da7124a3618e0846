// The explorer in Chromium on 100,000 assets: frames while scrolling, the way from a filter to painted rows, memory over live updates.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { firstLoad } from '../../test/e2e/browser/first-load.ts';
import { heapAfterEvents } from '../../test/e2e/browser/live-heap.ts';
import { openChromium } from '../../test/support/browser.ts';
import { ServerProcess, tidemark } from '../../test/support/server-process.ts';
import type { Bench } from '../report.ts';

const ASSETS = 100_000;
const DAYS = 20;
const FIRST_DAY = Date.UTC(2026, 5, 11);
/** Filter changes, after two to warm up. */
const CHANGES = 21;
const HOUR_OF_EVENTS = 3600;

export const explorerBench: Bench = {
  name: 'explorer',
  page: 'load',
  title: 'The explorer in a browser',
  async run(log) {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
    const store = `sqlite:${join(folder, 'store.db')}`;
    try {
      log(`loading ${ASSETS} assets …`);
      await fill(folder, store);
      const service = await ServerProcess.start('--open', '--workers', '1', '--store', store);
      const browser = await openChromium();
      try {
        return await measured(browser, service.url, log);
      } finally {
        await browser.close();
        await service.stop();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function fill(folder: string, store: string): Promise<void> {
  const file = join(folder, 'prices.csv');
  const lines = ['symbol,day,close'];
  for (let asset = 0; asset < ASSETS; asset++) {
    for (let day = 0; day < DAYS; day++) {
      const date = new Date(FIRST_DAY + day * 86_400_000).toISOString().slice(0, 10);
      lines.push(`T${asset},${date},${((asset % 997) + 1) * (1 + 0.05 * Math.sin(asset + day))}`);
    }
  }
  writeFileSync(file, lines.join('\n'));
  await tidemark('ingest', 'csv', file, '--store', store);
}

async function measured(browser: Browser, url: string, log: (text: string) => void): Promise<string> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByText(`${ASSETS.toLocaleString('en')} assets`).waitFor({ timeout: 120_000 });
  const frames = await scrolled(browser, page);
  log(`frames while scrolling: ${frames.length}, median ${quantile(frames, 0.5).toFixed(1)} ms`);
  const changes = await filterChanges(page);
  log(`filter to painted rows: median ${quantile(changes, 0.5).toFixed(0)} ms`);
  await context.close();
  const heap = await heapAfterEvents(browser, url, [HOUR_OF_EVENTS / 10, HOUR_OF_EVENTS]);
  const [early, late] = heap.map(bytes => (bytes / 1e6).toFixed(1));
  log(`heap after ${HOUR_OF_EVENTS / 10} and ${HOUR_OF_EVENTS} live updates: ${early} and ${late} MB`);
  const size = firstLoad().reduce((sum, file) => sum + gzipSync(file).length, 0);
  return [
    `Chromium without a GPU, a window of 1,280 × 800, ${ASSETS.toLocaleString('en')} assets in one server thread on the same machine.`,
    '',
    '| what | median | 95 % |',
    '|---|--:|--:|',
    `| time between frames while the table scrolls 3,000 pixels per second (from the trace) | ${millis(frames, 0.5)} | ${millis(frames, 0.95)} |`,
    `| from Enter in the filter to painted rows | ${millis(changes, 0.5)} | ${millis(changes, 0.95)} |`,
    '',
    `JavaScript heap after ${HOUR_OF_EVENTS / 10} live updates: ${early} MB; after ${HOUR_OF_EVENTS.toLocaleString('en')}, as many as an hour of the demo has: ${late} MB.`,
    `First load, compressed, before charts: ${(size / 1000).toFixed(1)} kB.`,
  ].join('\n');
}

/** Milliseconds between the frames that the compositor drew, from the browser's own trace. */
async function scrolled(browser: Browser, page: Page): Promise<number[]> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await browser.startTracing(page, {
    categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline.frame'],
  });
  await session.send('Input.synthesizeScrollGesture', { x: 640, y: 500, yDistance: -15_000, speed: 3000 });
  const trace = await browser.stopTracing();
  // The format of the trace: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: { name: string; ts: number }[] };
  const drawn = traceEvents.filter(({ name }) => name === 'DrawFrame').map(({ ts }) => ts / 1000);
  drawn.sort((a, b) => a - b);
  return drawn.slice(1).map((at, i) => at - drawn[i]!);
}

/** Milliseconds from the key to the frame after the one in which the new rows are in the document. */
async function filterChanges(page: Page): Promise<number[]> {
  await page.evaluate("document.querySelector('.table-region').scrollTop = 0");
  const times: number[] = [];
  for (let i = 0; i < CHANGES + 2; i++) {
    const expression = `price > ${100 + i * 30} and change7 > ${-1 + i / 100}`;
    times.push(Number(await page.evaluate(`(${inPage})(${JSON.stringify(expression)})`)));
  }
  return times.slice(2);
}

/** Runs in the page. */
const inPage = `async expression => {
  const field = document.getElementById('where');
  const status = () => document.querySelector('.table-foot [role=status]')?.textContent;
  const before = status();
  field.focus();
  const began = performance.now();
  field.value = expression;
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  await new Promise(requestAnimationFrame);
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  for (;;) {
    await new Promise(requestAnimationFrame);
    if (status() !== before && !document.querySelector('.table-box.stale')) break;
  }
  await new Promise(requestAnimationFrame);
  return performance.now() - began;
}`;

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

function millis(values: readonly number[], share: number): string {
  return `${quantile(values, share).toFixed(1)} ms`;
}
