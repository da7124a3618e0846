// Variance of the trailing windows of any sequence: what `var` (of closes) and `vol` (of log returns) share.
//
// Every window is shifted by one of its own members, the anchor a, before squares are taken:
//
//     Σ (x − mean)² = Σ d² − (Σ d)² / n,   d = x − a
//
// A member lies at most √(n − 1) standard deviations from the mean, so the subtraction cancels at most a factor n, and
// the result is within (3n + 3) · n · 1.1e-16 of the exact one, relatively: 8.4e-13 for n = 50 in the worst case (the
// anchor the only value that differs), some 1e-15 in ordinary data. Without the shift there is no bound: 1e9 ± 1e-3
// keeps no digit at all, and even two passes around a rounded mean lose half of them. Equal values give exactly 0.
// Sums only ever grow; nothing is subtracted when a day leaves a window, so nothing drifts.

/** Σ (x − mean)² / divisor from a window's Σ d and Σ d²; 0 when the divisor (n, or n − 1 for a sample) is not positive. */
export function spread(count: number, sum: number, squares: number, divisor: number): number {
  return divisor > 0 ? (squares - (sum * sum) / count) / divisor : 0;
}

let tailSums = new Float64Array(64);
let tailSquares = new Float64Array(64);

/**
 * The variance and the mean of the window that ends at each index, partial windows at the start included. `lost` is 0 for
 * the population variance, 1 for the sample's.
 *
 * The sequence is cut into blocks of one window. A window that ends in a block holds the block's first value, its
 * anchor, and is the tail of the block before plus the head of this one: sums that are kept as they grow.
 */
export function trailingSpread(
  values: Float64Array,
  count: number,
  window: number,
  lost: 0 | 1,
  variances: Float64Array,
  means: Float64Array,
): void {
  if (tailSums.length <= window) {
    tailSums = new Float64Array(window + 1);
    tailSquares = new Float64Array(window + 1);
  }

  const sums = tailSums;
  const squareSums = tailSquares;

  let anchor = values[0]!;
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < window && i < count; i++) {
    const d = values[i]! - anchor;
    sum += d;
    squares += d * d;
    variances[i] = spread(i + 1, sum, squares, i + 1 - lost);
    means[i] = anchor + sum / (i + 1);
  }

  // Divisions by constants cost more than all the rest here; as products they add one rounding.
  const perCount = 1 / window;
  const perDivisor = 1 / (window - lost);
  sums[window] = 0;
  squareSums[window] = 0;
  for (let block = window; block < count; block += window) {
    anchor = values[block]!;
    sum = 0;
    squares = 0;
    for (let i = window - 1; i > 0; i--) {
      const d = values[block - window + i]! - anchor;
      sum += d;
      squares += d * d;
      sums[i] = sum;
      squareSums[i] = squares;
    }
    sum = 0;
    squares = 0;
    const length = Math.min(window, count - block);
    for (let i = 0; i < length; i++) {
      const d = values[block + i]! - anchor;
      sum += d;
      squares += d * d;
      const windowSum = sum + sums[i + 1]!;
      variances[block + i] = (squares + squareSums[i + 1]! - windowSum * windowSum * perCount) * perDivisor;
      means[block + i] = anchor + windowSum * perCount;
    }
  }
}
