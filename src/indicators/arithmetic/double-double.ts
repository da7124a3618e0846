// Arithmetic with twice the precision of a double: a number is the unevaluated sum of two doubles, about 106 significant bits.
//
// Needed where nearly equal numbers are subtracted: each error is about 1e-31 of the operands, so a difference keeps the 12 digits
// that are promised even when it is 1e-18 of them. Sums after Knuth, products after Dekker and Veltkamp.

/** What rounding took from the sum a + b: the two add up to it exactly. */
export function sumError(a: number, b: number, sum: number): number {
  const back = sum - a;
  return a - (sum - back) + (b - back);
}

/** What rounding took from the product a · b: the two add up to it exactly. */
export function productError(a: number, b: number, product: number): number {
  const aHigh = upperHalf(a);
  const bHigh = upperHalf(b);
  const aLow = a - aHigh;
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

/** The number with the lower half of its bits cleared. */
function upperHalf(a: number): number {
  const scaled = a * 134_217_729; // 2²⁷ + 1
  return scaled - (scaled - a);
}

/** Changed in place, so that a loop allocates nothing. `high` is the number rounded to a double. */
export class DoubleDouble {
  high: number;
  low: number;

  constructor(high = 0, low = 0) {
    this.high = high;
    this.low = low;
  }

  set(high: number, low = 0): this {
    this.high = high + low;
    this.low = low - (this.high - high);
    return this;
  }

  add(high: number, low = 0): this {
    const sum = this.high + high;
    return this.set(sum, sumError(this.high, high, sum) + (this.low + low));
  }

  multiply(high: number, low = 0): this {
    const product = this.high * high;
    const error = productError(this.high, high, product);
    return this.set(product, error + (this.high * low + this.low * high));
  }

  divide(divisor: number, low = 0): this {
    const quotient = this.high / divisor;
    const product = quotient * divisor;
    const rest = this.high - product - productError(quotient, divisor, product) + this.low - quotient * low;
    return this.set(quotient, rest / divisor);
  }

  /** Of a number that is not negative. */
  squareRoot(): this {
    const root = Math.sqrt(this.high);
    if (root === 0) return this.set(0);
    const square = root * root;
    const rest = this.high - square - productError(root, root, square) + this.low;
    return this.set(root, rest / (2 * root));
  }
}
