// The optional columns of current rows. Their recursions start at the first close; reading all bars of every asset at each publication
// would take some hundred times as long as reading the last year. So a row stores the state of its recursions on the day before, and the
// next computation continues from it. It reads all bars only if there is no such state, or if a bar before the state's end has changed.

import type { AssetNumber } from '../domain/asset.ts';
import { INDICATORS, OPTIONAL_COMPUTED, PUBLISHED_COLUMNS } from '../domain/catalogue.ts';
import { needsBars } from '../domain/columns.ts';
import { type Day, FIRST_DAY, LAST_DAY } from '../domain/day.ts';
import type { Period } from '../domain/interval.ts';
import type { DailyBars } from '../indicators/calendar.ts';
import { LastDay } from '../indicators/optional.ts';
import type { ReturnSeries } from '../indicators/return-series.ts';
import type { BarStore, CurrentRow, DailyBarBatch, DailyCloses } from '../store/store.ts';
import { STORED_COLUMNS } from './columns.ts';

const { needs: NEEDS } = STORED_COLUMNS.all;
const ALL_DAYS = LAST_DAY - FIRST_DAY;
/** Assets at a time whose whole histories are in memory. */
const WHOLE_HISTORIES = 128;
/** Periods of them, unless one asset has more. */
const WHOLE_PERIODS = 2 ** 20;
/** A benchmark that ended more days before an asset is compared with closes that a continued row does not have. */
const LARGEST_LAG = NEEDS.closes - NEEDS.benchmark;

/** The rows that were published before, from which computations continue. */
export interface RowsBefore {
  read(assetNumbers: readonly AssetNumber[]): Promise<readonly CurrentRow[]>;
  /** Day of the oldest bar that has changed since then; undefined if none has. */
  oldestChange(assetNumber: AssetNumber): number | undefined;
}

export interface OptionalInputs {
  readonly before: ReadonlyMap<AssetNumber, CurrentRow>;
  readonly recent: DailyBarBatch | null;
}

export interface OptionalValuesOptions {
  readonly benchmark: ReturnSeries | null;
  readonly before?: RowsBefore | null;
  /** As if there were no bars after that period. */
  readonly until?: Period;
  /** Periods per year of the interval; those of days without it. */
  readonly perYear?: number;
}

export class OptionalValues {
  readonly #store: Pick<BarStore, 'dailyBars'>;
  readonly #benchmark: ReturnSeries | null;
  readonly #before: RowsBefore | null;
  readonly #until: Period | undefined;
  /** One row at a time: its memory is reused. */
  readonly #lastDay: LastDay;
  /** Those of the published columns, in their order. */
  readonly #values: readonly Float64Array[];

  constructor(store: Pick<BarStore, 'dailyBars'>, { benchmark, before = null, until, perYear }: OptionalValuesOptions) {
    this.#lastDay = new LastDay(perYear);
    this.#values = this.#lastDay.table.filter((_, i) => needsBars(OPTIONAL_COMPUTED[i]!));
    this.#store = store;
    this.#benchmark = benchmark;
    this.#before = before;
    this.#until = until;
  }

