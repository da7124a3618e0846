// What the chart shows, as the page's address says it: `?range=3y&ema=20&rsi=1&vs=velr-veloria&log=1`. Defaults are left out.

import { type Interval, intervalOf, isFine, secondsOf } from '../interval.ts';
import { type HistoryPoint, placeOf } from './history.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** Of what is shorter than a month, `seconds`. */
export const RANGES = [
  { id: '6h', label: '6H', title: '6 hours', months: null, seconds: 6 * HOUR },
  { id: '1d', label: '1D', title: '1 day', months: null, seconds: DAY },
  { id: '1w', label: '1W', title: '1 week', months: null, seconds: 7 * DAY },
  { id: '1m', label: '1M', title: '1 month', months: 1, seconds: 30 * DAY },
  { id: '3m', label: '3M', title: '3 months', months: 3, seconds: 91 * DAY },
  { id: '6m', label: '6M', title: '6 months', months: 6, seconds: 182 * DAY },
  { id: '1y', label: '1Y', title: '1 year', months: 12, seconds: 365 * DAY },
  { id: '3y', label: '3Y', title: '3 years', months: 36, seconds: 1095 * DAY },
  { id: 'all', label: 'All', title: 'All there is', months: null, seconds: null },
] as const;

export type RangeId = (typeof RANGES)[number]['id'];

/** Of fine intervals: such that a few hundred bars are in sight. */
const USUAL_RANGES: Partial<Readonly<Record<Interval, RangeId>>> = {
  '1m': '6h',
  '5m': '1d',
  '15m': '1w',
  '30m': '1w',
  '1h': '1m',
  '4h': '3m',
  '12h': '6m',
};

export function usualRange(interval: Interval): RangeId {
  return USUAL_RANGES[interval] ?? DEFAULT_STATE.range;
}

/** With so few or so many bars a range of a fine interval is not worth a look. */
const [FEWEST_BARS, MOST_BARS] = [20, 12_000];

/** Those that an interval has: of days and longer ones, from a month on. */
export function rangesOf(interval: Interval): readonly (typeof RANGES)[number][] {
  if (!isFine(interval)) return RANGES.filter(({ seconds }) => seconds === null || seconds > 7 * DAY);
  return RANGES.filter(({ seconds }) => {
    const bars = seconds === null ? null : seconds / secondsOf(interval);
    return bars === null || (bars >= FEWEST_BARS && bars <= MOST_BARS);
  });
}

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
  const params = new URLSearchParams(search);
  const oneOf = <Id extends string>(name: string, known: readonly { readonly id: Id }[], otherwise: Id): Id =>
    known.find(each => each.id === params.get(name))?.id ?? otherwise;
  const interval = intervalOf(params.get('interval'));
  const windowsOf = (name: Average) => (params.has(name) ? windows(params.get(name)!) : DEFAULT_STATE[name]);
  const flag = (name: Flag) => (/^[01]$/.test(params.get(name) ?? '') ? params.get(name) === '1' : DEFAULT_STATE[name]);
  return {
    range: oneOf('range', rangesOf(interval), usualRange(interval)),
    style: oneOf('style', STYLES, DEFAULT_STATE.style),
    interval,
    sma: windowsOf('sma'),
    ema: windowsOf('ema'),
    volume: flag('volume'),
    bands: flag('bands'),
    rsi: flag('rsi'),
    macd: flag('macd'),
    log: flag('log'),
    vs: [...new Set((params.get('vs') ?? '').toLowerCase().split(',').filter(Boolean))].slice(0, MOST_COMPARED),
  };
}

/** The query string of an address that shows this, with its question mark; empty for the default. */
export function chartSearch(state: ChartState): string {
  const parts: string[] = [];
  if (state.range !== usualRange(state.interval)) parts.push(`range=${state.range}`);
  for (const name of ['style', 'interval'] as const) {
    if (state[name] !== DEFAULT_STATE[name]) parts.push(`${name}=${state[name]}`);
  }
  for (const name of AVERAGES) {
    if (state[name].join() !== DEFAULT_STATE[name].join()) parts.push(`${name}=${state[name].join()}`);
  }
  for (const name of FLAGS) if (state[name] !== DEFAULT_STATE[name]) parts.push(`${name}=${Number(state[name])}`);
  if (state.vs.length > 0) parts.push(`vs=${state.vs.map(encodeURIComponent).join()}`);
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** With the average of this window drawn, or no longer. */
export function toggleAverage(state: ChartState, kind: Average, window: number): ChartState {
  const rest = state[kind].filter(other => other !== window);
  const changed = rest.length < state[kind].length ? rest : [...rest, window].sort((a, b) => a - b);
  return { ...state, [kind]: changed };
}

/** Where a range begins that ends at `last`, both in seconds since 1970; null for all there is. */
export function rangeStart(range: RangeId, last: number): number | null {
  const { months, seconds } = RANGES.find(other => other.id === range)!; // every range is in the list
  if (months === null) return seconds === null ? null : last - seconds;
  const date = new Date(last * 1000);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  // The 31st of a month that ends earlier is its last day, not the first days of the next.
  const lastOfMonth = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return Date.UTC(year, month - 1 - months, Math.min(day, lastOfMonth)) / 1000 + (last % DAY);
}

/** The place of the first of these points that a range shows; they are in order. */
export function firstInRange(points: readonly HistoryPoint[], range: RangeId): number {
  const last = points.at(-1);
  const start = last === undefined ? null : rangeStart(range, last.start);
  return start === null ? 0 : placeOf(points, start);
}

function windows(text: string): number[] {
  const numbers = text.split(',').map(Number);
  return [...new Set(numbers.filter(number => Number.isInteger(number) && number > 0))].sort((a, b) => a - b);
}
