// Puts rows into the stored facts of one asset. Each fact is a series of its own: a day that brings a supply says nothing of the rank.

import type { FactChanges, FactRecord, FactRow } from '../port/store.ts';
import { after, type LastingFacts } from './fact-blocks.ts';

/** Of one asset, oldest first. */
export interface FactLog {
  /** What held before the first record. */
  readonly before: LastingFacts;
  readonly records: readonly FactRecord[];
}

/** `rows`: oldest first, one per day. */
export function putIntoLog(
  { before, records }: FactLog,
  rows: readonly FactRow[],
  load: number,
): FactChanges & Pick<FactLog, 'records'> {
  const counts = { inserted: 0, replaced: 0, unchanged: 0 };
  const merged: FactRecord[] = [];
  let state = before;
  for (let [i, j] = [0, 0]; i < records.length || j < rows.length; ) {
    const day = Math.min(records[i]?.day ?? Number.POSITIVE_INFINITY, rows[j]?.day ?? Number.POSITIVE_INFINITY);
    let record = records[i]?.day === day ? records[i++]! : null;
    if (rows[j]?.day === day) {
      const changed = recordOf(rows[j++]!, record, state, load);
      counts[changed.result]++;
      record = changed.record;
    }
    if (record === null) continue;
    merged.push(record);
    state = after(state, record);
  }
  return { ...counts, records: merged };
}

/** Without rows that are of the same asset and day: the later one counts, for the facts that it has. */
export function onePerDay(rows: readonly FactRow[]): FactRow[] {
  const byDay = new Map<number, FactRow>();
  for (const row of rows) byDay.set(row.day, { ...byDay.get(row.day), ...row });
  return [...byDay.values()].sort((a, b) => a.day - b.day);
}

/** What is stored of a day after a row of it; null for nothing. `state` held before the day. */
function recordOf(
  { day, rank, supply, marketCap }: FactRow,
  stored: FactRecord | null,
  state: LastingFacts,
  load: number,
): { result: keyof FactChanges; record: FactRecord | null } {
  const own: Omit<FactRecord, 'day' | 'load'> = {
    ...lasting('rank', rank === undefined ? stored?.rank : rank, state, stored),
    ...lasting('supply', supply === undefined ? stored?.supply : supply, state, stored),
    ...(marketCap === undefined && stored?.marketCap === undefined
      ? {}
      : { marketCap: marketCap ?? stored!.marketCap! }), // one of them is there
  };
  const names = ['rank', 'supply', 'marketCap'] as const;
  const differing = names.filter(name => own[name] !== stored?.[name]);
  if (differing.length === 0) return { result: 'unchanged', record: stored };
  const result = differing.some(name => stored?.[name] !== undefined) ? 'replaced' : 'inserted';
  return { result, record: Object.keys(own).length === 0 ? null : { day, load, ...own } };
}

/** A value that repeats the one before is not stored, unless it is already. */
function lasting<Name extends keyof LastingFacts>(
  name: Name,
  value: number | null | undefined,
  state: LastingFacts,
  stored: FactRecord | null,
): { readonly [N in Name]?: number | null } {
  const isRepeated = value === state[name] && value !== stored?.[name];
  return value === undefined || isRepeated ? {} : ({ [name]: value } as { readonly [N in Name]?: number | null }); // a computed name widens to string
}
