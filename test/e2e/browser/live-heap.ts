// The memory of the screener after many live updates, which arrive as fast as the page takes them.

import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';

interface Row {
  readonly symbol: string;
  readonly [column: string]: unknown;
}

/** Bytes of the JavaScript heap, garbage collected, after so many updates of ten rows each. */
export async function heapAfterEvents(browser: Browser, url: string, counts: readonly number[]): Promise<number[]> {
  const found: number[] = [];
  for (const count of counts) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.route(/format=sse/, async route => {
      const headers = { ...route.request().headers(), accept: 'application/json' };
      const listing = await route.fetch({ url: route.request().url().replace('&format=sse', ''), headers });
      const { result } = (await listing.json()) as { result: readonly Row[] };
      await route.fulfill({ contentType: 'text/event-stream', body: eventsOf(result, count) });
    });
    await page.goto(url);
    const last = `Price ${priceAt(count - 1, 0)}`;
    await page.locator(`td[title="${last}"]`).first().waitFor({ timeout: 120_000 });
    const session = await context.newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    found.push(usedSize);
    await context.close();
  }
  return found;
}

/** Each event has prices of its own. */
function priceAt(event: number, row: number): number {
  return 1000 + event + row / 16;
}

function eventsOf(rows: readonly Row[], count: number): string {
  assert.ok(rows.length > 0);
  const events = [`event: rows\nid: 0\ndata: ${JSON.stringify({ version: 0, result: rows })}\n\n`];
  for (let event = 0; event < count; event++) {
    const changed = rows.slice(0, 10).map((row, i) => ({ ...row, price: priceAt(event, i) }));
    const data = JSON.stringify({ version: event + 1, entered: [], left: [], changed });
    events.push(`event: changes\nid: ${event + 1}\ndata: ${data}\n\n`);
  }
  // The stream would be connected again when it ends; not within this measurement.
  return `retry: 600000\n${events.join('')}`;
}
