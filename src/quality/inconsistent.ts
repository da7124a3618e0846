// inconsistent: a source's high below its low, open or close, or its low above them. It looks at bars as the source gave them: a store keeps
// them without the impossible number. One finding per bar; its value is the high, or the low if the high is possible.

import type { Finding } from '../domain/finding.ts';
import { ofEachSource } from './rule.ts';
import { priceText } from './wording.ts';

export const inconsistent = ofEachSource('inconsistent', (bars, start, _settings, report) => {
  const { period, open, high, low, close } = bars;
  for (let i = start; i < period.length; i++) {
    // Comparisons with NaN are false: an unknown number is consistent with everything.
    const isHighWrong = high[i]! < close[i]! || high[i]! < open[i]!;
    const isLowWrong = low[i]! > close[i]! || low[i]! > open[i]!;
    if (!isHighWrong && !isLowWrong && !(high[i]! < low[i]!)) continue;
    const found = contradictionIn({ open: open[i]!, high: high[i]!, low: low[i]!, close: close[i]! });
    if (found !== null) report(period[i]!, found.value, found.expected, found.detail);
  }
});

type Prices = Readonly<Record<'open' | 'high' | 'low' | 'close', number>>;
export type Contradiction = Pick<Finding, 'value' | 'expected' | 'detail'>;

/** What the rule says of one bar; NaN is an unknown number. Null if it is consistent. */
export function contradictionIn(bar: Prices): Contradiction | null {
  // The open and the close are prices of trades, and better known than the high and the low.
  const faults = [...faultsOf(bar, 'high', ['close', 'open']), ...faultsOf(bar, 'low', ['close', 'open'])];
  if (faults.length === 0) faults.push(...faultsOf(bar, 'high', ['low']));
  const [first] = faults;
  return first === undefined ? null : { ...first, detail: faults.map(({ detail }) => detail).join(' ') };
}

/** The first of `others` that contradicts the high or the low. */
function faultsOf(bar: Prices, name: 'high' | 'low', others: readonly (keyof Prices)[]): Contradiction[] {
  const value = bar[name];
  const other = others.find(each => (name === 'high' ? value < bar[each] : value > bar[each]));
  if (other === undefined) return [];
  const expected = bar[other];
  const side = name === 'high' ? 'below' : 'above';
  return [
    { value, expected, detail: `The ${name} ${priceText(value)} is ${side} the ${other} ${priceText(expected)}.` },
  ];
}
