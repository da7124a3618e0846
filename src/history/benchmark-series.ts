// The benchmark of a publication, for the betas and correlations of histories: read once per version.

import { bestRanked } from '../domain/asset-state.ts';
import { dailySeries } from '../indicators/calendar.ts';
import type { ReturnSeries } from '../indicators/return-series.ts';
import { benchmarkOf } from '../indicators/return-series.ts';
import type { Snapshot } from '../snapshot/table.ts';
import type { BarStore } from '../store/store.ts';

type BenchmarkSource = Pick<Snapshot, 'assetIndex' | 'benchmark'>;

export interface Benchmark {
  readonly version: number;
  /** Null if no asset with the ticker has a close. */
  readonly series: ReturnSeries | null;
}

export class BenchmarkSeries {
  readonly #readCloses: BarStore['publishedCloses'];
  #newest: Benchmark | null = null;

  constructor(readCloses: BarStore['publishedCloses']) {
    this.#readCloses = readCloses;
  }

  /** Null if the store has published another version. */
  async of(version: number, snapshot: BenchmarkSource): Promise<Benchmark | null> {
    if (this.#newest?.version === version) return this.#newest;
    const found = await this.#read(version, snapshot);
    if (found !== null) this.#newest = found;
    return found;
  }

  async #read(version: number, { assetIndex, benchmark }: BenchmarkSource): Promise<Benchmark | null> {
    const asset = bestRanked(assetIndex.bySymbol(benchmark).filter(({ lastDay }) => lastDay !== null));
    const { assetNumber, firstDay = null, lastDay = null } = asset ?? { assetNumber: 0 };
    if (firstDay === null || lastDay === null) return { version, series: null };
    const { closes } = await this.#readCloses(assetNumber, firstDay, lastDay, version);
    if (closes === null) return null;
    return { version, series: closes.day.length === 0 ? null : benchmarkOf(dailySeries(closes.day, closes.close)) };
  }
}
