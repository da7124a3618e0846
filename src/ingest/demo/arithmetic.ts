// Exponentials and decimal rounding by exactly defined operations, so that every engine makes the same bytes.

/** 1/n! from n = 12 down to 0: |x| ≤ ln 2 / 2 leaves an error below 1e-15. */
const TAYLOR = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map(n => 1 / factorial(n));
const LARGEST_POWER_OF_2 = 100;
/** From 2 to the −100 on. */
const POWERS_OF_2 = powers(2, 2 * LARGEST_POWER_OF_2).map(power => power / 2 ** LARGEST_POWER_OF_2);
/** All of them are exact doubles, hence so is the rounding of what is divided by them. */
const POWERS_OF_10 = powers(10, 22);

/** For exponents between −69 and 69. */
export function exp(x: number): number {
  // `| 0` turns −0 into 0: as an index it would make the engine give up its fast code.
  const doublings = Math.round(x / Math.LN2) | 0;
  const rest = x - doublings * Math.LN2;
  let sum = 0;
  for (let i = 0; i < TAYLOR.length; i++) sum = sum * rest + TAYLOR[i]!;
  return sum * POWERS_OF_2[doublings + LARGEST_POWER_OF_2]!;
}

export function powerOf10(exponent: number): number {
  return exp(exponent * Math.LN10);
}

/** Decimals that write a positive number with this many significant digits; negative for large numbers. */
export function decimalsFor(value: number, digits: number): number {
  const least = POWERS_OF_10[digits - 1]!;
  let places = 0;
  if (value < least) {
    while (places < 22 && value * POWERS_OF_10[places]! < least) places++;
    return places;
  }
  while (value / POWERS_OF_10[places]! >= least * 10) places++;
  return 0 - places;
}

/** The double nearest to the decimal number, hence short in text. */
export function roundTo(value: number, decimals: number): number {
  return decimals >= 0
    ? Math.round(value * POWERS_OF_10[decimals]!) / POWERS_OF_10[decimals]!
    : Math.round(value / POWERS_OF_10[-decimals]!) * POWERS_OF_10[-decimals]!;
}

export function significant(value: number, digits: number): number {
  return value === 0 ? 0 : roundTo(value, decimalsFor(value, digits));
}

function factorial(n: number): number {
  return n === 0 ? 1 : n * factorial(n - 1);
}

function powers(base: number, highest: number): Float64Array {
  const table = new Float64Array(highest + 1).fill(1);
  for (let i = 1; i <= highest; i++) table[i] = table[i - 1]! * base;
  return table;
}
