// Binary search.

/** The first of `from … to` for which `holds` is false; `holds` must be true before that position and false after it. */
export function partitionPoint(from: number, to: number, holds: (position: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
