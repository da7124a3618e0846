// Batches from bars that come a few at a time, as answers of providers do.

import { type Bar, barColumns } from '../domain/bar.ts';
import type { BaseInterval } from '../domain/interval.ts';
import type { AssetRef, BarBatch } from './source.ts';

export interface ListedBar extends Omit<Bar, 'day'> {
  /** The period. */
  readonly day: number;
  readonly asset: AssetRef;
  /** The record of the answer that it comes from, from 1. */
  readonly line: number;
}

/** One batch; `origin` names the address without secrets. Assets are compared by identity, not by content. */
export function batchOf(origin: string, bars: readonly ListedBar[], interval: BaseInterval = '1d'): BarBatch {
  const places = new Map<AssetRef, number>();
  const asset = new Uint32Array(bars.length);
  const line = new Uint32Array(bars.length);
  const columns = barColumns(bars.length);
  for (const [i, bar] of bars.entries()) {
    const place = places.get(bar.asset) ?? places.size;
    places.set(bar.asset, place);
    asset[i] = place;
    line[i] = bar.line;
    columns.day[i] = bar.day;
    columns.open[i] = bar.open;
    columns.high[i] = bar.high;
    columns.low[i] = bar.low;
    columns.close[i] = bar.close;
    columns.volume[i] = bar.volume;
  }
  return { interval, count: bars.length, assets: [...places.keys()], asset, origin, line, ...columns };
}
