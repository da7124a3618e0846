// The last 90 periods as a line, one real close per period.

import { directionOf } from '../format.ts';
import { type Closes, TREND_LENGTH } from './closes.ts';

const WIDTH = 96;
const HEIGHT = 20;

/** A young asset has a short line at the right. */
export function Sparkline({ closes }: { readonly closes: Closes | undefined }) {
  const values = closes?.closes ?? [];
  const [first, last] = [values[0], values.at(-1)];
  if (first === undefined || last === undefined || values.length < 2) return null;
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const x = (i: number) => (WIDTH - 2 - ((values.length - 1 - i) / (TREND_LENGTH - 1)) * (WIDTH - 4)).toFixed(1);
  const y = (close: number) => (HEIGHT - 2 - ((close - low) / span) * (HEIGHT - 4)).toFixed(1);
  const direction = directionOf((last / first - 1) * 100);
  return (
    <svg class={`sparkline ${direction}`} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <polyline points={values.map((close, i) => `${x(i)},${y(close)}`).join(' ')} />
      <circle cx={x(values.length - 1)} cy={y(last)} r="1.8" />
    </svg>
  );
}
