// The chart in words, for those who don't see it and those who want the figures.

import { formatPercent, formatPrice } from '../format.ts';
import { type Interval, isFine } from '../interval.ts';
import { shownQuote } from '../quote.ts';
import { formatPeriod, zoneName } from '../time-form.ts';
import type { Plot } from './chart-plots.ts';
import type { HistoryPoint } from './history.ts';

/** What happened over these bars; empty without any. */
export function describePeriod(points: readonly HistoryPoint[], interval: Interval): string {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return '';
  const when = ({ lastStart }: HistoryPoint) => formatPeriod(lastStart * 1000, interval);
  const zone = isFine(interval) ? ` ${zoneName(last.start * 1000)}` : '';
  if (first === last)
    return `${when(last)}${zone}: one close so far, at ${formatPrice(last.price)} ${shownQuote.value}.`;
  const lowest = points.reduce((low, point) => (point.price < low.price ? point : low));
  const highest = points.reduce((high, point) => (point.price > high.price ? point : high));
  const change = (last.price / first.price - 1) * 100;
  return (
    `${when(first)} to ${when(last)}${zone}: from ${formatPrice(first.price)} to ${formatPrice(last.price)} ${shownQuote.value} ` +
    `(${formatPercent(change)}). Lowest ${formatPrice(lowest.price)} ${isFine(interval) ? 'at' : 'on'} ${when(lowest)}, ` +
    `highest ${formatPrice(highest.price)} ${isFine(interval) ? 'at' : 'on'} ${when(highest)}.`
  );
}

export interface Reading {
  readonly label: string;
  readonly text: string;
  readonly colour: string;
  /** The column that an explanation is about; null if there is none. */
  readonly explains: string | null;
}

/** What the chart shows of one day, in the order of its plots. */
export function readingsOf(point: HistoryPoint, plots: readonly Plot[]): Reading[] {
  return plots.flatMap(plot => {
    if (plot.kind === 'bands') return bandReading(point, plot);
    const value = plot.read(point);
    const { label, colour, name } = plot;
    const reading =
      value === null ? [] : [{ label, text: plot.format(value), colour, explains: plot.explained ? name : null }];
    return plot.kind === 'candles' ? [...barReadings(point), ...reading] : reading;
  });
}

function barReadings({ values }: HistoryPoint): Reading[] {
  return (['open', 'high', 'low'] as const).flatMap(name => {
    const value = values.get(name);
    const label = name[0]!.toUpperCase() + name.slice(1);
    return value === undefined ? [] : [{ label, text: formatPrice(value), colour: '', explains: name }];
  });
}

function bandReading({ values }: HistoryPoint, { label, colour }: Plot): Reading[] {
  const [lower, upper] = [values.get('bb20_lower'), values.get('bb20_upper')];
  if (lower === undefined || upper === undefined) return [];
  return [{ label, text: `${formatPrice(lower)} … ${formatPrice(upper)}`, colour, explains: null }];
}
