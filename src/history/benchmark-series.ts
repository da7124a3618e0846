// The benchmark of a publication in an interval and a quote, for the betas and correlations of histories: read once per version.

import type { AssetNumber } from '../domain/asset.ts';
import { bestRanked } from '../domain/asset-state.ts';
import type { Interval } from '../domain/interval.ts';
import { dailySeries } from '../indicators/calendar.ts';
import type { ReturnSeries } from '../indicators/return-series.ts';
import { benchmarkOf } from '../indicators/return-series.ts';
import type { Snapshot } from '../snapshot/table.ts';
import { coarserCloses } from './coarser-bars.ts';
import type { PublishedHistories } from './published-series.ts';

type BenchmarkSource = Pick<Snapshot, 'assetIndex' | 'benchmark'>;

export interface Benchmark {
  readonly version: number;
  /** Null if no asset with the ticker has a close. */
  readonly series: ReturnSeries | null;
}

/** Of all intervals in dollars, and of some in other quotes: clients can name any asset as the quote. */
const MOST_KEPT = 16;

export class BenchmarkSeries {
  readonly #histories: Pick<PublishedHistories, 'inQuote'>;
  /** By interval and quote, the one that was read last at the end. */
  readonly #newest = new Map<string, Benchmark>();

  constructor(histories: Pick<PublishedHistories, 'inQuote'>) {
    this.#histories = histories;
  }

  /** Null if the store has published another version. */
  async of(
    version: number,
    snapshot: BenchmarkSource,
    interval: Interval = '1d',
    quote: AssetNumber | null = null,
  ): Promise<Benchmark | null> {
    const name = `${interval} ${quote}`;
    const known = this.#newest.get(name);
    if (known?.version === version) return known;
    const found = await this.#read(version, snapshot, interval, quote);
    if (found === null) return null;
    this.#newest.delete(name);
    this.#newest.set(name, found);
    if (this.#newest.size > MOST_KEPT) this.#newest.delete(this.#newest.keys().next().value!); // there is one
    return found;
  }

  async #read(
    version: number,
    { assetIndex, benchmark }: BenchmarkSource,
    interval: Interval,
    quote: AssetNumber | null,
  ): Promise<Benchmark | null> {
    const asset = bestRanked(assetIndex.bySymbol(benchmark).filter(({ lastDay }) => lastDay !== null));
    if (asset === undefined) return { version, series: null };
    const closes = await this.#histories.inQuote(quote).baseCloses(asset, interval, version);
    if (closes === null) return null;
    const { day, close } = coarserCloses(closes, interval);
    return { version, series: day.length === 0 ? null : benchmarkOf(dailySeries(day, close)) };
  }
}
