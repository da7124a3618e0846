// How the columns follow that are facts of the asset, or computed from them.

import type { Day } from '../domain/day.ts';
import { type Interval, isFinerThanDay } from '../domain/interval.ts';
import { factDay } from '../history/fact-history.ts';
import type { FactRecord } from '../store/store.ts';
import { type Days, type Derivation, NOTHING, step } from './derivation.ts';
import { fromDouble, multiply, type Real } from './real.ts';

/** Of the asset, as a source gives them; of a past day, as they were known then. */
export interface AssetFigures {
  readonly rank: number | null;
  readonly supply: number | null;
  /** What a source says of the day itself. */
  readonly marketCap?: number | null;
  /** Of those that the history of facts has. */
  readonly known?: Readonly<Partial<Record<FactName, KnownFact>>>;
}

type FactName = 'rank' | 'supply' | 'marketCap';

/** Since when a fact is known, and from which load. */
export interface KnownFact {
  readonly day: Day;
  readonly load: number;
}

/** As they were known in a period; `records` oldest first. */
export function figuresOn(records: readonly FactRecord[], interval: Interval, period: number): AssetFigures {
  const figures = figuresOfDay(records, factDay(interval, period));
  // The market capitalisation of a day is not that of its hours.
  return isFinerThanDay(interval) ? { ...figures, marketCap: null } : figures;
}

function figuresOfDay(records: readonly FactRecord[], day: number): AssetFigures {
  const known: Partial<Record<FactName, KnownFact>> = {};
  let [rank, supply, marketCap]: (number | null)[] = [null, null, null];
  for (const record of records) {
    if (record.day > day) break;
    const at = { day: record.day, load: record.load };
    if (record.rank !== undefined) [rank, known.rank] = [record.rank, at];
    if (record.supply !== undefined) [supply, known.supply] = [record.supply, at];
    if (record.day === day && record.marketCap !== undefined) [marketCap, known.marketCap] = [record.marketCap, at];
  }
  return { rank: rank ?? null, supply: supply ?? null, marketCap: marketCap ?? null, known };
}

/** Those that hold now, with since when, if that is recorded. */
export function currentFigures(figures: AssetFigures, records: readonly FactRecord[]): AssetFigures {
  const { rank, supply, known = {} } = figuresOfDay(records, Number.POSITIVE_INFINITY);
  return {
    ...figures,
    known: {
      ...(known.rank !== undefined && rank === figures.rank ? { rank: known.rank } : {}),
      ...(known.supply !== undefined && supply === figures.supply ? { supply: known.supply } : {}),
    },
  };
}

/** The fact that a column of facts is read or computed from; null for other columns. */
export function factBehind(column: string, { marketCap = null }: AssetFigures): FactName | null {
  if (column === 'rank' || column === 'supply') return column;
  return column !== 'market_cap' ? null : marketCap === null ? 'supply' : 'marketCap';
}

type FactDefinition = (days: Days, facts: AssetFigures) => Derivation;

const realOf = (value: number | null): Real | null => (value === null ? null : fromDouble(value));

export const FACT_DEFINITIONS: Readonly<Record<string, FactDefinition>> = {
  rank: (_, { rank }) => ({ inputs: [], steps: [], exact: realOf(rank) }),
  supply: (_, { supply }) => ({ inputs: [], steps: [], exact: realOf(supply) }),
  market_cap: (days, { supply, marketCap = null }) => {
    if (marketCap !== null) return { inputs: [], steps: [], exact: realOf(marketCap) };
    const known = realOf(supply);
    if (known === null) return { inputs: [0], ...NOTHING };
    return { inputs: [0], steps: [step('supply', known)], exact: multiply(days.close(0), known) };
  },
};
