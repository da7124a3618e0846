// The benchmark of a publication in an interval, for the betas and correlations of histories: read once per version.

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

export class BenchmarkSeries {
  readonly #histories: Pick<PublishedHistories, 'baseCloses'>;
  readonly #newest = new Map<Interval, Benchmark>();

  constructor(histories: Pick<PublishedHistories, 'baseCloses'>) {
    this.#histories = histories;
  }

  /** Null if the store has published another version. */
  async of(version: number, snapshot: BenchmarkSource, interval: Interval = '1d'): Promise<Benchmark | null> {
    const known = this.#newest.get(interval);
    if (known?.version === version) return known;
    const found = await this.#read(version, snapshot, interval);
    if (found !== null) this.#newest.set(interval, found);
    return found;
  }

  async #read(
    version: number,
    { assetIndex, benchmark }: BenchmarkSource,
    interval: Interval,
  ): Promise<Benchmark | null> {
    const asset = bestRanked(assetIndex.bySymbol(benchmark).filter(({ lastDay }) => lastDay !== null));
    if (asset === undefined) return { version, series: null };
    const closes = await this.#histories.baseCloses(asset, interval, version);
    if (closes === null) return null;
    const { day, close } = coarserCloses(closes, interval);
    return { version, series: day.length === 0 ? null : benchmarkOf(dailySeries(day, close)) };
  }
}
