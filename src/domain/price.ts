// Which numbers can be a price.

/** One unit in the 18th decimal, the finest that common token contracts can express. */
export const MIN_PRICE = 1e-18;
/** In US dollars more than all wealth there is. */
export const MAX_PRICE = 1e15;

/** Outside these bounds a number is a mistake of its source, and squares of differences would near the ends of a double. */
export function isPrice(value: number): boolean {
  return value >= MIN_PRICE && value <= MAX_PRICE;
}
