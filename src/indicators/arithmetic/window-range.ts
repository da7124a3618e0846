// The lowest and the highest of the last n values, of many days, each from a few comparisons: the two parts of a window are those of
// `windowProducts`.

export interface WindowRange {
  lowest: Float64Array;
  highest: Float64Array;
}

/** The ends of a block, by their length. */
const tails: WindowRange = { lowest: new Float64Array(0), highest: new Float64Array(0) };
const range: WindowRange = { lowest: new Float64Array(0), highest: new Float64Array(0) };

/**
 * The lowest of `lows` and the highest of `highs` in the n days up to each of the days `first … end - 1`; NaN if one of them is. The
 * next call writes to the same arrays.
 */
export function windowRange(
  lows: Float64Array,
  highs: Float64Array,
  count: number,
  first: number,
  end: number,
): Readonly<WindowRange> {
  enlarge(tails, count);
  enlarge(range, end - first);
  for (let boundary = first; boundary < end; boundary += count) {
    let lowest = Number.POSITIVE_INFINITY;
    let highest = Number.NEGATIVE_INFINITY;
    tails.lowest[0] = lowest;
    tails.highest[0] = highest;
    for (let length = 1; length < count; length++) {
      lowest = Math.min(lowest, lows[boundary - length]!);
      highest = Math.max(highest, highs[boundary - length]!);
      tails.lowest[length] = lowest;
      tails.highest[length] = highest;
    }
    lowest = Number.POSITIVE_INFINITY;
    highest = Number.NEGATIVE_INFINITY;
    const blockEnd = Math.min(boundary + count, end);
    for (let i = boundary; i < blockEnd; i++) {
      lowest = Math.min(lowest, lows[i]!);
      highest = Math.max(highest, highs[i]!);
      range.lowest[i - first] = Math.min(lowest, tails.lowest[boundary + count - 1 - i]!);
      range.highest[i - first] = Math.max(highest, tails.highest[boundary + count - 1 - i]!);
    }
  }
  return range;
}

function enlarge(arrays: WindowRange, length: number): void {
  if (arrays.lowest.length >= length) return;
  arrays.lowest = new Float64Array(length);
  arrays.highest = new Float64Array(length);
}
