// The newest bar of each asset, whose period may still get more rows, and what it is made of so far.

import { type BarColumns, barColumns } from '../../domain/bar.ts';
import type { BarRow } from './bar-row.ts';
import { SEVERAL_TIMES } from './finished-periods.ts';

/** The period of an asset without an open bar. */
export const NO_PERIOD = -1;

export interface LinedBars extends BarColumns {
  readonly line: Uint32Array;
}

interface Columns extends LinedBars {
  /** The earliest and the latest instant, and that of the row which came last, in milliseconds. */
  readonly first: Float64Array;
  readonly last: Float64Array;
  readonly newest: Float64Array;
  /** How many instants. */
  readonly rows: Uint32Array;
  /** Of the rows before the one that came last, so that a row of the same instant can take its place. */
  readonly highBefore: Float64Array;
  readonly lowBefore: Float64Array;
  readonly volumeBefore: Float64Array;
}

export class OpenBars {
  #bars = columns(64);

  addAsset(asset: number): void {
    if (asset >= this.#bars.day.length) this.#bars = grown(this.#bars);
    this.#bars.day[asset] = NO_PERIOD;
  }

  periodOf(asset: number): number {
    return this.#bars.day[asset]!;
  }

  /** How long after the start of the period all rows of the bar are, or SEVERAL_TIMES. */
  timeOf(asset: number, length: number): number {
    const first = this.#bars.first[asset]!;
    return first === this.#bars.last[asset] ? first - this.periodOf(asset) * length : SEVERAL_TIMES;
  }

  start(row: BarRow, period: number): void {
    const bars = this.#bars;
    const { asset, instant } = row;
    writeRow(row, period, bars, asset);
    bars.first[asset] = instant;
    bars.last[asset] = instant;
    bars.newest[asset] = instant;
    bars.rows[asset] = 1;
    bars.highBefore[asset] = Number.NEGATIVE_INFINITY;
    bars.lowBefore[asset] = Number.POSITIVE_INFINITY;
    bars.volumeBefore[asset] = 0;
  }

  /** How many rows the bar is made of. */
  rowsOf(asset: number): number {
    return this.#bars.rows[asset]!;
  }

  lineOf(asset: number): number {
    return this.#bars.line[asset]!;
  }

  closeOf(asset: number): number {
    return this.#bars.close[asset]!;
  }

  /**
   * Adds a row of the same period, or puts it in the place of the row before, which had the same instant. It is late when it may be in the
   * bar already: an instant between the first and the last, other than that of the row before, could be new or a repetition, which
   * must not be counted twice.
   */
  merge(row: BarRow): 'added' | 'repeated' | 'late' {
    const bars = this.#bars;
    const { asset, instant } = row;
    const isRepeated = instant === bars.newest[asset];
    if (!isRepeated) {
      if (instant >= bars.first[asset]! && instant <= bars.last[asset]!) return 'late';
      bars.rows[asset]!++;
      bars.first[asset] = Math.min(bars.first[asset]!, instant);
      bars.last[asset] = Math.max(bars.last[asset]!, instant);
      bars.newest[asset] = instant;
      bars.highBefore[asset] = bars.high[asset]!;
      bars.lowBefore[asset] = bars.low[asset]!;
      bars.volumeBefore[asset] = bars.volume[asset]!;
    }
    if (instant === bars.first[asset]) bars.open[asset] = row.open;
    if (instant === bars.last[asset]) {
      bars.close[asset] = row.close;
      bars.line[asset] = row.line;
    }
    // NaN stays NaN: a number that one of the rows lacks is unknown for the period.
    bars.high[asset] = Math.max(bars.highBefore[asset]!, row.high);
    bars.low[asset] = Math.min(bars.lowBefore[asset]!, row.low);
    bars.volume[asset] = bars.volumeBefore[asset]! + row.volume;
    return isRepeated ? 'repeated' : 'added';
  }

  /** The bar as a row. */
  rowOf(asset: number): BarRow {
    const { first, open, high, low, close, volume, line } = this.#bars;
    return {
      ...{ asset, instant: first[asset]!, line: line[asset]! },
      ...{ open: open[asset]!, high: high[asset]!, low: low[asset]!, close: close[asset]!, volume: volume[asset]! },
    };
  }

  copy(asset: number, target: LinedBars, to: number): void {
    const bars = this.#bars;
    target.day[to] = bars.day[asset]!;
    target.open[to] = bars.open[asset]!;
    target.high[to] = bars.high[asset]!;
    target.low[to] = bars.low[asset]!;
    target.close[to] = bars.close[asset]!;
    target.volume[to] = bars.volume[asset]!;
    target.line[to] = bars.line[asset]!;
  }
}

/** The row as a bar of its own. */
export function writeRow(row: BarRow, period: number, target: LinedBars, to: number): void {
  target.day[to] = period;
  target.open[to] = row.open;
  target.high[to] = row.high;
  target.low[to] = row.low;
  target.close[to] = row.close;
  target.volume[to] = row.volume;
  target.line[to] = row.line;
}

function columns(capacity: number): Columns {
  return {
    ...barColumns(capacity),
    line: new Uint32Array(capacity),
    first: new Float64Array(capacity),
    last: new Float64Array(capacity),
    newest: new Float64Array(capacity),
    rows: new Uint32Array(capacity),
    highBefore: new Float64Array(capacity),
    lowBefore: new Float64Array(capacity),
    volumeBefore: new Float64Array(capacity),
  };
}

function grown(bars: Columns): Columns {
  const larger = columns(bars.day.length * 2);
  // Both have the same columns.
  for (const name of Object.keys(bars) as (keyof Columns)[]) larger[name].set(bars[name]);
  return larger;
}
