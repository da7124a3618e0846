// Numbers in the sentences of findings.

/** Made when they are first needed: the first one of a process takes long. */
let factors: Intl.NumberFormat | undefined;
let prices: Intl.NumberFormat | undefined;

/** `1,000.4` */
export function factorText(factor: number): string {
  factors ??= new Intl.NumberFormat('en-US', { maximumSignificantDigits: 5 });
  return factors.format(factor);
}

/** `27,385.25` */
export function priceText(price: number): string {
  prices ??= new Intl.NumberFormat('en-US', { maximumSignificantDigits: 9 });
  return prices.format(price);
}

/** `1 period`, `1,200 periods` */
export function periodsText(count: number): string {
  return `${priceText(count)} ${count === 1 ? 'period' : 'periods'}`;
}
