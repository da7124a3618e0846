// What the chart shows, as the page's address says it: `?range=3y&sma=50,200&bands=0&log=1`. What is as by default is left out.

export const RANGES = [
  { id: '1m', label: '1M', title: '1 month', months: 1 },
  { id: '3m', label: '3M', title: '3 months', months: 3 },
  { id: '6m', label: '6M', title: '6 months', months: 6 },
  { id: '1y', label: '1Y', title: '1 year', months: 12 },
  { id: '3y', label: '3Y', title: '3 years', months: 36 },
  { id: 'all', label: 'All', title: 'All days', months: null },
] as const;

export type RangeId = (typeof RANGES)[number]['id'];

export interface ChartState {
  readonly range: RangeId;
  /** Windows of the moving averages that are drawn, in days, ascending. */
  readonly averages: readonly number[];
  readonly bands: boolean;
  readonly log: boolean;
}

export const DEFAULT_STATE: ChartState = { range: '1y', averages: [50, 200], bands: true, log: false };

/** What the address has and the page does not know is ignored. */
export function parseChartState(search: string): ChartState {
  const said = new URLSearchParams(search);
  const sma = said.get('sma');
  return {
    range: RANGES.find(range => range.id === said.get('range'))?.id ?? DEFAULT_STATE.range,
    averages: sma === null ? DEFAULT_STATE.averages : windows(sma),
    bands: flag(said.get('bands'), DEFAULT_STATE.bands),
    log: flag(said.get('log'), DEFAULT_STATE.log),
  };
}

/** The query string of an address that shows this, with its question mark; empty for the default. */
export function chartSearch(state: ChartState): string {
  const said: string[] = [];
  if (state.range !== DEFAULT_STATE.range) said.push(`range=${state.range}`);
  if (state.averages.join() !== DEFAULT_STATE.averages.join()) said.push(`sma=${state.averages.join()}`);
  if (state.bands !== DEFAULT_STATE.bands) said.push(`bands=${Number(state.bands)}`);
  if (state.log !== DEFAULT_STATE.log) said.push(`log=${Number(state.log)}`);
  return said.length === 0 ? '' : `?${said.join('&')}`;
}

/** With the average of this window drawn, or no longer. */
export function toggleAverage(state: ChartState, window: number): ChartState {
  const rest = state.averages.filter(other => other !== window);
  return { ...state, averages: rest.length < state.averages.length ? rest : [...rest, window].sort((a, b) => a - b) };
}

/** The first day of a range that ends on `last`, both as `YYYY-MM-DD`; null for all days. */
export function rangeStart(range: RangeId, last: string): string | null {
  const months = RANGES.find(other => other.id === range)?.months ?? null;
  if (months === null) return null;
  const [year = 0, month = 1, day = 1] = last.split('-').map(Number);
  // The 31st of a month that ends earlier is its last day, not the first days of the next.
  const lastOfMonth = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - months, Math.min(day, lastOfMonth))).toISOString().slice(0, 10);
}

/** The index of the first of these days that a range shows; they are in order. */
export function firstInRange(days: readonly { readonly day: string }[], range: RangeId): number {
  const last = days.at(-1);
  const start = last === undefined ? null : rangeStart(range, last.day);
  return start === null ? 0 : days.findIndex(({ day }) => day >= start);
}

function windows(text: string): number[] {
  const numbers = text.split(',').map(Number);
  return [...new Set(numbers.filter(number => Number.isInteger(number) && number > 0))].sort((a, b) => a - b);
}

function flag(text: string | null, otherwise: boolean): boolean {
  return text === '1' ? true : text === '0' ? false : otherwise;
}
