// "Did you mean …?": the known name nearest to a misspelt one.

/** Null when no name is similar enough: by default, one of three letters may be wrong. */
export function nearest(name: string, known: Iterable<string>, mostWrong = wrongLetters(name)): string | null {
  const wanted = name.toLowerCase();
  let best: string | null = null;
  let bestDistance = mostWrong;
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance || (distance === bestDistance && best === null)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Of one letter, none: any other letter would be as near. */
function wrongLetters({ length }: string): number {
  return Math.min(length - 1, Math.max(1, Math.floor(length / 3)));
}

/** Insertions, deletions, replacements and swaps of neighbours; gives up above `limit`, so that long input costs little. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
    }
    if (Math.min(...row) > limit) return limit + 1;
    [beforeLast, last] = [last, row];
  }
  return last[b.length]!;
}
