// The dense bars of many assets in an interval, as a store has those of its base intervals.

import type { AssetNumber } from '../domain/asset.ts';
import {
  baseOf,
  coarserPeriod,
  type ListedInterval,
  type Period,
  periodOfMillis,
  startOfPeriod,
} from '../domain/interval.ts';
import type { BarStore, DailyBarBatch, DailyCloses } from '../store/store.ts';
import { coarserBars } from './coarser-bars.ts';
import { type DenseBars, type DenseCloses, denseBars, joinedBars, joinedCloses, NO_DENSE_BARS } from './dense-bars.ts';
import type { Span } from './known-spans.ts';

/** Closes of the base that are in memory at a time. */
const BASE_CLOSES = 2 ** 20;

/** What the history of an interval has of each asset, as base periods. Bars before it do not count. */
export type Spans = ReadonlyMap<AssetNumber, Span>;

/** As `BarStore.closes`, in periods of the interval, from the closes of its base. */
export async function intervalCloses(
  closesOf: BarStore['closes'],
  interval: ListedInterval,
  spans: Spans,
  [assets, periods, until]: Parameters<BarStore['closes']>,
): Promise<DailyCloses> {
  const perAsset = (periods + 1) * (lastBasePeriod(interval, 1) - lastBasePeriod(interval, 0));
  const chunk = Math.max(1, Math.floor(BASE_CLOSES / perAsset));
  const untilBase = until === undefined ? undefined : lastBasePeriod(interval, until);
  const found: DenseCloses[] = [];
  for (let from = 0; from < assets.length; from += chunk) {
    const some = assets.slice(from, from + chunk);
    const closes = await closesOf(some, perAsset - 1, untilBase);
    for (const [i, asset] of some.entries()) found.push(closesIn(interval, spans.get(asset), closes, i, periods));
  }
  return joinedCloses(found);
}

/** One close per period: that of the last base period in it, carried forward or not. */
function closesIn(
  interval: ListedInterval,
  span: Span | undefined,
  { starts, close, firstDay, lastDay }: DailyCloses,
  i: number,
  periods: number,
): DenseCloses {
  const own = close.subarray(starts[i], starts[i + 1]);
  const latest = lastDay[i]!;
  if (own.length === 0 || span === undefined || latest < span.first) return NO_DENSE_BARS;
  const periodOf = coarserPeriod(baseOf(interval), interval);
  const first = periodOf(Math.max(firstDay[i]!, span.first));
  const last = periodOf(latest);
  const oldest = Math.max(first, last - periods);
  const values = new Float64Array(last - oldest + 1);
  const baseOfFirst = latest - own.length + 1;
  const isBase = baseOf(interval) === interval;
  for (let period = oldest; period <= last; period++) {
    const at = isBase ? period : Math.min(lastBasePeriod(interval, period), latest);
    values[period - oldest] = own[at - baseOfFirst]!;
  }
  return { first, last, close: values };
}

export class IntervalSeries implements Pick<BarStore, 'closes' | 'dailyBars'> {
  readonly #base: Pick<BarStore, 'closes' | 'bars'>;
  readonly #interval: ListedInterval;
  readonly #spans: Spans;

  /** `base`: the bars of its base. */
  constructor(base: Pick<BarStore, 'closes' | 'bars'>, interval: ListedInterval, spans: Spans) {
    this.#base = base;
    this.#interval = interval;
    this.#spans = spans;
  }

  closes(...asked: Parameters<BarStore['closes']>): Promise<DailyCloses> {
    return intervalCloses(this.#base.closes, this.#interval, this.#spans, asked);
  }

  /** Of delivered bars: those that carry a close forward would change the highs and lows of longer ones. */
  async dailyBars(assets: readonly AssetNumber[], periods: number, until?: Period): Promise<DailyBarBatch> {
    const found: DenseBars[] = [];
    for (const asset of assets) {
      const span = this.#spans.get(asset);
      const end = until === undefined ? Number.POSITIVE_INFINITY : lastBasePeriod(this.#interval, until);
      // Between two periods.
      const to = span && (Math.min(span.last, end) as Period);
      const delivered = span && to! >= span.first ? await this.#base.bars(asset, span.first, to!) : null;
      if (delivered === null || delivered.day.length === 0) {
        found.push(NO_DENSE_BARS);
        continue;
      }
      found.push(denseBars(coarserBars(delivered, this.#interval), periods));
    }
    return joinedBars(found);
  }
}

/** The last base period of a period. */
export function lastBasePeriod(interval: ListedInterval, period: number): Period {
  const next = periodOfMillis(baseOf(interval), startOfPeriod(interval, period + 1));
  if (next === null) throw new RangeError(`${period} is not a period of ${interval} that a store can have`);
  return (next - 1) as Period; // a week of 1970 ends in 1970
}
