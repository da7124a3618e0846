// Random numbers that are the same on every machine: integer hashing, the four basic operations and the square root only,
// since Math.exp, Math.log and the like may differ in the last bit.

/** One well-mixed unsigned 32-bit integer from two (the finaliser of MurmurHash3). */
export function hash(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x165667b1, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Rises like an exponential: growth(0) = 1, growth(-x) = 1 / growth(x). Close to exp for |x| < 2, and defined for |x| < 16. */
export function growth(x: number): number {
  const step = (16 + x) / (16 - x);
  const fourth = step * step * step * step;
  return fourth * fourth;
}

/** A price of at most six significant digits, as exchanges give them: the double nearest to the decimal number, short in text. */
export function rounded(price: number): number {
  let scale = 1; // powers of ten up to 1e22 are exact doubles, so that the rounding is exact, too
  while (scale < 1e22 && price * scale < 1e5) scale *= 10;
  return Math.round(price * scale) / scale;
}

export type Random = ReturnType<typeof randomStream>;

/** A stream of random numbers: equal seeds give equal streams. */
export function randomStream(seed: number) {
  let drawn = 0;
  /** An unsigned 32-bit integer. */
  const next = () => hash(seed, drawn++);
  /** At least `low` and less than `high`. */
  const between = (low: number, high: number) => low + (next() / 2 ** 32) * (high - low);
  /** A whole number, both ends included. */
  const whole = (low: number, high: number) => Math.floor(between(low, high + 1));
  const chance = (probability: number) => between(0, 1) < probability;
  /** Mean 0, deviation 1: the sum of three numbers between -1 and 1, near enough to a bell curve. */
  const normal = () => (next() + next() + next()) / 2 ** 31 - 3;
  const pick = <T>(choices: readonly T[]): T => choices[whole(0, choices.length - 1)]!;
  /** Different ones, at most as many as there are. */
  const pickSome = <T>(choices: readonly T[], count: number): T[] => {
    const rest = [...choices];
    return choices.slice(0, count).map(() => rest.splice(whole(0, rest.length - 1), 1)[0]!);
  };
  return { next, between, whole, chance, normal, pick, pickSome };
}
