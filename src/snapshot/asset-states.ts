// How many assets of a snapshot are inactive, and the period of its newest close.

import { isoOfPeriod } from '../domain/interval.ts';
import { columnOf, type Table } from './table.ts';

export interface AssetStates {
  /** Assets with prices that the listing leaves out. */
  readonly inactive: number;
  /** Period of the newest close: its UTC day such as 2026-06-30, or its start such as 2026-06-30T14:00Z. */
  readonly newestDay: string | null;
}

const counted = new WeakMap<Table, AssetStates>();

/** Counted once per snapshot. */
export function statesOf(assets: Table): AssetStates {
  let states = counted.get(assets);
  if (states === undefined) {
    states = countStates(assets);
    counted.set(assets, states);
  }
  return states;
}

function countStates(assets: Table): AssetStates {
  const active = columnOf(assets, 'is_active', 'flag');
  const last = columnOf(assets, 'last_data_at', 'day');
  let [inactive, newest] = [0, -1];
  for (let row = 0; row < assets.rows; row++) {
    const day = last.values[row]!;
    if (day >= 0 && active.values[row] === 0) inactive++;
    if (day > newest) newest = day;
  }
  return { inactive, newestDay: newest < 0 ? null : isoOfPeriod(last.interval, newest) };
}
