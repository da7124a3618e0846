// The benchmark asset, against which betas and correlations are computed, and what a change of its closes changes in other rows.

import type { AssetNumber } from '../domain/asset.ts';
import { bestRanked } from '../domain/asset-state.ts';
import type { Day } from '../domain/day.ts';
import { FIRST_DAY, LAST_DAY } from '../domain/day.ts';
import { PUBLISHED_COLUMNS } from '../domain/optional-columns.ts';
import { dailySeries } from '../indicators/calendar.ts';
import { beta, type ReturnSeries } from '../indicators/kernels/beta.ts';
import { benchmarkOf } from '../indicators/optional.ts';
import type { AssetStore, BarStore, CurrentChanges, CurrentRow, PublicationStore } from '../store/store.ts';
import { benchmarkIn } from './columns.ts';

/** Returns that a beta takes. */
const WINDOW = 90;

const [BETA, CORRELATION] = (['beta90', 'corr90'] as const).map(wanted =>
  PUBLISHED_COLUMNS.findIndex(({ name }) => name === wanted),
) as [number, number]; // one index per name

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
  { rows, columns }: Pick<CurrentChanges, 'rows' | 'columns'>,
): Promise<ReturnSeries | null> {
  const candidates = new Map(
    (await store.assetsWithTicker(benchmarkIn(columns))).map(asset => [asset.assetNumber, asset]),
  );
  const published = rows.filter(({ assetNumber }) => candidates.has(assetNumber));
  const asset = bestRanked(published.map(({ assetNumber }) => candidates.get(assetNumber)!));
  const row = published.find(({ assetNumber }) => assetNumber === asset?.assetNumber);
  if (row === undefined) return null;
  const firstDay = (row.day - row.history + 1) as Day; // a day, because the first close is of it
  const { closes } = await store.publishedCloses(row.assetNumber, firstDay, row.day);
  return closes === null || closes.day.length === 0 ? null : benchmarkOf(dailySeries(closes.day, closes.close));
}

/** The published rows of other assets whose beta or correlation is another one now. */
export async function rowsWithOtherBeta(
  store: Pick<BarStore, 'closes'> & Pick<PublicationStore, 'currentSince'>,
  series: ReturnSeries | null,
  isComputed: (assetNumber: AssetNumber) => boolean,
): Promise<CurrentRow[]> {
  const rows = (await store.currentSince(0)).rows.filter(({ assetNumber }) => !isComputed(assetNumber));
  const changed: CurrentRow[] = [];
  for (let from = 0; from < rows.length; from += CHUNK) {
    const some = rows.slice(from, from + CHUNK);
    const newest = some.reduce((day, row) => Math.max(day, row.day), 0);
    // A benchmark that ended before the asset has its window that much earlier.
    const lag = series ? Math.max(0, newest - (series.firstDay + series.closes.length - 1)) : 0;
    const closes = await store.closes(
      some.map(({ assetNumber }) => assetNumber),
      WINDOW + lag,
    );
    for (const [i, row] of some.entries()) {
      const own = closes.close.subarray(closes.starts[i]!, closes.starts[i + 1]!);
      const [b, c] = betaOf(
        benchmarkOf({ firstDay: (row.day - own.length + 1) as typeof row.day, closes: own }),
        series,
      );
      if (Object.is(row.values[BETA], b) && Object.is(row.values[CORRELATION], c)) continue;
      const values = row.values.slice();
      [values[BETA], values[CORRELATION]] = [b, c];
      changed.push({ ...row, values });
    }
  }
  return changed;
}

const CHUNK = 1024;

function betaOf(asset: ReturnSeries, series: ReturnSeries | null): [number, number] {
  const [betas, correlations] = [Float64Array.of(Number.NaN), Float64Array.of(Number.NaN)];
  if (series !== null) beta(asset, series, WINDOW, asset.closes.length - 1, [betas, correlations]);
  return [betas[0]!, correlations[0]!];
}
