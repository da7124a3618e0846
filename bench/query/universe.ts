// Assets as a store of many would have them, the same on every run: prices from billionths to a hundred thousand dollars,
// volatilities with a long tail, some tokens that no longer trade and stand still, and many young ones without a year of closes.
// Every indicator is computed from closes by the engine, so the columns depend on each other as real ones do.

import type { Asset } from '../../src/domain/asset.ts';
import { assetId } from '../../src/domain/asset.ts';
import type { Day } from '../../src/domain/day.ts';
import { CLOSES_PER_ROW } from '../../src/domain/row-needs.ts';
import { currentRows, indicatorTable } from '../../src/indicators/engine.ts';
import { STORED_COLUMNS } from '../../src/publish/columns.ts';
import type { SnapshotInput } from '../../src/snapshot/build/builder.ts';
import type { CurrentRow } from '../../src/store/store.ts';

const NOW = Date.UTC(2026, 10, 15, 12);
const TODAY = Math.floor(NOW / 86_400_000);
const BATCH = 5_000;

const SYLLABLES =
  'ba be bi bo da de do ka ke ko la le lu ma mi mo na ne no ra re ri ro sa se so ta te ti to va ve vo za ze zo'.split(
    ' ',
  );
const ENDINGS = [
  'Coin',
  'Token',
  'Finance',
  'Swap',
  'Protocol',
  'Network',
  'Chain',
  'Inu',
  'DAO',
  'Cash',
  'Gold',
  'AI',
];
const TYPES = ['coin', 'token', 'token', 'token', null];

type Uniform = () => number;

function uniformFrom(seed: number): Uniform {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Roughly normal: mean 0, deviation 1. */
function normal(uniform: Uniform): number {
  return (uniform() + uniform() + uniform() + uniform() - 2) * Math.sqrt(3);
}

export function universe(count: number): SnapshotInput {
  const uniform = uniformFrom(42);
  const histories = Uint32Array.from({ length: count }, () => historyLength(uniform));
  const days = Int32Array.from({ length: count }, () => TODAY - (uniform() < 0.06 ? Math.floor(uniform() * 7) : 0));
  const assets = Array.from({ length: count }, (_, i) => asset(i, days[i]!, histories[i]!, uniform));
  return { version: 1, assets, rows: rowsOf(histories, days, uniform), now: NOW };
}

/** Facts of an asset without which the benchmarks do. */
export const PLAIN_FACTS = { supply: null, tags: '', provisional: false, delisted: false };

function historyLength(uniform: Uniform): number {
  return uniform() < 0.2 ? 1 + Math.floor(uniform() * 365) : 366 + Math.floor(uniform() * 2500);
}

function asset(index: number, day: number, history: number, uniform: Uniform): Asset {
  const symbol = ticker(index);
  const word = () => Array.from({ length: 2 + Math.floor(uniform() * 2) }, () => pick(SYLLABLES, uniform)).join('');
  const first = word();
  const name = `${first[0]!.toUpperCase()}${first.slice(1)} ${uniform() < 0.5 ? pick(ENDINGS, uniform) : word()}`;
  return {
    assetNumber: index + 1,
    id: assetId(symbol, name),
    symbol,
    name,
    rank: uniform() < 0.6 ? index + 1 : null,
    type: pick(TYPES, uniform),
    ...PLAIN_FACTS,
    firstDay: (day - history + 1) as Day, // within the years that days cover
    lastDay: day as Day,
    bars: history,
  };
}

function pick<T>(from: readonly T[], uniform: Uniform): T {
  return from[Math.floor(uniform() * from.length)]!;
}

/** Five letters, different for each index: the step shares no factor with 26⁵. */
export function ticker(index: number): string {
  let number = (index * 7_654_321 + 1_234_567) % 26 ** 5;
  let text = '';
  for (let i = 0; i < 5; i++) {
    text += String.fromCharCode(65 + (number % 26));
    number = Math.floor(number / 26);
  }
  return text;
}

function rowsOf(histories: Uint32Array, days: Int32Array, uniform: Uniform): CurrentRow[] {
  const rows: CurrentRow[] = [];
  const closes = new Float64Array(BATCH * CLOSES_PER_ROW);
  const starts = new Uint32Array(BATCH + 1);
  const table = indicatorTable(BATCH);
  for (let from = 0; from < histories.length; from += BATCH) {
    const size = Math.min(BATCH, histories.length - from);
    for (let i = 0; i < size; i++) {
      starts[i + 1] = starts[i]! + Math.min(histories[from + i]!, CLOSES_PER_ROW);
      walk(closes.subarray(starts[i]!, starts[i + 1]!), uniform);
    }
    currentRows({ closes, starts: starts.subarray(0, size + 1) }, table);
    const values = new Float64Array(size * STORED_COLUMNS.all.valuesPerRow);
    for (let i = 0; i < size; i++) {
      const own = values.subarray(i * STORED_COLUMNS.all.valuesPerRow, (i + 1) * STORED_COLUMNS.all.valuesPerRow);
      // Any numbers will do for the optional columns.
      for (let c = 0; c < own.length; c++) own[c] = table[c]?.[i] ?? uniform();
      rows.push({
        assetNumber: from + i + 1,
        day: days[from + i]! as Day, // see above
        history: histories[from + i]!,
        price: closes[starts[i + 1]! - 1]!,
        values: own,
      });
    }
  }
  return rows;
}

function walk(closes: Float64Array, uniform: Uniform): void {
  let price = Math.min(1e5, Math.max(1e-9, 10 ** (2.2 * normal(uniform) - 1.5)));
  const stands = uniform() < 0.02;
  const step = stands ? 0 : 0.035 * Math.exp(0.7 * normal(uniform));
  for (let i = 0; i < closes.length; i++) {
    closes[i] = price;
    const move = (uniform() + uniform() - 1) * 2.45 * step;
    price = Math.min(1e9, Math.max(1e-12, move > 0 ? price * (1 + move) : price / (1 - move)));
  }
}
