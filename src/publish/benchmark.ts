// The benchmark asset, against which betas and correlations are computed, and what a change of its closes changes in other rows.

import type { AssetNumber } from '../domain/asset.ts';
import { bestRanked } from '../domain/asset-state.ts';
import { PUBLISHED_COLUMNS } from '../domain/catalogue.ts';
import { usesBenchmark } from '../domain/columns.ts';
import type { Day } from '../domain/day.ts';
import { FIRST_DAY, LAST_DAY } from '../domain/day.ts';
import { dailySeries, NO_BARS } from '../indicators/calendar.ts';
import { Series } from '../indicators/kernel.ts';
import { KernelGroups } from '../indicators/kernel-groups.ts';
import { benchmarkOf, type ReturnSeries } from '../indicators/return-series.ts';
import type { AssetStore, BarStore, CurrentChanges, CurrentRow, PublicationStore } from '../store/store.ts';
import { benchmarkIn, STORED_COLUMNS } from './columns.ts';

/** The columns that compare an asset with it: betas and correlations. */
const COMPARISONS = new KernelGroups(PUBLISHED_COLUMNS.filter(usesBenchmark));
const PLACES = COMPARISONS.columns.map(column => PUBLISHED_COLUMNS.indexOf(column));
const compared = COMPARISONS.table(1);
const comparison = COMPARISONS.into(compared);

export interface Benchmark {
  /** Null if no asset with the ticker has a close. */
  readonly series: ReturnSeries | null;
  /** The assets with the ticker, any of which may be the benchmark before or after a change. */
  readonly candidates: readonly AssetNumber[];
}

export async function readBenchmark(
  store: Pick<AssetStore, 'assetsWithTicker'> & Pick<BarStore, 'bars'>,
  ticker: string,
): Promise<Benchmark> {
  const candidates = await store.assetsWithTicker(ticker);
  const assetNumbers = candidates.map(({ assetNumber }) => assetNumber);
  const asset = bestRanked(candidates.filter(({ lastDay }) => lastDay !== null));
  if (asset === undefined) return { series: null, candidates: assetNumbers };
  const { day, close } = await store.bars(asset.assetNumber, FIRST_DAY, LAST_DAY);
  return { series: benchmarkOf(dailySeries(day, close)), candidates: assetNumbers };
}

/** As the published rows have it, whatever was loaded since. `rows` are all of the publication. */
export async function publishedBenchmark(
  store: Pick<AssetStore, 'assetsWithTicker'> & Pick<BarStore, 'publishedCloses'>,
  published: Pick<CurrentChanges, 'rows' | 'columns'>,
): Promise<ReturnSeries | null> {
  const row = await benchmarkRow(store, published);
  if (row === undefined) return null;
  const firstDay = (row.day - row.history + 1) as Day; // a day, because the first close is of it
  const { closes } = await store.publishedCloses(row.assetNumber, firstDay, row.day);
  return closes === null || closes.day.length === 0 ? null : benchmarkOf(dailySeries(closes.day, closes.close));
}

/** The published row of the benchmark asset. */
export async function benchmarkRow(
  store: Pick<AssetStore, 'assetsWithTicker'>,
  { rows, columns }: Pick<CurrentChanges, 'rows' | 'columns'>,
): Promise<CurrentRow | undefined> {
  const candidates = new Map(
    (await store.assetsWithTicker(benchmarkIn(columns))).map(asset => [asset.assetNumber, asset]),
  );
  const published = rows.filter(({ assetNumber }) => candidates.has(assetNumber));
  const asset = bestRanked(published.map(({ assetNumber }) => candidates.get(assetNumber)!));
  return published.find(({ assetNumber }) => assetNumber === asset?.assetNumber);
}

/** The published rows of other assets whose beta or correlation is another one now. */
export async function rowsWithOtherBeta(
  store: Pick<BarStore, 'closes'> & Pick<PublicationStore, 'currentSince'>,
  series: ReturnSeries | null,
  isComputed: (assetNumber: AssetNumber) => boolean,
): Promise<CurrentRow[]> {
  const rows = (await store.currentSince(0)).rows.filter(({ assetNumber }) => !isComputed(assetNumber));
  const changed: CurrentRow[] = [];
  const asset = new Series();
  for (let from = 0; from < rows.length; from += CHUNK) {
    const some = rows.slice(from, from + CHUNK);
    const newest = some.reduce((day, row) => Math.max(day, row.day), 0);
    // A benchmark that ended before the asset has its window that much earlier.
    const lag = series ? Math.max(0, newest - (series.firstDay + series.closes.length - 1)) : 0;
    const closes = await store.closes(
      some.map(({ assetNumber }) => assetNumber),
      STORED_COLUMNS.all.needs.benchmark + lag,
    );
    for (const [i, row] of some.entries()) {
      const own = closes.close.subarray(closes.starts[i]!, closes.starts[i + 1]!);
      const firstDay = (row.day - own.length + 1) as Day; // the day of a close
      comparison.write(asset.set({ ...NO_BARS, firstDay, closes: own }, series), own.length - 1, 0);
      if (PLACES.every((place, k) => Object.is(row.values[place], compared[k]![0]))) continue;
      const values = row.values.slice();
      for (const [k, place] of PLACES.entries()) values[place] = compared[k]![0]!;
      changed.push({ ...row, values });
    }
  }
  return changed;
}

const CHUNK = 1024;
