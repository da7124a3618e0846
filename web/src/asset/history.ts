// The history of one asset, newest period first as it is loaded, oldest first as it is drawn.

/** A row of a dataset: what the chart asked for, by column name. */
export type HistoryRow = Readonly<Record<string, string | number | null>>;

/** The numbers of a row, by column; a null has no entry. */
export interface Numbers {
  get(column: string): number | undefined;
  has(column: string): boolean;
}

export interface HistoryPoint {
  /** Seconds since 1970 at which its period starts. */
  readonly start: number;
  /** The same; of a month, the last day that has a close: the day of its indicators. */
  readonly lastStart: number;
  readonly price: number;
  readonly values: Numbers;
}

/** A history may have 100,000 rows: a view of each costs less than a copy. */
class RowNumbers implements Numbers {
  readonly #rows: readonly HistoryRow[];

  /** The number of the first row that has one counts. */
  constructor(...rows: readonly HistoryRow[]) {
    this.#rows = rows;
  }

  get(column: string): number | undefined {
    for (const row of this.#rows) {
      const value = row[column];
      if (typeof value === 'number') return value;
    }
    return undefined;
  }

  has(column: string): boolean {
    return this.get(column) !== undefined;
  }
}

/** One point per period, in order, each once: a period that arrives while pages are turned shifts them by a row. Rows descend. */
export function historyPoints(rows: readonly HistoryRow[]): HistoryPoint[] {
  const points: HistoryPoint[] = [];
  for (const row of rows.toReversed()) {
    const { price } = row;
    const start = startOf(row);
    if (Number.isNaN(start) || typeof price !== 'number' || start <= (points.at(-1)?.start ?? 0)) continue;
    points.push({ start, lastStart: start, price, values: new RowNumbers(row) });
  }
  return points;
}

/** One point per bar of a month: its prices and volume, and the daily indicators of its last day. Rows descend. */
export function barPoints(bars: readonly HistoryRow[], daily: readonly HistoryRow[]): HistoryPoint[] {
  const [months, days] = [bars.toReversed(), daily.toReversed()];
  let at = 0;
  return months.flatMap((bar, i) => {
    const { close } = bar;
    if (typeof close !== 'number') return [];
    const start = startOf(bar);
    const next = i + 1 < months.length ? startOf(months[i + 1]!) : Number.POSITIVE_INFINITY;
    while (at < days.length && startOf(days[at]!) < next) at++;
    const last = days[at - 1];
    const known = last !== undefined && startOf(last) >= start ? last : null;
    const values = known === null ? new RowNumbers(bar) : new RowNumbers(bar, known);
    return [{ start, lastStart: known === null ? start : startOf(known), price: close, values }];
  });
}

/** Seconds since 1970. */
export function startOf(row: HistoryRow): number {
  return Date.parse(String(row['datetimeUTC'])) / 1000;
}

/** The place of the first point from this time on; the number of points if there is none. */
export function placeOf(points: readonly HistoryPoint[], start: number): number {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (points[middle]!.start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Days from one to the other, both included, in seconds since 1970. */
export function dayCount(first: number, last: number): number {
  return Math.round((last - first) / 86_400) + 1;
}
