// spike: a close that leaves and comes back. Both log returns, in opposite directions, exceed ln 1.5 and 8 times the median absolute log
// return of the 60 closes around it: 30 before and 30 after, or what there is. The close itself is left out of the median.

import { medianOf } from './median.ts';
import { isUsable, ofEachSource } from './rule.ts';
import { factorText } from './wording.ts';

export const spike = ofEachSource('spike', ({ period, close }, start, settings, report) => {
  const factor = settings['spike-factor'];
  const returns = new Float64Array(settings['spike-window']);
  for (let i = Math.max(start, 1); i < close.length - 1; i++) {
    const before = close[i - 1]!;
    const at = close[i]!;
    const after = close[i + 1]!;
    const isHigh = at > factor * before && at > factor * after;
    const isLow = before > factor * at && after > factor * at;
    // Few closes get here, so that the median costs next to nothing.
    if (!(isHigh || isLow) || !isUsable(before) || !isUsable(at) || !isUsable(after)) continue;
    const [into, back] = [Math.abs(Math.log(at / before)), Math.abs(Math.log(after / at))];
    const usual = settings['spike-returns'] * medianOf(returns, returnsAround(close, i, returns));
    if (!(into > usual && back > usual)) continue;
    const [there, again] = isHigh ? ['rose', 'fell back'] : ['fell', 'rose again'];
    const detail = `The close ${there} by a factor of ${factorText(Math.exp(into))} and ${again} by a factor of ${factorText(Math.exp(back))}.`;
    report(period[i]!, at, Math.sqrt(before * after), detail);
  }
});

/** Writes the absolute log returns between the closes around `at`, as if it were not there, and returns their number. */
function returnsAround(close: Float64Array, at: number, out: Float64Array): number {
  const before = out.length >> 1;
  const end = Math.min(close.length, at + out.length - before + 1);
  let [count, previous] = [0, Number.NaN];
  for (let i = Math.max(0, at - before); i < end; i++) {
    if (i === at || !isUsable(close[i]!)) continue;
    if (previous > 0) out[count++] = Math.abs(Math.log(close[i]! / previous));
    previous = close[i]!;
  }
  return count;
}
