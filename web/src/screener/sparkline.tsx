// The last 90 days as a line. Only real closes are joined: those that the row's price and changes give, at their true days.

import { directionOf } from '../format.ts';
import { TREND_DAYS } from './listing-request.ts';
import type { Row } from './row.ts';

const WIDTH = 96;
const HEIGHT = 20;
const LONGEST = TREND_DAYS[0];

interface Point {
  readonly daysAgo: number;
  readonly close: number;
}

/** changeₙ is (C₀ / Cₙ − 1) · 100, so Cₙ = C₀ / (1 + changeₙ / 100). */
export function closesOf(row: Row): readonly Point[] {
  const price = row['price'];
  if (typeof price !== 'number') return [];
  const points = TREND_DAYS.flatMap(daysAgo => {
    const change = row[`change${daysAgo}`];
    return typeof change === 'number' && change > -100 ? [{ daysAgo, close: price / (1 + change / 100) }] : [];
  });
  return [...points, { daysAgo: 0, close: price }];
}

export function Sparkline({ row }: { readonly row: Row }) {
  const points = closesOf(row);
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 2) return null;
  const closes = points.map(point => point.close);
  const low = Math.min(...closes);
  const span = Math.max(...closes) - low || 1;
  const x = ({ daysAgo }: Point) => (((LONGEST - daysAgo) / LONGEST) * (WIDTH - 4) + 2).toFixed(1);
  const y = ({ close }: Point) => (HEIGHT - 2 - ((close - low) / span) * (HEIGHT - 4)).toFixed(1);
  const direction = directionOf((last.close / first.close - 1) * 100);
  return (
    <svg class={`sparkline ${direction}`} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <polyline points={points.map(point => `${x(point)},${y(point)}`).join(' ')} />
      <circle cx={x(last)} cy={y(last)} r="1.8" />
    </svg>
  );
}
