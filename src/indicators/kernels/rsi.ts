// Wilder's relative strength index: 100 · G / (G + L). G and L are averages of daily gains and losses, seeded with the mean of the
// first n, then Aₜ = Aₜ₋₁ + (xₜ − Aₜ₋₁) / n. 100 without losses, 0 without gains, 50 without any move.

/** Writes the values of the days `first …` to `out[0 …]`; NaN before day n + 1. */
export function rsi(closes: Float64Array, window: number, first: number, out: Float64Array): void {
  out.fill(Number.NaN);
  let gains = 0;
  let losses = 0;
  for (let day = 1; day < closes.length; day++) {
    const change = closes[day]! - closes[day - 1]!;
    const gain = Math.max(change, 0);
    const loss = Math.max(-change, 0);
    if (day <= window) {
      gains += gain / window;
      losses += loss / window;
    } else {
      gains += (gain - gains) / window;
      losses += (loss - losses) / window;
    }
    if (day < window || day < first) continue;
    const moves = gains + losses;
    out[day - first] = moves === 0 ? 50 : (100 * gains) / moves;
  }
}
