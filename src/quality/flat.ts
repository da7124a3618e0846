// flat: 10 or more equal closes in a row. The finding is at the first of them; its value is their number. Bars count, not periods: a
// period without a bar neither ends the row nor lengthens it.

import type { SourceBars } from '../domain/source-bars.ts';
import { isUsable, ofEachSource } from './rule.ts';
import { priceText } from './wording.ts';

export const flat = ofEachSource('flat', ({ period, close }, start, settings, report) => {
  const least = settings['flat-closes'];
  // A row that begins before `start` is not looked at again.
  let first = start;
  while (first > 0 && first < close.length && close[first] === close[first - 1]) first++;
  for (let i = first + 1; i <= close.length; i++) {
    if (i < close.length && close[i] === close[first]) continue;
    const count = i - first;
    if (count >= least && isUsable(close[first]!)) {
      report(period[first]!, count, least - 1, `${priceText(count)} closes in a row are ${priceText(close[first]!)}.`);
    }
    first = i;
  }
});

/** The index of the first close of the row of equal closes that ends at `last`. */
export function flatSince({ close }: SourceBars, last: number): number {
  let first = last;
  while (first > 0 && close[first] === close[first - 1]) first--;
  return first;
}
