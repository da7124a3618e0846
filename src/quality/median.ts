// The median of a few numbers.

/** Of the first `count` numbers, which it sorts; of an even number of them, the mean of the two in the middle. NaN of none. */
export function medianOf(values: Float64Array, count: number): number {
  const sorted = values.subarray(0, count).sort();
  const middle = count >> 1;
  return count % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
