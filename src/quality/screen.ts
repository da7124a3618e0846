// Most bars are quiet: a single look at them is enough to know that no rule finds anything. It takes a tenth of the time of the rules.

import type { BarColumns } from '../domain/bar.ts';
import { BAR_NUMBERS } from '../domain/source-bars.ts';
import type { RuleSettings } from './settings.ts';

/**
 * Whether no rule about one series has a finding at the bars `start … end - 1`, nor between them, if these are all bars of an asset or
 * the newest of them, as many as `context` says. `known` are the numbers that any of them may have.
 */
export function isQuiet(
  bars: BarColumns,
  start: number,
  end: number,
  settings: RuleSettings,
  known: readonly string[] = BAR_NUMBERS,
): boolean {
  return (
    areClosesQuiet(bars, start, end, settings) &&
    (!known.includes('volume') || isVolumeQuiet(bars.volume, start, end, settings)) &&
    (!(known.includes('high') || known.includes('low')) || isConsistent(bars, start, end))
  );
}

/**
 * The same of one close per period, if an asset has no other numbers. Two equal neighbours are not quiet: the second may be that of a
 * period without a bar.
 */
export function areDenseClosesQuiet(close: Float64Array, start: number, end: number, settings: RuleSettings): boolean {
  const factor = Math.min(settings['spike-factor'], settings['shift-factor']);
  let before = close[start]!;
  for (let i = start + 1; i < end; i++) {
    const at = close[i]!;
    if (at > factor * before || before > factor * at || at === before) return false;
    before = at;
  }
  return true;
}

function areClosesQuiet({ day, close }: BarColumns, start: number, end: number, settings: RuleSettings): boolean {
  if (end - start < 2) return true;
  if (day[end - 1]! - day[start]! !== end - 1 - start) return false;
  const factor = Math.min(settings['spike-factor'], settings['shift-factor']);
  const most = settings['flat-closes'];
  let [before, equal] = [close[start]!, 1];
  for (let i = start + 1; i < end; i++) {
    const at = close[i]!;
    if (at > factor * before || before > factor * at) return false;
    equal = at === before ? equal + 1 : 1;
    if (equal >= most) return false;
    before = at;
  }
  return true;
}

/**
 * Whether even the largest volume is not too large for the others: a median of the volumes around it can only be too small if half of them
 * are, and at least half of a window is known. One small volume, of a period that has just begun, is therefore quiet.
 */
function isVolumeQuiet(volume: Float64Array, start: number, end: number, settings: RuleSettings): boolean {
  const factor = settings['volume-factor'];
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (let i = start; i < end; i++) {
    const each = volume[i]!;
    if (each < least) least = each;
    if (each > most) most = each;
  }
  if (!(most > factor * least)) return true;
  let small = 0;
  for (let i = start; i < end; i++) if (factor * volume[i]! < most) small++;
  return 4 * small < settings['volume-window'];
}

function isConsistent({ open, high, low, close }: BarColumns, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const [top, bottom] = [high[i]!, low[i]!];
    // Comparisons with NaN are false.
    if (top < bottom || top < close[i]! || top < open[i]! || bottom > close[i]! || bottom > open[i]!) return false;
  }
  return true;
}
