// Histograms whose edges are round numbers: multiples of 1, 2, 2.5 or 5 times a power of ten.

export interface Histogram {
  /** One more than there are bins. */
  readonly edges: readonly number[];
  readonly counts: readonly number[];
}

const STEPS = [1, 2, 2.5, 5, 10];
/** Of the largest value: the width of a few doubles. And the smallest double that has all of its digits. */
const [FINEST, SMALLEST] = [2 ** -49, 2 ** -1022];

/** At most `bins` of them, all as wide, that cover all values; null without values. `sorted` ascending, without nulls. */
export function histogramOf(sorted: Float64Array, bins: number): Histogram | null {
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) return null;
  const edges = bins === 1 ? ends(roundEdges(min, max, 10)) : roundEdges(min, max, bins);
  const counts: number[] = [];
  for (let bin = 0, from = 0; bin + 1 < edges.length; bin++) {
    const isLast = bin + 2 === edges.length;
    const to = isLast ? sorted.length : firstAtLeast(sorted, edges[bin + 1]!, from);
    counts.push(to - from);
    from = to;
  }
  return { edges, counts };
}

/** One bin around 0 cannot begin at a multiple of its own width. */
function ends(edges: readonly number[]): number[] {
  return [edges[0]!, edges.at(-1)!];
}

function roundEdges(min: number, max: number, bins: number): number[] {
  // Equal values are one bin; halves, because the difference of two doubles may be no double.
  const size = Math.max(Math.abs(min), Math.abs(max));
  const wanted = max > min ? 2 * (max / 2 / bins - min / 2 / bins) : size || 1;
  // Finer edges than doubles of this size are would be equal.
  const width = Math.max(wanted, size * FINEST, SMALLEST);
  const exponent = Math.floor(Math.log10(width));
  for (let power = exponent; ; power++) {
    for (const step of STEPS) {
      const edges = edgesOf(step, power, min, max, bins);
      if (edges !== null) return edges;
    }
  }
}

/** Multiples of `step · 10^power`; null if so many bins of this width cannot cover the values. */
function edgesOf(step: number, power: number, min: number, max: number, bins: number): number[] | null {
  // Decimal text gives the double nearest to the round number; a product of powers would not.
  const edge = (multiple: number) => Number(`${multiple * step}e${power}`);
  const width = edge(1);
  let first = Math.floor(min / width);
  while (edge(first) > min) first--;
  let last = Math.max(first + 1, Math.ceil(max / width));
  while (edge(last) < max) last++;
  const usable = width > 0 && last - first <= bins && Number.isFinite(edge(first)) && Number.isFinite(edge(last));
  if (!usable) {
    // Beyond the doubles there is no round edge: the values themselves are the ends.
    return Number.isFinite(width) && width < Number.MAX_VALUE / 10 ? null : [min, max];
  }
  return Array.from({ length: last - first + 1 }, (_, i) => edge(first + i) + 0);
}

function firstAtLeast(sorted: Float64Array, value: number, from: number): number {
  let [low, high] = [from, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
