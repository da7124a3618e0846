// Variance of a window of any sequence: what `var` (of closes) and `vol` (of log returns) share.
//
// Every window is shifted by one of its own members, the anchor a, before squares are taken:
//
//     Σ (x − mean)² = Σ d² − (Σ d)² / n,   d = x − a
//
// A member lies at most √(n − 1) standard deviations from the mean, so the subtraction cancels at most a factor n, and
// the result is within (3n + 3) · n · 1.1e-16 of the exact one, relatively: 8.4e-13 for n = 50 in the worst case (the
// anchor the only value that differs), about 1e-15 in ordinary data. Without the shift there is no bound: 1e9 ± 1e-3
// keeps no digit at all, and even two passes around a rounded mean lose half of them. Equal values give exactly 0.

/** Σ (x − mean)² / divisor from a window's Σ d and Σ d²; 0 when the divisor (n, or n − 1 for a sample) is not positive. */
export function spread(count: number, sum: number, squares: number, divisor: number): number {
  return divisor > 0 ? (squares - (sum * sum) / count) / divisor : 0;
}
