// The daily history of one asset, newest day first as it is loaded, oldest first as it is drawn.

/** A row of the history: what the chart asked for, by column name. */
export type HistoryRow = Readonly<Record<string, string | number | null>>;

export interface Bands {
  readonly lower: number;
  readonly upper: number;
}

export interface HistoryPoint {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly price: number;
  /** By window, in days. */
  readonly averages: ReadonlyMap<number, number>;
  readonly bands: Bands | null;
}

/** The bands' window and width, as John Bollinger gives them: 20 closes, two standard deviations. */
export const BAND_WINDOW = 20;
const BAND_WIDTH = 2;

/** The columns that the chart draws, of those that the history has: all its moving averages, and what the bands need. */
export function chartColumns(columns: readonly string[]): string[] {
  const drawn = new Set(['datetimeUTC', 'price', `var${BAND_WINDOW}`]);
  return columns.filter(column => drawn.has(column) || averageWindow(column) !== null);
}

/** The window of a moving average's column, null for any other column. */
export function averageWindow(column: string): number | null {
  const digits = /^sma(\d+)$/.exec(column)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Points in the order of days, each day once: a day that arrives while pages are turned shifts them by a row. */
export function historyPoints(rows: readonly HistoryRow[]): HistoryPoint[] {
  const byDay = new Map<string, HistoryPoint>();
  for (const row of rows) {
    const point = pointOf(row);
    if (point !== null) byDay.set(point.day, point);
  }
  return [...byDay.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}

function pointOf(row: HistoryRow): HistoryPoint | null {
  const { datetimeUTC, price } = row;
  if (typeof datetimeUTC !== 'string' || typeof price !== 'number') return null;
  const averages = new Map<number, number>();
  for (const [column, value] of Object.entries(row)) {
    const window = averageWindow(column);
    if (window !== null && typeof value === 'number') averages.set(window, value);
  }
  return { day: datetimeUTC.slice(0, 10), price, averages, bands: bandsOf(averages.get(BAND_WINDOW), row) };
}

function bandsOf(middle: number | undefined, row: HistoryRow): Bands | null {
  const variance = row[`var${BAND_WINDOW}`];
  if (middle === undefined || typeof variance !== 'number') return null;
  const reach = BAND_WIDTH * Math.sqrt(variance);
  return { lower: middle - reach, upper: middle + reach };
}

/** Days from one to the other, both included. */
export function dayCount(first: string, last: string): number {
  return Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000) + 1;
}
