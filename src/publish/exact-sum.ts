// Sums without rounding on the way, so that a result does not depend on the order of the sources.

import { sumError } from '../indicators/arithmetic/double-double.ts';

/** Doubles, each smaller than the last bit of the next and none of them zero, that add up to the numbers exactly. Reused. */
const parts: number[] = [];

/**
 * Makes the parts of the first `count` numbers (Shewchuk's expansion), and returns how many there are. The numbers must be so far from the
 * largest double that no partial sum exceeds it.
 */
function expand(values: ArrayLike<number>, count: number): number {
  let length = 0;
  for (let i = 0; i < count; i++) {
    let [carried, kept] = [values[i]!, 0];
    for (let k = 0; k < length; k++) {
      const sum = carried + parts[k]!;
      const error = sumError(carried, parts[k]!, sum);
      if (error !== 0) parts[kept++] = error;
      carried = sum;
    }
    if (carried !== 0) parts[kept++] = carried;
    length = kept;
  }
  return length;
}

/** −1, 0 or 1, of the sum of the first `count` numbers. */
export function signOfSum(values: ArrayLike<number>, count = values.length): number {
  const length = expand(values, count);
  return length === 0 ? 0 : Math.sign(parts[length - 1]!);
}

/** The double nearest to the sum of the first `count` numbers; of two that are as near, the even one. */
export function exactSum(values: ArrayLike<number>, count = values.length): number {
  let length = expand(values, count);
  if (length === 0) return 0;
  let [sum, error] = [parts[--length]!, 0];
  while (length > 0 && error === 0) {
    const part = parts[--length]!;
    const next = sum + part;
    error = sumError(sum, part, next);
    sum = next;
  }
  // Half of the last bit was rounded to even, but the parts below it say which of the two is nearer.
  const rest = length > 0 ? parts[length - 1]! : 0;
  if ((error > 0 && rest > 0) || (error < 0 && rest < 0)) {
    const other = sum + 2 * error;
    if (other - sum === 2 * error) return other;
  }
  return sum;
}
