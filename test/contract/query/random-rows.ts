// Rows for the model test: small pools of values, so that ties, equal columns and nulls are common, and extremes occur.

import type { Column } from '../../../src/domain/columns.ts';
import { ASSETS, type Dataset } from '../../../src/domain/datasets.ts';
import type { Chance } from './chance.ts';
import { type Cell, inTableOrder, type PlainRow } from './plain-table.ts';

export const NUMBERS: readonly number[] = [
  0, -0, 1, 2, 3, 10, 42, -1, -7.5, 0.1, 0.30000000000000004, 1e21, 1e-7, -1e300, 5e-324, 1.7976931348623157e308,
];
const NAMES = [
  'Bitcoin',
  'Bitcoin Cash',
  'ETHER',
  'Ｆｕｌｌ Width',
  'İstanbul',
  'ﬁne Coin',
  'Straße',
  '币安',
  '😀 Coin',
  'a,b',
  '',
];
const TYPES = ['coin', 'token', null, 'Coin'];
const TICKERS = ['BTC', 'eth', 'Éa', 'ß', 'x,y', '=1', '币', '😀', 'A', 'a\nb'];

export function randomRows(dataset: Dataset, count: number, chance: Chance): PlainRow[] {
  const rows = Array.from({ length: count }, (_, index) => randomRow(dataset, index, chance));
  return inTableOrder(dataset, rows);
}

function randomRow(dataset: Dataset, index: number, chance: Chance): PlainRow {
  const cells: Record<string, Cell> = {};
  for (const column of dataset.columns) cells[column.name] = randomCell(column, chance);
  // The tie breaker is unique, tickers of assets are not.
  const ticker = chance.pick(TICKERS);
  cells['symbol'] = dataset === ASSETS ? ticker : `${ticker}${index}`;
  if (dataset.ofOneAsset) cells['datetimeUTC'] = new Date(Date.UTC(2020, 0, 1 + index)).toISOString();
  if (dataset === ASSETS) cells['id'] = `${ticker.toLowerCase()}-${index}`;
  return { cells, history: chance.below(400) };
}

function randomCell(column: Column, chance: Chance): Cell {
  // Beyond what the catalogue says, any number may be null here: the query stage need not know which can.
  if (column.kind === 'text') return chance.pick(column.name === 'type' ? TYPES : NAMES);
  if (column.kind === 'flag') return chance.happens(0.5);
  if (column.kind === 'time') {
    const isNull = column.nullable && chance.happens(0.2);
    return isNull ? null : `2026-01-0${chance.happens(0.7) ? 1 : 1 + chance.below(3)}T00:00:00.000Z`;
  }
  if (chance.happens(0.2)) return null;
  return chance.happens(0.5) ? chance.pick(NUMBERS) : Math.round(chance.next() * 1e6) / 1e4;
}
