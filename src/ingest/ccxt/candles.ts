// All daily candles of a market since a day, page by page, for every way in which exchanges page.
//
// The habits met: `since` includes its day (Binance), excludes it (Kraken), or is ignored; an answer holds the oldest candles
// after `since` (Binance), those of a window of limited length, which may be empty (Coinbase), or the newest whatever `since`
// says (Kraken: 720); days without a trade are missing. Every page therefore overlaps the one before by a day, candles are kept by
// day, an empty window is stepped over, and once at the end it is tried whether there is anything before the oldest candle.

import type { Bar } from '../../domain/bar.ts';
import { type Day, dayOfMillis, MILLIS_PER_DAY } from '../../domain/day.ts';

/** Time in milliseconds, open, high, low, close, volume in units of the base. */
export type RawCandle = readonly (number | undefined)[];

/** Candles of about `limit` days since `since`, and not after `until` if that is given; milliseconds. */
export type FetchPage = (since: number, until: number | null) => Promise<readonly RawCandle[]>;

export interface Span {
  /** The first day wanted. */
  readonly from: Day;
  /** The running day, which ends the search. */
  readonly today: Day;
  /** Candles that one page may hold. */
  readonly limit: number;
}

export interface DailyCandles {
  /** Oldest first, one per day. */
  readonly candles: readonly Bar[];
  /** What was answered in place of a candle of a UTC day, the first of each kind as an example. */
  readonly odd: readonly OddCandles[];
}

export interface OddCandles {
  readonly kind: 'not_utc' | 'no_time' | 'no_close';
  readonly count: number;
  readonly example: RawCandle;
}

export async function dailyCandles(fetchPage: FetchPage, span: Span): Promise<DailyCandles> {
  const found = new CollectedCandles(span.from);
  await forwards(fetchPage, span, found);
  await backwards(fetchPage, span, found);
  return { candles: found.sorted(), odd: [...found.odd.values()] };
}

async function forwards(fetchPage: FetchPage, { from, today, limit }: Span, found: CollectedCandles): Promise<void> {
  let cursor = from - 1;
  while (cursor <= today) {
    const before = found.newest;
    found.add(await fetchPage(millisOf(cursor), null));
    if (found.newest >= today) return;
    cursor = found.newest > before ? found.newest : cursor + Math.max(1, limit - 1);
  }
}

async function backwards(fetchPage: FetchPage, { from, limit }: Span, found: CollectedCandles): Promise<void> {
  while (found.oldest > from && found.oldest !== Number.POSITIVE_INFINITY) {
    const before = found.oldest;
    found.add(await fetchPage(millisOf(Math.max(from, before - limit)), millisOf(before) - 1));
    if (found.oldest >= before) return;
  }
}

/** At least 1, because no exchange reads 0 as “from the start”; the first candle anywhere is decades later. */
function millisOf(day: number): number {
  return Math.max(day, 1) * MILLIS_PER_DAY;
}

class CollectedCandles {
  readonly odd = new Map<OddCandles['kind'], OddCandles>();
  readonly #from: Day;
  readonly #byDay = new Map<Day, Bar>();
  /** Pages overlap, and an odd candle is counted once. */
  readonly #oddSeen = new Set<string>();
  oldest = Number.POSITIVE_INFINITY;
  newest: number;

  constructor(from: Day) {
    this.#from = from;
    this.newest = from - 1;
  }

  add(page: readonly RawCandle[]): void {
    for (const raw of page) {
      const [time = Number.NaN, open, high, low, close, volume] = raw;
      const day = dayOfMillis(time);
      if (day === null) this.#countOdd('no_time', raw);
      else if (day < this.#from) continue;
      else if (time % MILLIS_PER_DAY !== 0) this.#countOdd('not_utc', raw);
      else if (close === undefined) this.#countOdd('no_close', raw);
      else this.#keep({ day, open: known(open), high: known(high), low: known(low), close, volume: known(volume) });
    }
  }

  sorted(): Bar[] {
    return [...this.#byDay.values()].sort((a, b) => a.day - b.day);
  }

  #keep(candle: Bar): void {
    this.#byDay.set(candle.day, candle);
    this.oldest = Math.min(this.oldest, candle.day);
    this.newest = Math.max(this.newest, candle.day);
  }

  #countOdd(kind: OddCandles['kind'], example: RawCandle): void {
    const identity = `${kind} ${example[0]}`;
    if (this.#oddSeen.has(identity)) return;
    this.#oddSeen.add(identity);
    const before = this.odd.get(kind) ?? { kind, count: 0, example };
    this.odd.set(kind, { ...before, count: before.count + 1 });
  }
}

function known(value: number | undefined): number {
  return value ?? Number.NaN;
}
