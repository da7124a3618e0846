// Which rows of the listing a page of `coins/markets` has.

import { mapInSteps, type Steps } from '../../../common/steps.ts';
import { TA_CUR } from '../../../domain/datasets.ts';
import { executeInSteps } from '../../../query/execute/execute.ts';
import { parsePlan } from '../../../query/parse/parse-plan.ts';
import type { Table } from '../../../snapshot/table.ts';
import type { Market } from '../market.ts';
import { assetAt } from '../search-assets.ts';
import type { Coins } from './endpoint.ts';

/** `gecko` was a rank of CoinGecko's own, which it has replaced by the market capitalisation. */
export const ORDERS = [
  'market_cap_desc',
  'market_cap_asc',
  'volume_desc',
  'volume_asc',
  'id_asc',
  'id_desc',
  'gecko_desc',
  'gecko_asc',
] as const;

export type Order = (typeof ORDERS)[number];

export interface Page {
  readonly order: Order;
  readonly perPage: number;
  readonly page: number;
}

/** The rows of the coins that a request names, or else of all; coins without the number of the order come last. */
export function* rowsOfPage(coins: Coins, named: readonly string[] | null, wanted: Page): Steps<readonly number[]> {
  const { market } = coins;
  if (named === null && !wanted.order.startsWith('id_')) return yield* listedPage(market, wanted);
  const rows = named === null ? yield* allById(coins) : yield* namedRows(coins, named);
  const sorted = wanted.order.startsWith('id_') ? rows : sortedByNumber(market, rows, wanted.order);
  const ordered = wanted.order === 'id_desc' ? sorted.toReversed() : sorted;
  return ordered.slice((wanted.page - 1) * wanted.perPage, wanted.page * wanted.perPage);
}

function columnOf(order: Order): 'market_cap' | 'turnover' {
  return order.startsWith('volume') ? 'turnover' : 'market_cap';
}

function* listedPage({ snapshot }: Market, { order, perPage, page }: Page): Steps<readonly number[]> {
  const direction = order.endsWith('_asc') ? 'asc' : 'desc';
  const plan = parsePlan(TA_CUR, `sort=${columnOf(order)}&order=${direction}&page=${page}`);
  const { rows } = yield* executeInSteps(plan, snapshot.tables['ta-cur'], perPage);
  return [...rows];
}

/** By id. */
function* namedRows({ market, ids }: Coins, named: readonly string[]): Steps<number[]> {
  const find = (id: string) => {
    const coin = ids.find(id);
    const row = coin === null ? null : market.rowOf(coin);
    return coin === null || row === null ? [] : [[ids.idOf(coin), row] as const];
  };
  const found = yield* mapInSteps(named, find, PER_STEP);
  const sorted = found.flat().sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return [...new Set(sorted.map(([, row]) => row))];
}

function sortedByNumber(market: Market, rows: readonly number[], order: Order): number[] {
  const sign = order.endsWith('_asc') ? 1 : -1;
  const value = (row: number) => market.number(row, columnOf(order));
  return rows.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * (a - b);
  });
}

const orders = new WeakMap<Table, readonly number[]>();
const PER_STEP = 50;

/** All rows of the listing by CoinGecko's form of their ids, worked out once per snapshot. */
function* allById({ market, ids }: Coins): Steps<readonly number[]> {
  const listing = market.snapshot.tables['ta-cur'];
  const known = orders.get(listing);
  if (known !== undefined) return known;
  const sorted: number[] = [];
  for (const [i, row] of (yield* ids.order()).entries()) {
    const listed = market.rowOf(assetAt(market.snapshot, row));
    if (listed !== null) sorted.push(listed);
    if (i % PER_STEP === 0) yield;
  }
  orders.set(listing, sorted);
  return sorted;
}
