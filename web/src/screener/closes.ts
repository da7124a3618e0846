// The closes behind the trends of the rows in sight: one request per screenful, kept for the way back.

import { signal } from '@preact/signals';
import type { Closes as ClosesAnswer } from '../../../client/src/index.ts';
import { tidemark } from '../api.ts';
import { failureIn } from '../failure.ts';
import { intervalParam } from '../interval.ts';
import { dataVersion } from '../new-data.ts';
import { quoteParam, shownQuote } from '../quote.ts';
import type { View } from './view.ts';

/** Periods. */
export const TREND_LENGTH = 90;

export type Closes = ClosesAnswer['result'][number];

/** `version`: of the service's data when they were fetched. */
type Kept = Closes & { readonly version: number };

/** A scroll through a long table keeps the latest of them. */
const MOST_KEPT = 2000;
/** Milliseconds after the last change of what is in sight. */
const SETTLE = 80;

let known = new Map<string, Kept>();
/** The day and interval of those that are known. */
let knownAt = '';
let timer = 0;
/** Grows with every answer. */
export const closesVersion = signal(0);

export function closesOf(symbol: string): Closes | undefined {
  return known.get(symbol);
}

/** What the closes depend on besides the assets. */
export type ClosesAt = Pick<View, 'asOf' | 'interval'>;

function nameOf({ asOf, interval }: ClosesAt): string {
  return `${interval} ${asOf} ${shownQuote.value}`;
}

/** Fetches what is missing or outdated, at most `most` assets. */
export function wantCloses(symbols: readonly string[], at: ClosesAt, most: number): void {
  if (nameOf(at) !== knownAt) [known, knownAt] = [new Map(), nameOf(at)];
  const missing = symbols.filter(symbol => known.get(symbol)?.version !== dataVersion.value);
  clearTimeout(timer);
  if (missing.length > 0) timer = setTimeout(() => void load(missing.slice(0, most), at), SETTLE);
}

async function load(symbols: readonly string[], at: ClosesAt): Promise<void> {
  const version = dataVersion.value;
  try {
    const result = await closesAt(symbols, at);
    if (nameOf(at) !== knownAt) return;
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

async function closesAt(symbols: readonly string[], { asOf, interval }: ClosesAt): Promise<readonly Closes[]> {
  const query = {
    symbol: symbols.join(','),
    days: TREND_LENGTH,
    as_of: asOf ?? undefined,
    interval: intervalParam(interval),
    quote: quoteParam(),
  };
  return (await tidemark.closes(query)).result;
}
