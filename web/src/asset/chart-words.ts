// The chart in words, for those who don't see it and those who want the figures.

import { formatPercent, formatPrice } from '../format.ts';
import type { HistoryPoint } from './history.ts';

/** What happened over these days; empty without any. */
export function describePeriod(points: readonly HistoryPoint[]): string {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return '';
  if (first === last) return `${last.day}: one close so far, at ${formatPrice(last.price)} USD.`;
  const lowest = points.reduce((low, point) => (point.price < low.price ? point : low));
  const highest = points.reduce((high, point) => (point.price > high.price ? point : high));
  const change = (last.price / first.price - 1) * 100;
  return (
    `${first.day} to ${last.day}: from ${formatPrice(first.price)} to ${formatPrice(last.price)} USD ` +
    `(${formatPercent(change)}). Lowest ${formatPrice(lowest.price)} on ${lowest.day}, ` +
    `highest ${formatPrice(highest.price)} on ${highest.day}.`
  );
}

export interface Reading {
  readonly label: string;
  readonly text: string;
  /** Window of the average that this is a reading of, for its colour. */
  readonly window?: number;
}

/** What the chart shows of one day: the price, the averages that are drawn, the bands if they are. */
export function readingsOf(point: HistoryPoint, averages: readonly number[], bands: boolean): Reading[] {
  const readings: Reading[] = [{ label: 'price', text: formatPrice(point.price) }];
  for (const window of averages) {
    const value = point.averages.get(window);
    if (value !== undefined) readings.push({ label: `sma${window}`, text: formatPrice(value), window });
  }
  if (bands && point.bands !== null) {
    const { lower, upper } = point.bands;
    readings.push({ label: 'bands', text: `${formatPrice(lower)} … ${formatPrice(upper)}` });
  }
  return readings;
}
