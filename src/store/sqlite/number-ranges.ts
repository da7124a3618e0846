// Numbers as ranges of consecutive ones: one statement per range takes a fraction of the time of one statement per number.

export type NumberRange = readonly [first: number, last: number];

/** Every number is in exactly one of them; they ascend. */
export function rangesOf(numbers: Iterable<number>): NumberRange[] {
  const sorted = Uint32Array.from(numbers).sort();
  const ranges: NumberRange[] = [];
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    do to++;
    while (to < sorted.length && sorted[to]! - sorted[to - 1]! <= 1);
    ranges.push([sorted[from]!, sorted[to - 1]!]);
  }
  return ranges;
}
