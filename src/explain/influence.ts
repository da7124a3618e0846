// How much an input matters: by how much the value would change if the day had the numbers of a day beside it, the one before or the
// one after, whichever changes it less. A wrong price matters most: it differs from both. The days that carry it forward go with it.
//
// It is computed by the kernels, twice per input. Of many inputs only some are tried: the latest, and those that differ most from the
// days beside them. Of what is averaged over the whole history, days long ago hardly count, and are not tried.

import type { DailyBars } from '../indicators/calendar.ts';

/** Of more inputs than both together, so many are tried: the latest, and those that differ most. */
const [LATEST, MOST_DIFFERENT] = [10, 20];
/** Older inputs of an average over the whole history are not tried. */
const OLDEST = 400;
/** Days that an average over the whole history is computed from meanwhile: what it starts with matters little after so many. */
const AVERAGED = OLDEST + 50;
/** Between two pauses. */
const PER_STEP = 2;

type Field = 'closes' | 'opens' | 'highs' | 'lows' | 'volumes';

/** The days that a value depends on: those of its window, all of them as an average, or the one with the highest close. */
export type Reach = 'window' | 'average' | 'highest';

export interface InfluenceOptions {
  /** Days before the last one. */
  readonly inputs: readonly number[];
  /** What the value is computed from. */
  readonly fields: readonly Field[];
  /** Whether a source delivered the day, counted from the first; otherwise it carries the one before it forward. */
  readonly isDelivered: (day: number) => boolean;
  /** The value on the last day; null if there is none. */
  readonly valueOn: (series: DailyBars) => number | null;
  readonly reach: Reach;
}

/** By input; null if it was not tried, or if there is no value with it or without it. Stops now and then. */
export function* influences(
  series: DailyBars,
  options: InfluenceOptions,
): Generator<void, (number | null)[], undefined> {
  const { inputs, valueOn, reach } = options;
  const ofHighest = reach === 'highest';
  const { closes } = series;
  const last = closes.length - 1;
  const tried = ofHighest ? [last, highestOf(closes)] : triedOf(series, options);
  const span = (inputs.at(-1) ?? 0) + 2;
  const start = ofHighest ? 0 : Math.max(0, closes.length - (reach === 'average' ? Math.min(AVERAGED, span) : span));
  const used = copyFrom(series, start);
  const value = valueOn(used);
  const found = new Map<number, number | null>();
  for (const [i, day] of tried.entries()) {
    const { from, to } = barOf(series, day, options);
    const bar = { from: Math.max(0, from - start), to: to - start };
    const values = [bar.from - 1, bar.to]
      .filter(other => used.closes[other] !== undefined)
      .map(other => valueAs(used, bar, other, valueOn));
    const changes = values.map(other => (other === null || value === null ? null : Math.abs(other - value)));
    const known = changes.filter(change => change !== null);
    found.set(day, known.length === 0 ? null : Math.min(...known));
    if (i % PER_STEP === PER_STEP - 1) yield;
  }
  // Of the highest close, no other day makes a difference.
  return inputs.map(daysBefore => found.get(last - daysBefore) ?? (ofHighest && value !== null ? 0 : null));
}

function highestOf(closes: Float64Array): number {
  return closes.indexOf(closes.reduce((highest, close) => Math.max(highest, close)));
}

/** Days of the series, counted from its first. */
function triedOf(series: DailyBars, options: InfluenceOptions): number[] {
  const { inputs, fields, reach } = options;
  const last = series.closes.length - 1;
  const oldest = reach === 'average' ? OLDEST : Number.POSITIVE_INFINITY;
  const days = inputs.filter(daysBefore => daysBefore < oldest).map(daysBefore => last - daysBefore);
  if (days.length <= LATEST + MOST_DIFFERENT) return days;
  const difference = (day: number) => {
    const { from, to } = barOf(series, day, options);
    const ofField = (values: Float64Array) => Math.min(apart(values, from, from - 1), apart(values, from, to));
    return Math.max(...fields.map(field => ofField(series[field])));
  };
  const older = days.slice(LATEST).map(day => ({ day, difference: difference(day) }));
  older.sort((a, b) => b.difference - a.difference);
  return [...days.slice(0, LATEST), ...older.slice(0, MOST_DIFFERENT).map(({ day }) => day)];
}

/** The days that have one bar: the day on which it was delivered, up to the next one. */
interface Bar {
  readonly from: number;
  /** Not included. */
  readonly to: number;
}

function barOf({ closes }: DailyBars, day: number, { isDelivered }: InfluenceOptions): Bar {
  let [from, to] = [day, day + 1];
  while (from > 0 && !isDelivered(from)) from--;
  while (to < closes.length && !isDelivered(to)) to++;
  return { from, to };
}

/** From 0, if the two are equal, to 1. What is unknown differs from nothing. */
function apart(values: Float64Array, a: number, b: number): number {
  const [x, y] = [values[a] ?? Number.NaN, values[b] ?? Number.NaN];
  const difference = Math.abs(x - y) / Math.max(x, y);
  return Number.isNaN(difference) ? 0 : difference;
}

function copyFrom(series: DailyBars, start: number): DailyBars {
  const { firstDay, closes, opens, highs, lows, volumes } = series;
  const cut = (values: Float64Array) => values.slice(start);
  return {
    firstDay: (firstDay + start) as DailyBars['firstDay'], // a day of the series
    closes: cut(closes),
    opens: cut(opens),
    highs: cut(highs),
    lows: cut(lows),
    volumes: cut(volumes),
  };
}

/** The value if some days had the numbers of another; the series is left as it was. */
function valueAs(
  series: DailyBars,
  { from, to }: Bar,
  other: number,
  valueOn: (series: DailyBars) => number | null,
): number | null {
  const { closes, opens, highs, lows, volumes } = series;
  const all = [closes, opens, highs, lows, volumes];
  const kept = all.map(values => values.slice(from, to));
  for (const values of all) values.fill(values[other]!, from, to);
  const value = valueOn(series);
  for (const [i, values] of all.entries()) values.set(kept[i]!, from);
  return value;
}
