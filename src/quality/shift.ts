// shift: the level changes by a factor above 5 from one bar to the next, and stays: the medians of the 10 closes before and after differ
// by at least 0.8 of the jump. Jump and medians are compared as logarithms (to the base 2), so that a fall counts like the rise that undoes it.
//
// At an end of the series the medians are of the closes that there are: a jump of the newest close is a shift until it comes back.

import { medianOf } from './median.ts';
import { isUsable, ofEachSource } from './rule.ts';
import { factorText, periodsText } from './wording.ts';

/** Largest distance from a power of ten that is called near: 10 %, about what a price moves in a day. */
const NEAR = 0.1;

export const shift = ofEachSource('shift', ({ period, close }, start, settings, report) => {
  const factor = settings['shift-factor'];
  const window = settings['shift-window'];
  const logarithms = new Float64Array(window);
  for (let i = Math.max(start, 1); i < close.length; i++) {
    const before = close[i - 1]!;
    const after = close[i]!;
    if (!(after > factor * before || before > factor * after) || !isUsable(before) || !isUsable(after)) continue;
    const jump = Math.log2(after / before);
    const levels = medianLevel(close, i, i + window, logarithms) - medianLevel(close, i - window, i, logarithms);
    if (!(levels / jump >= settings['shift-share'])) continue;
    const known = Math.min(window, close.length - i);
    report(period[i]!, after, before, detail(jump, period[i]! - period[i - 1]! - 1, known < window ? known : null));
  }
});

/** The median of the logarithms of the closes `from … to - 1`. */
function medianLevel(close: Float64Array, from: number, to: number, scratch: Float64Array): number {
  let count = 0;
  for (let i = Math.max(from, 0); i < Math.min(to, close.length); i++) {
    if (isUsable(close[i]!)) scratch[count++] = Math.log2(close[i]!);
  }
  return medianOf(scratch, count);
}

/** `known` is the number of closes at the new level, if they are fewer than the window. */
function detail(jump: number, missing: number, known: number | null): string {
  const factor = 2 ** Math.abs(jump);
  const round = 10 ** Math.round(Math.log10(factor));
  const isNear = round > 1 && Math.abs(factor / round - 1) <= NEAR;
  const after = missing > 0 ? ` after ${periodsText(missing)} without a bar` : '';
  const near = isNear ? ', near a power of ten: a redenomination?' : '.';
  const soFar = known === null ? '' : ` The new level has ${known} ${known === 1 ? 'close' : 'closes'} so far.`;
  return `The level ${jump > 0 ? 'rose' : 'fell'} by a factor of ${factorText(factor)}${after}${near}${soFar}`;
}
