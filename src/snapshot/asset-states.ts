// How many assets of a snapshot are inactive, and the day of its newest close.

import { type Day, isoFromDay } from '../domain/day.ts';
import type { Table } from './table.ts';

export interface AssetStates {
  /** Assets with prices that the listing leaves out. */
  readonly inactive: number;
  /** UTC day of the newest close, such as 2026-06-30. */
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

function countStates({ dataset, columns, rows }: Table): AssetStates {
  const at = (name: string) => columns[dataset.columns.findIndex(column => column.name === name)]!;
  const [active, last] = [at('is_active'), at('last_data_at')];
  if (active.kind !== 'flag' || last.kind !== 'day') throw new TypeError('the asset list has other columns');
  let [inactive, newest] = [0, -1];
  for (let row = 0; row < rows; row++) {
    const day = last.values[row]!;
    if (day >= 0 && active.values[row] === 0) inactive++;
    if (day > newest) newest = day;
  }
  return { inactive, newestDay: newest < 0 ? null : isoFromDay(newest as Day) }; // the builder writes days only
}
