// SPEC 26: over five years of the demo, the listings of all days have a crossing exactly on the days that the histories of the assets have it,
// and these are the days that the averages of the simulated closes give.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { finish } from '../../../src/common/steps.ts';
import { TA_CUR, TA_HIST } from '../../../src/domain/datasets.ts';
import { type Day, dayFromIso, isoFromDay } from '../../../src/domain/day.ts';
import { FIAT } from '../../../src/domain/quote.ts';
import { historyTable } from '../../../src/history/history-table.ts';
import { pastSnapshot } from '../../../src/history/past-snapshot.ts';
import { demoSource } from '../../../src/ingest/demo/demo-source.ts';
import { load } from '../../../src/ingest/pipeline.ts';
import { earlierOfHistory, earlierOfListing, withEarlier } from '../../../src/query/execute/earlier-values.ts';
import { execute } from '../../../src/query/execute/execute.ts';
import { parsePlan } from '../../../src/query/parse/parse-plan.ts';
import { textAt } from '../../../src/snapshot/columns/texts.ts';
import { columnOf, type Table } from '../../../src/snapshot/table.ts';
import { openStore } from '../../../src/store/open.ts';
import type { AssetFacts, Store } from '../../../src/store/store.ts';

const LAST = dayFromIso('2026-06-30')!;
const DAYS = 5 * 365 + 1;
/** Some that begin and end within the five years. */
const ASSETS = 24;
const WHERE = `where=${encodeURIComponent('crosses_above(sma50, sma200)')}`;

const folder = mkdtempSync(join(tmpdir(), 'tidemark-crossings-'));
let store: Store;
before(async () => {
  store = await openStore(`sqlite:${join(folder, 'store.db')}`);
  await load({
    store,
    source: demoSource({ today: LAST, assets: ASSETS }),
    today: LAST,
    signal: new AbortController().signal,
  });
});
after(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/** `TICKER 2026-06-30` per row. */
function rowsOf(table: Table, rows: Uint32Array): string[] {
  const [symbols, days] = [columnOf(table, 'symbol', 'text'), columnOf(table, 'datetimeUTC', 'day')];
  return Array.from(rows, row => `${textAt(symbols, row)} ${isoFromDay(days.values[row]! as Day)}`); // the builder writes days
}

/** Of several assets with one ticker, the listing has one. */
function isShared(assets: readonly AssetFacts[], ticker: string): boolean {
  return assets.filter(({ symbol }) => symbol === ticker).length > 1;
}

async function fromListings(): Promise<string[]> {
  const plan = parsePlan(TA_CUR, WHERE);
  const found = new Set<string>();
  for (let ago = 0; ago < DAYS; ago++) {
    const past = { interval: '1d' as const, day: (LAST - ago) as Day, optional: false, inactive: false }; // a day before a day
    const [listing, earlier] = [await pastSnapshot(store, past), await pastSnapshot(store, { ...past, lag: 1 })];
    const bound = withEarlier(plan, finish(earlierOfListing(plan.lags, listing, earlier)));
    const table = listing.tables['ta-cur'];
    for (const row of rowsOf(table, execute(bound, table, ASSETS).rows)) found.add(row);
  }
  const { assets } = await store.assetsSince(0);
  return [...found].filter(row => !isShared(assets, row.slice(0, -11))).sort();
}

async function fromHistories(): Promise<{ crossings: string[]; computed: string[] }> {
  const [crossings, computed]: [string[], string[]] = [[], []];
  const { assets } = await store.assetsSince(0);
  for (const { assetNumber, symbol, type } of assets) {
    // A currency is not listed.
    if (isShared(assets, symbol) || type === FIAT) continue;
    const bars = await store.bars(assetNumber, 0 as Day, LAST); // the first day of all
    const table = historyTable(symbol, bars, null);
    const plan = parsePlan(TA_HIST, `symbol=${symbol}&order=asc&${WHERE}`);
    const bound = withEarlier(plan, finish(earlierOfHistory(plan.lags, table)));
    crossings.push(...rowsOf(table, execute(bound, table, table.rows).rows));
    computed.push(...plainCrossings(symbol, bars.day, bars.close));
  }
  const since = isoFromDay((LAST - DAYS + 1) as Day); // a day before a day
  const within = (rows: string[]) => rows.filter(row => row.slice(-10) >= since).sort();
  return { crossings: within(crossings), computed: within(computed) };
}

/** By sums of plain numbers. In a sum, a day without a close has the one before it; crossings are from one close to the next. */
function plainCrossings(symbol: string, days: Int32Array, delivered: Float64Array): string[] {
  const known = new Map(Array.from(days, (day, i) => [day, delivered[i]!]));
  const [first, last] = [days[0] ?? 0, days.at(-1) ?? -1];
  const closes: number[] = [];
  for (let day = first; day <= last; day++) closes.push(known.get(day) ?? closes.at(-1)!);
  const mean = (end: number, length: number) => {
    const window = closes.slice(Math.max(0, end + 1 - length), end + 1);
    return window.reduce((sum, close) => sum + close, 0) / window.length;
  };
  // Up to 50 closes are one window of both lengths, whose mean is the same however it is rounded.
  const isAbove = (end: number) => end >= 50 && mean(end, 50) > mean(end, 200);
  const found: string[] = [];
  let before = 0;
  for (let i = 1; i < closes.length; i++) {
    if (!known.has(first + i)) continue;
    if (isAbove(i) && !isAbove(before)) found.push(`${symbol} ${isoFromDay((first + i) as Day)}`); // a day between two
    before = i;
  }
  return found;
}

describe('crosses_above(sma50, sma200) over five years of the demo', () => {
  it('is true on the same days in listings, in histories and by plain sums', async () => {
    const { crossings, computed } = await fromHistories();
    assert.ok(crossings.length > 3 * ASSETS, `${crossings.length} crossings`);
    assert.deepEqual(crossings, computed);
    assert.deepEqual(await fromListings(), crossings);
  });
});
