// Numbers in the sentences of findings.

import { numberFormat } from '../common/number-format.ts';

/** `1,000.4` */
export const factorText: (factor: number) => string = numberFormat({ maximumSignificantDigits: 5 });

/** `27,385.25` */
export const priceText: (price: number) => string = numberFormat({ maximumSignificantDigits: 9 });

/** `1 period`, `1,200 periods` */
export function periodsText(count: number): string {
  return `${priceText(count)} ${count === 1 ? 'period' : 'periods'}`;
}
