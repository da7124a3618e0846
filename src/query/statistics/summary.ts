// The statistics of one column, from its sorted values.

import { QUANTILES } from '../../domain/statistics.ts';

/** What cannot be computed (of no values, or beyond the doubles) is null. */
export type Summary = Readonly<Record<'min' | 'max' | 'mean' | 'stdev' | keyof typeof QUANTILES, number | null>>;

/** `sorted` ascending, without nulls. */
export function summaryOf(sorted: Float64Array): Summary {
  const mean = sumOf(sorted, value => value) / sorted.length;
  const squares = sumOf(sorted, value => (value - mean) ** 2);
  const quantile = (share: number) => finite(quantileOf(sorted, share));
  return {
    min: finite(sorted[0]),
    max: finite(sorted.at(-1)),
    mean: finite(mean),
    stdev: sorted.length < 2 ? null : finite(Math.sqrt(squares / (sorted.length - 1))),
    p5: quantile(QUANTILES.p5),
    p25: quantile(QUANTILES.p25),
    p50: quantile(QUANTILES.p50),
    p75: quantile(QUANTILES.p75),
    p95: quantile(QUANTILES.p95),
  };
}

/** Linear interpolation between the two nearest values: NumPy's default, SQL's `percentile_cont`. */
function quantileOf(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(position)]!, sorted[Math.ceil(position)]!];
  return low + (high - low) * (position - Math.floor(position));
}

/** Neumaier's sum: its error is that of one rounding, however many values there are. */
function sumOf(values: Float64Array, term: (value: number) => number): number {
  let [sum, lost] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const value = term(values[i]!);
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}

/** Without -0. */
function finite(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value + 0 : null;
}