  async read(assetNumbers: readonly AssetNumber[]): Promise<OptionalInputs> {
    const before = (await this.#before?.read(assetNumbers)) ?? [];
    const recent = before.length === 0 ? null : await this.#store.dailyBars(assetNumbers, NEEDS.bars);
    return { before: new Map(before.map(row => [row.assetNumber, row])), recent };
  }

  /** Row `r` is of the asset at `present[r]` of the chunk. */
  async fill(
    rows: readonly CurrentRow[],
    present: readonly number[],
    closes: DailyCloses,
    { before, recent }: OptionalInputs,
  ): Promise<void> {
    const whole: CurrentRow[] = [];
    for (const [r, row] of rows.entries()) {
      const old = before.get(row.assetNumber);
      if (recent !== null && old !== undefined && this.#continues(row, old)) {
        this.#continue(row, old, present[r]!, closes, recent);
      } else whole.push(row);
    }
    for (const some of byLength(whole)) await this.#compute(some);
  }

  #take({ values }: CurrentRow): void {
    for (let i = 0; i < this.#values.length; i++) values[INDICATORS.length + i] = this.#values[i]![0]!;
  }

  #continues(row: CurrentRow, old: CurrentRow): boolean {
    const benchmark = this.#benchmark;
    const lag = benchmark === null ? 0 : row.day - (benchmark.firstDay + benchmark.closes.length - 1);
    return (
      old.history > NEEDS.seed &&
      old.day - old.history === row.day - row.history &&
      // An earlier day than before: its newest bars were removed.
      row.day >= old.day &&
      row.day - old.day < NEEDS.gap &&
      !NEEDS.whole &&
      lag <= LARGEST_LAG &&
      (this.#before?.oldestChange(row.assetNumber) ?? old.day) >= old.day
    );
  }

  #continue(row: CurrentRow, old: CurrentRow, place: number, closes: DailyCloses, recent: DailyBarBatch): void {
    const own = closes.close.subarray(closes.starts[place]!, closes.starts[place + 1]!);
    const days = own.length;
    const bars = windowOf(days, (row.day - days + 1) as Day, own); // the day of a close
    const [from, to] = [recent.starts[place]!, recent.starts[place + 1]!];
    for (let at = from, day = days - (to - from); at < to; at++, day++) {
      bars.opens[day] = recent.open[at]!;
      bars.highs[day] = recent.high[at]!;
      bars.lows[day] = recent.low[at]!;
      bars.volumes[day] = recent.volume[at]!;
    }
    const continued = { skipped: row.history - days, state: stateOf(old), at: days - 2 - (row.day - old.day) };
    this.#lastDay.compute(bars, this.#benchmark, continued, stateOf(row));
    this.#take(row);
  }

  async #compute(rows: readonly CurrentRow[]): Promise<void> {
    const assetNumbers = rows.map(row => row.assetNumber);
    const { starts, ...batch } = await this.#store.dailyBars(assetNumbers, ALL_DAYS, this.#until);
    for (const [i, row] of rows.entries()) {
      const cut = (numbers: Float64Array) => numbers.subarray(starts[i]!, starts[i + 1]!);
      const bars: DailyBars = {
        firstDay: batch.firstDay[i]! as Day, // only days from the domain are ever stored
        closes: cut(batch.close),
        opens: cut(batch.open),
        highs: cut(batch.high),
        lows: cut(batch.low),
        volumes: cut(batch.volume),
      };
      this.#lastDay.compute(bars, this.#benchmark, null, stateOf(row));
      this.#take(row);
    }
  }
}

/** So many assets at a time, or fewer if their histories are long. */
function* byLength(rows: readonly CurrentRow[]): Generator<CurrentRow[], void, undefined> {
  let [some, periods]: [CurrentRow[], number] = [[], 0];
  for (const row of rows) {
    if (some.length === WHOLE_HISTORIES || (some.length > 0 && periods + row.history > WHOLE_PERIODS)) {
      yield some;
      [some, periods] = [[], 0];
    }
    some.push(row);
    periods += row.history;
  }
  if (some.length > 0) yield some;
}

function stateOf({ values }: CurrentRow): Float64Array {
  return values.subarray(PUBLISHED_COLUMNS.length);
}

/** Memory for the last days of one asset, of which only the newest have more than closes. */
let memory = [0, 0, 0, 0].map(() => new Float64Array(0)) as [Float64Array, Float64Array, Float64Array, Float64Array];

function windowOf(days: number, firstDay: Day, closes: Float64Array): DailyBars {
  if (memory[0].length !== days) memory = [0, 0, 0, 0].map(() => new Float64Array(days)) as typeof memory;
  const [opens, highs, lows, volumes] = memory;
  return { firstDay, closes, opens, highs, lows, volumes };
}
