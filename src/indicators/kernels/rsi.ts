// Wilder's relative strength index: 100 · G / (G + L). G and L are averages of daily gains and losses, seeded with the mean of the
// first n, then Aₜ = Aₜ₋₁ + (xₜ − Aₜ₋₁) / n. 100 without losses, 0 without gains, 50 without any move.

import type { Kernel } from '../kernel.ts';

/** Missing before day n + 1. The state is G and L. */
export const kernel: Kernel = (series, first, lengths, out, row, state) => {
  const { closes, end, skipped, next, isFresh } = series;
  for (let k = 0; k < lengths.length; k++) {
    const length = lengths[k]!;
    const values = out[k]![0];
    const at = state + 2 * k;
    let gains = isFresh ? 0 : series.state[at]!;
    let losses = isFresh ? 0 : series.state[at + 1]!;
    for (let day = next; day < end; day++) {
      const age = skipped + day;
      if (age > 0) {
        const change = closes[day]! - closes[day - 1]!;
        const gain = Math.max(change, 0);
        const loss = Math.max(-change, 0);
        gains += age <= length ? gain / length : (gain - gains) / length;
        losses += age <= length ? loss / length : (loss - losses) / length;
      }
      if (day >= first) values[row + day - first] = age < length ? Number.NaN : strength(gains, losses);
    }
    series.state[at] = gains;
    series.state[at + 1] = losses;
  }
};

function strength(gains: number, losses: number): number {
  const moves = gains + losses;
  return moves === 0 ? 50 : (100 * gains) / moves;
}
