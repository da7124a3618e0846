// What a store has published of all assets in an interval: the span of each history, and the benchmark.

import type { AssetNumber } from '../domain/asset.ts';
import { baseOf, type Interval, type Period } from '../domain/interval.ts';
import { dailySeries } from '../indicators/calendar.ts';
import { benchmarkOf, type ReturnSeries } from '../indicators/return-series.ts';
import { benchmarkRow } from '../publish/benchmark.ts';
import type { BarStore, CurrentChanges, CurrentRow, StoreView } from '../store/store.ts';
import { coarserCloses } from './coarser-bars.ts';
import type { Spans } from './interval-series.ts';
import { historySpan } from './published-series.ts';
import { QuoteCloses } from './quote-closes.ts';

/**
 * The published histories of the assets, as periods of the base. `part`: what of all published bars belongs to a history. `wanted`: only of
 * these assets, whose rows are given.
 */
export async function publishedSpans(
  view: StoreView,
  interval: Interval,
  rows: readonly Pick<CurrentRow, 'assetNumber' | 'day' | 'history'>[],
  part: typeof historySpan = historySpan,
  wanted?: readonly AssetNumber[],
): Promise<Spans> {
  const base = baseOf(interval);
  if (base === '1d') {
    // A day, because the row has a close on it.
    return new Map(rows.map(row => [row.assetNumber, { first: (row.day - row.history + 1) as Period, last: row.day }]));
  }
  const { assetNumber, first, last } = await view.series(base).publishedSpans(wanted);
  // Periods of the store.
  const span = (i: number) => part(interval, { first: first[i] as Period, last: last[i] as Period });
  return new Map(Array.from(assetNumber, (asset, i) => [asset, span(i)]));
}

/** All closes of a quote, whatever was loaded since. */
export async function publishedQuote(
  view: StoreView,
  interval: Interval,
  spans: Spans,
  quote: AssetNumber,
): Promise<QuoteCloses> {
  const [base, span] = [baseOf(interval), spans.get(quote)];
  const read = span && (await view.series(base).publishedCloses(quote, span.first, span.last));
  return new QuoteCloses(base, read?.closes ?? { day: new Int32Array(), close: new Float64Array() });
}

/** As the published rows have it, whatever was loaded since. `series`: in another quote. */
export async function intervalBenchmark(
  view: StoreView,
  published: Pick<CurrentChanges, 'rows' | 'columns'>,
  interval: Interval,
  spans: Spans,
  series: Pick<BarStore, 'publishedCloses'> = view.series(baseOf(interval)),
): Promise<ReturnSeries | null> {
  const row = await benchmarkRow(view, published);
  const span = row && spans.get(row.assetNumber);
  if (row === undefined || span === undefined) return null;
  const read = await series.publishedCloses(row.assetNumber, span.first, span.last);
  const { day, close } = coarserCloses(read.closes ?? { day: new Int32Array(), close: new Float64Array() }, interval);
  return day.length === 0 ? null : benchmarkOf(dailySeries(day, close));
}
