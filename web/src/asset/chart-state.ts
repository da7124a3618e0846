// What the chart shows, as the page's address says it: `?range=3y&ema=20&rsi=1&vs=velr-veloria&log=1`. Defaults are left out.

export const RANGES = [
  { id: '1m', label: '1M', title: '1 month', months: 1 },
  { id: '3m', label: '3M', title: '3 months', months: 3 },
  { id: '6m', label: '6M', title: '6 months', months: 6 },
  { id: '1y', label: '1Y', title: '1 year', months: 12 },
  { id: '3y', label: '3Y', title: '3 years', months: 36 },
  { id: 'all', label: 'All', title: 'All days', months: null },
] as const;

export type RangeId = (typeof RANGES)[number]['id'];

export const INTERVALS = [
  { id: '1d', label: 'Day', title: 'One bar per day' },
  { id: '1w', label: 'Week', title: 'One bar per week; lines show the daily indicators of its last day' },
  { id: '1mo', label: 'Month', title: 'One bar per month; lines show the daily indicators of its last day' },
] as const;

export type Interval = (typeof INTERVALS)[number]['id'];

export const STYLES = [
  { id: 'candles', label: 'Candles', title: 'Open, high, low and close' },
  { id: 'line', label: 'Line', title: 'Closes' },
  { id: 'drawdown', label: 'Drawdown', title: 'Distance of the price from its highest close so far' },
] as const;

export type Style = (typeof STYLES)[number]['id'];

/** What is on or off. */
export const FLAGS = ['volume', 'bands', 'rsi', 'macd', 'log'] as const;
export type Flag = (typeof FLAGS)[number];

/** Kinds of moving averages. */
export const AVERAGES = ['sma', 'ema'] as const;
export type Average = (typeof AVERAGES)[number];

export interface ChartState extends Readonly<Record<Flag, boolean>>, Readonly<Record<Average, readonly number[]>> {
  readonly range: RangeId;
  readonly style: Style;
  readonly interval: Interval;
  /** Ids of the assets that it is compared with. */
  readonly vs: readonly string[];
}

/** Besides the asset of the page. */
export const MOST_COMPARED = 4;

export const DEFAULT_STATE: ChartState = {
  range: '1y',
  style: 'candles',
  interval: '1d',
  sma: [50, 200],
  ema: [],
  volume: true,
  bands: false,
  rsi: false,
  macd: false,
  log: false,
  vs: [],
};

/** What the address has and the page does not know is ignored. */
export function parseChartState(search: string): ChartState {
  const said = new URLSearchParams(search);
  const oneOf = <Id extends string>(name: string, known: readonly { readonly id: Id }[], otherwise: Id): Id =>
    known.find(each => each.id === said.get(name))?.id ?? otherwise;
  const windowsOf = (name: Average) => (said.has(name) ? windows(said.get(name)!) : DEFAULT_STATE[name]);
  const flag = (name: Flag) => (/^[01]$/.test(said.get(name) ?? '') ? said.get(name) === '1' : DEFAULT_STATE[name]);
  return {
    range: oneOf('range', RANGES, DEFAULT_STATE.range),
    style: oneOf('style', STYLES, DEFAULT_STATE.style),
    interval: oneOf('interval', INTERVALS, DEFAULT_STATE.interval),
    sma: windowsOf('sma'),
    ema: windowsOf('ema'),
    volume: flag('volume'),
    bands: flag('bands'),
    rsi: flag('rsi'),
    macd: flag('macd'),
    log: flag('log'),
    vs: [...new Set((said.get('vs') ?? '').toLowerCase().split(',').filter(Boolean))].slice(0, MOST_COMPARED),
  };
}

/** The query string of an address that shows this, with its question mark; empty for the default. */
export function chartSearch(state: ChartState): string {
  const said: string[] = [];
  for (const name of ['range', 'style', 'interval'] as const) {
    if (state[name] !== DEFAULT_STATE[name]) said.push(`${name}=${state[name]}`);
  }
  for (const name of AVERAGES) {
    if (state[name].join() !== DEFAULT_STATE[name].join()) said.push(`${name}=${state[name].join()}`);
  }
  for (const name of FLAGS) if (state[name] !== DEFAULT_STATE[name]) said.push(`${name}=${Number(state[name])}`);
  if (state.vs.length > 0) said.push(`vs=${state.vs.map(encodeURIComponent).join()}`);
  return said.length === 0 ? '' : `?${said.join('&')}`;
}

/** With the average of this window drawn, or no longer. */
export function toggleAverage(state: ChartState, kind: Average, window: number): ChartState {
  const rest = state[kind].filter(other => other !== window);
  const changed = rest.length < state[kind].length ? rest : [...rest, window].sort((a, b) => a - b);
  return { ...state, [kind]: changed };
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
