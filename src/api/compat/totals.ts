// The sums over the listing that `global` of both services has, worked out once per publication.

import type { Steps } from '../../common/steps.ts';
import type { Table } from '../../snapshot/table.ts';
import type { Market } from './market.ts';

export interface Totals {
  /** Active assets. */
  readonly assets: number;
  /** Of those of which it is known; null if it is known of none. */
  readonly marketCap: number | null;
  readonly turnover: number | null;
  /** Percent of the sum by ticker, of the ten largest. */
  readonly shares: readonly (readonly [symbol: string, percent: number])[];
  /** Milliseconds since 1970; null without prices. */
  readonly updatedAt: number | null;
}

const LARGEST = 10;
const ROWS_PER_STEP = 2000;
const computed = new WeakMap<Table, Totals>();

export function* totalsOf(market: Market): Steps<Totals> {
  const table = market.snapshot.tables['ta-cur'];
  const known = computed.get(table);
  if (known !== undefined) return known;
  const totals = yield* sums(market, table.rows);
  computed.set(table, totals);
  return totals;
}

function* sums(market: Market, rows: number): Steps<Totals> {
  let [cap, turnover, capped, traded, newest] = [0, 0, 0, 0, -1];
  let largest: (readonly [row: number, cap: number])[] = [];
  for (let row = 0; row < rows; row++) {
    if (row % ROWS_PER_STEP === 0) yield;
    const own = market.number(row, 'market_cap');
    const volume = market.number(row, 'turnover');
    newest = Math.max(newest, market.day(row, 'datetimeUTC') ?? -1);
    if (volume !== null) [turnover, traded] = [turnover + volume, traded + 1];
    if (own === null) continue;
    [cap, capped] = [cap + own, capped + 1];
    if (largest.length < LARGEST || own > largest.at(-1)![1]) {
      largest = [...largest, [row, own] as const].sort(([, one], [, other]) => other - one).slice(0, LARGEST);
    }
  }
  const updated = newest < 0 ? null : market.timeOf(newest as Parameters<Market['timeOf']>[0]); // a day of a row
  return {
    assets: rows,
    marketCap: capped === 0 ? null : cap,
    turnover: traded === 0 ? null : turnover,
    shares: largest.map(([row, own]) => [market.assetAt(row).symbol, (own / cap) * 100]),
    updatedAt: updated,
  };
}
