// Numbers of a bar that cannot be right, although its close can: they are left out one by one, and the bar is stored without them.

import { isPrice } from '../domain/price.ts';
import { type Contradiction, contradictionIn } from '../quality/inconsistent.ts';

/** NaN is an unknown number. */
export interface BarNumbers {
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

export interface Impossible {
  /** Which numbers, and why. */
  readonly text: string;
  /** What the rule `inconsistent` says of the bar as it was given; null if its high and low are possible. */
  readonly contradiction: Contradiction | null;
}

/**
 * Puts NaN in the place of each impossible number, and says which and why; null if there is none. The close must be a price. A high below
 * the open or the close is wrong, and a low above them: the open and the close are prices of trades, and so are better known.
 */
export function dropImpossible(bar: BarNumbers): Impossible | null {
  if (isConsistent(bar)) return null;
  const contradiction = contradictionOf(bar);
  const faults: string[] = [];
  const drop = (name: Exclude<keyof BarNumbers, 'close'>, why: string) => {
    faults.push(`${name} ${bar[name]} ${why}`);
    bar[name] = Number.NaN;
  };
  for (const name of ['open', 'high', 'low'] as const) {
    if (!isPriceOrUnknown(bar[name])) drop(name, 'is not a price');
  }
  if (bar.high < bar.close) drop('high', `is below the close ${bar.close}`);
  else if (bar.high < bar.open) drop('high', `is below the open ${bar.open}`);
  if (bar.low > bar.close) drop('low', `is above the close ${bar.close}`);
  else if (bar.low > bar.open) drop('low', `is above the open ${bar.open}`);
  if (!isVolumeOrUnknown(bar.volume)) drop('volume', 'is negative or not finite');
  return { text: faults.join(', '), contradiction };
}

/** An open that is not a price, and a high or low that is not finite, contradict nothing. */
function contradictionOf({ open, high, low, close }: BarNumbers): Contradiction | null {
  const finite = (value: number) => (Number.isFinite(value) ? value : Number.NaN);
  return contradictionIn({ open: isPrice(open) ? open : Number.NaN, high: finite(high), low: finite(low), close });
}

/** Comparisons with an unknown number are false. */
function isConsistent({ open, high, low, close, volume }: BarNumbers): boolean {
  return (
    isPriceOrUnknown(open) &&
    isPriceOrUnknown(high) &&
    isPriceOrUnknown(low) &&
    isVolumeOrUnknown(volume) &&
    !(high < close || high < open || low > close || low > open)
  );
}

function isPriceOrUnknown(value: number): boolean {
  return Number.isNaN(value) || isPrice(value);
}

function isVolumeOrUnknown(value: number): boolean {
  return Number.isNaN(value) || (value >= 0 && value < Number.POSITIVE_INFINITY);
}
