// Numbers in the sentences of findings.

const FACTOR = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 5 });
const PRICE = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 9 });

/** `1,000.4` */
export function factorText(factor: number): string {
  return FACTOR.format(factor);
}

/** `27,385.25` */
export function priceText(price: number): string {
  return PRICE.format(price);
}

/** `1 period`, `1,200 periods` */
export function periodsText(count: number): string {
  return `${PRICE.format(count)} ${count === 1 ? 'period' : 'periods'}`;
}
