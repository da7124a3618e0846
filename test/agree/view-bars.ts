// The bars of an asset in the interval and the quote of a view, by the contract: from the bars that were loaded, without the service.

import type { Bars } from '../support/oracle/bars.ts';
import { barsInQuote, longerBars } from '../support/quoted-bars.ts';
import { type Base, baseOf, type Interval, millisOf, periodOf } from './periods.ts';

export type BaseBars = Readonly<Record<Base, Bars>>;

const NONE: Bars = { day: [], open: [], high: [], low: [], close: [], volume: [] };

/** What a store has of an asset: periods that were loaded, and between them those that are made of finer bars. */
export function storedBars(loaded: Partial<BaseBars>): BaseBars {
  const minutes = loaded['1m'] ?? NONE;
  const hours = joined(loaded['1h'] ?? NONE, inInterval(minutes, '1m', '1h'));
  return { '1m': minutes, '1h': hours, '1d': joined(loaded['1d'] ?? NONE, inInterval(hours, '1h', '1d')) };
}

/** Of two bars of one period, the first one. */
function joined(bars: Bars, others: Bars): Bars {
  const own = new Set(bars.day);
  const places = [
    ...bars.day.map((period, i) => ({ period, from: bars, i })),
    ...others.day.map((period, i) => ({ period, from: others, i })).filter(({ period }) => !own.has(period)),
  ].sort((a, b) => a.period - b.period);
  const column = (name: 'open' | 'high' | 'low' | 'volume') => places.map(({ from, i }) => from[name][i] ?? null);
  return {
    day: places.map(({ period }) => period),
    close: places.map(({ from, i }) => from.close[i]!),
    ...{ open: column('open'), high: column('high'), low: column('low'), volume: column('volume') },
  };
}

function inInterval(bars: Bars, base: Base, interval: Interval): Bars {
  return longerBars(bars, period => periodOf(interval, period * millisOf(base)));
}

const made = new WeakMap<BaseBars, Map<string, Bars>>();
const numbers = new WeakMap<BaseBars, number>();
let count = 0;

/** `quote`: null is the dollar. */
export function viewBars(own: BaseBars, quote: BaseBars | null, interval: Interval): Bars {
  const base = baseOf(interval);
  if (quote === null && base === interval) return own[base];
  const known = made.get(own) ?? new Map<string, Bars>();
  made.set(own, known);
  if (quote !== null && !numbers.has(quote)) numbers.set(quote, ++count);
  const key = `${interval} ${quote === null ? '' : numbers.get(quote)}`;
  const converted = () => (quote === null ? own[base] : barsInQuote(own[base], quote[base], millisOf(base)));
  const found = known.get(key) ?? inInterval(converted(), base, interval);
  known.set(key, found);
  return found;
}
