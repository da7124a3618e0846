// Which numbers can be a price.

/** One unit in the 18th decimal, the finest that common token contracts can express. */
export const MIN_PRICE = 1e-18;
/** In US dollars, more than all wealth on earth. */
export const MAX_PRICE = 1e15;

/** A number outside these bounds is an error of its source, and its square would approach the limits of a double. */
export function isPrice(value: number): boolean {
  return value >= MIN_PRICE && value <= MAX_PRICE;
}

/** The smallest and the largest price in any quote, itself a price: squares of them are far from the limits of a double. */
export const MIN_QUOTED = MIN_PRICE / MAX_PRICE;
export const MAX_QUOTED = MAX_PRICE / MIN_PRICE;
