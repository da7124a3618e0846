// inconsistent: a source's high below its low, open or close, or its low above them. It looks at bars as the source gave them: a store keeps
// them without the impossible number. One finding per bar; its value is the high, or the low if the high is possible.

import type { SourceBars } from '../domain/source-bars.ts';
import { ofEachSource } from './rule.ts';
import { priceText } from './wording.ts';

export const inconsistent = ofEachSource('inconsistent', (bars, start, _settings, report) => {
  const { period, open, high, low, close } = bars;
  for (let i = start; i < period.length; i++) {
    // Comparisons with NaN are false: an unknown number is consistent with everything.
    const isHighWrong = high[i]! < close[i]! || high[i]! < open[i]!;
    const isLowWrong = low[i]! > close[i]! || low[i]! > open[i]!;
    if (!isHighWrong && !isLowWrong && !(high[i]! < low[i]!)) continue;
    // The open and the close are prices of trades, and better known than the high and the low.
    const faults = [...faultsOf(bars, i, 'high', ['close', 'open']), ...faultsOf(bars, i, 'low', ['close', 'open'])];
    if (faults.length === 0) faults.push(...faultsOf(bars, i, 'high', ['low']));
    report(period[i]!, faults[0]!.value, faults[0]!.expected, faults.map(({ detail }) => detail).join(' '));
  }
});

type Price = 'open' | 'high' | 'low' | 'close';
type Fault = { readonly value: number; readonly expected: number; readonly detail: string };

/** The first of `others` that contradicts the high or the low. */
function faultsOf(bars: SourceBars, i: number, name: 'high' | 'low', others: readonly Price[]): Fault[] {
  const value = bars[name][i]!;
  const other = others.find(each => (name === 'high' ? value < bars[each][i]! : value > bars[each][i]!));
  if (other === undefined) return [];
  const expected = bars[other][i]!;
  const side = name === 'high' ? 'below' : 'above';
  return [
    { value, expected, detail: `The ${name} ${priceText(value)} is ${side} the ${other} ${priceText(expected)}.` },
  ];
}
