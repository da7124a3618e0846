// Bars around the closes of a series: days, opens, highs, lows and volumes such as sources give them, some of them missing.

import { type BarColumns, barColumns } from '../../../src/domain/bar.ts';

export interface Bars {
  /** Days since 1970-01-01. */
  readonly day: readonly number[];
  readonly open: readonly (number | null)[];
  readonly high: readonly (number | null)[];
  readonly low: readonly (number | null)[];
  readonly close: readonly number[];
  readonly volume: readonly (number | null)[];
}

/** With every number, one bar per day. */
export function barsAround(close: readonly number[], random: () => number, firstDay = 19_000): Bars {
  const open = close.map((price, i) => close[i - 1] ?? price);
  return {
    day: close.map((_, i) => firstDay + i),
    open,
    high: close.map((price, i) => Math.max(price, open[i]!) * (1 + random() / 20)),
    low: close.map((price, i) => Math.min(price, open[i]!) * (1 - random() / 20)),
    close,
    volume: close.map(() => random() * 1e6),
  };
}

/** The bars that `kept` says, so that gaps are left. The first stays. */
export function thinned(bars: Bars, kept: (i: number) => boolean): Bars {
  const stays = bars.day.map((_, i) => i === 0 || kept(i));
  const pick = <T>(values: readonly T[]) => values.filter((_, i) => stays[i]);
  const { day, open, high, low, close, volume } = bars;
  return {
    day: pick(day),
    open: pick(open),
    high: pick(high),
    low: pick(low),
    close: pick(close),
    volume: pick(volume),
  };
}

/** Without high and low, or without volume, in some bars. */
export function withoutSome(bars: Bars, lacksHighs: (i: number) => boolean, lacksVolume: (i: number) => boolean): Bars {
  return {
    ...bars,
    high: bars.high.map((value, i) => (lacksHighs(i) ? null : value)),
    low: bars.low.map((value, i) => (lacksHighs(i) ? null : value)),
    volume: bars.volume.map((value, i) => (lacksVolume(i) ? null : value)),
  };
}

export function columnsOf(bars: Bars): BarColumns {
  const columns = barColumns(bars.close.length);
  for (const name of ['day', 'open', 'high', 'low', 'close', 'volume'] as const) {
    for (const [i, value] of bars[name].entries()) columns[name][i] = value ?? Number.NaN;
  }
  return columns;
}
