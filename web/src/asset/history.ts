// The history of one asset, newest day first as it is loaded, oldest first as it is drawn.

/** A row of a dataset: what the chart asked for, by column name. */
export type HistoryRow = Readonly<Record<string, string | number | null>>;

export interface HistoryPoint {
  /** `YYYY-MM-DD`, UTC: the first day of the bar. */
  readonly day: string;
  /** The last day of the bar that has a close: the day of the indicators. */
  readonly lastDay: string;
  readonly price: number;
  /** The numbers of the row, by column; a null has no entry. */
  readonly values: ReadonlyMap<string, number>;
}

/** One point per day, in order, each day once: a day that arrives while pages are turned shifts them by a row. */
export function historyPoints(rows: readonly HistoryRow[]): HistoryPoint[] {
  const byDay = new Map<string, HistoryPoint>();
  for (const row of rows) {
    const { datetimeUTC, price } = row;
    if (typeof datetimeUTC !== 'string' || typeof price !== 'number') continue;
    const day = datetimeUTC.slice(0, 10);
    byDay.set(day, { day, lastDay: day, price, values: numbersOf(row) });
  }
  return [...byDay.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** One point per bar of a week or month: its prices and volume, and the daily indicators of its last day. */
export function barPoints(bars: readonly HistoryRow[], daily: readonly HistoryPoint[]): HistoryPoint[] {
  const ordered = bars.toSorted((a, b) => (String(a['datetimeUTC']) < String(b['datetimeUTC']) ? -1 : 1));
  let at = 0;
  return ordered.flatMap((bar, i) => {
    const { close } = bar;
    if (typeof close !== 'number') return [];
    const day = dayOf(bar);
    const next = i + 1 < ordered.length ? dayOf(ordered[i + 1]!) : '9999';
    while (at < daily.length && daily[at]!.day < next) at++;
    const last = daily[at - 1];
    const known = last !== undefined && last.day >= day ? last : null;
    const values = new Map([...(known?.values ?? []), ...numbersOf(bar)]);
    return [{ day, lastDay: known?.day ?? day, price: close, values }];
  });
}

function dayOf(row: HistoryRow): string {
  return String(row['datetimeUTC']).slice(0, 10);
}

function numbersOf(row: HistoryRow): Map<string, number> {
  return new Map(Object.entries(row).filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
}

/** Days from one to the other, both included. */
export function dayCount(first: string, last: string): number {
  return Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000) + 1;
}
