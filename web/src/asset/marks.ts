// What is in doubt about the bars of an asset, and its redenominations and migrations, as marks of the chart.

import { type HistoryPoint, placeOf } from './history.ts';

export interface Mark {
  /** Seconds since 1970. */
  readonly start: number;
  readonly kind: 'finding' | 'action';
  /** A word for the list, such as the rule. */
  readonly name: string;
  /** A sentence. */
  readonly text: string;
  /** Of a finding; empty for an action. */
  readonly state: string;
  readonly interval: string;
}

/** By the start of the point that each mark lies in; those before the first point are left out. */
export function marksByPoint(points: readonly HistoryPoint[], marks: readonly Mark[]): Map<number, readonly Mark[]> {
  const first = points[0]?.start ?? Number.POSITIVE_INFINITY;
  return Map.groupBy(
    marks.filter(({ start }) => start >= first),
    ({ start }) => {
      const place = placeOf(points, start);
      return points[place]?.start === start ? start : points[place - 1]!.start; // a point is before it
    },
  );
}
