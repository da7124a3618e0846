// The daily closes behind the trends of the rows in sight: one request per screenful, kept for the way back.

import { signal } from '@preact/signals';
import type { Closes as ClosesAnswer } from '../../../client/src/index.ts';
import { tidemark } from '../api.ts';
import { failureIn } from '../failure.ts';
import { dataVersion } from '../new-data.ts';

export const TREND_DAYS = 90;

export type Closes = ClosesAnswer['result'][number];

/** `version`: of the service's data when they were fetched. */
type Kept = Closes & { readonly version: number };

/** A scroll through a long table keeps the latest of them. */
const MOST_KEPT = 2000;
/** Milliseconds after the last change of what is in sight. */
const SETTLE = 80;

let known = new Map<string, Kept>();
let knownDay: string | null = null;
let timer = 0;
/** Grows with every answer. */
export const closesVersion = signal(0);

export function closesOf(symbol: string): Closes | undefined {
  return known.get(symbol);
}

/** Fetches what is missing or outdated, at most `most` assets. `asOf` is the last day; null: the latest. */
export function wantCloses(symbols: readonly string[], asOf: string | null, most: number): void {
  if (asOf !== knownDay) [known, knownDay] = [new Map(), asOf];
  const missing = symbols.filter(symbol => known.get(symbol)?.version !== dataVersion.value);
  clearTimeout(timer);
  if (missing.length > 0) timer = setTimeout(() => void load(missing.slice(0, most), asOf), SETTLE);
}

async function load(symbols: readonly string[], asOf: string | null): Promise<void> {
  const version = dataVersion.value;
  try {
    const query = { symbol: symbols.join(','), days: TREND_DAYS, as_of: asOf ?? undefined };
    const { result } = await tidemark.closes(query);
    if (asOf !== knownDay) return;
    const found = new Map(result.map(each => [each.symbol, each]));
    for (const symbol of symbols) {
      known.delete(symbol);
      known.set(symbol, { ...(found.get(symbol) ?? { symbol, last_day: '', closes: [] }), version });
    }
    for (const oldest of known.keys()) {
      if (known.size <= MOST_KEPT) break;
      known.delete(oldest);
    }
    closesVersion.value++;
  } catch (error) {
    // A table without pictures is still a table.
    failureIn(error);
  }
}
