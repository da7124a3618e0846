// All candles of a market since a period, page by page, for every way in which exchanges page.
//
// The habits met: `since` includes its period (Binance), excludes it (Kraken), or is ignored; an answer holds the oldest candles
// after `since` (Binance), those of a window of limited length, which may be empty (Coinbase), or the newest whatever `since`
// says (Kraken: 720); periods without a trade are missing. Every page therefore overlaps the one before by a period, candles are kept by
// period, an empty window is stepped over, and after the first page it is tried whether there is anything before its oldest candle.
//
// Candles leave in parts, the oldest first and none before those that precede it: whatever stops a pull, what was stored is whole up
// to its newest candle, and the next pull continues from there.

import { type BaseInterval, periodOfMillis, startOfPeriod } from '../../domain/interval.ts';
import { lengthOf } from '../../domain/period-text.ts';

/** Time in milliseconds, open, high, low, close, volume in units of the base. */
export type RawCandle = readonly (number | undefined)[];

/** Candles of about `limit` periods since `since`, and not after `until` if that is given; milliseconds. */
export type FetchPage = (since: number, until: number | null) => Promise<readonly RawCandle[]>;

export interface Candle {
  readonly period: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export interface Span {
  readonly interval: BaseInterval;
  /** The first period wanted. */
  readonly from: number;
  /** The running period, which ends the search. */
  readonly current: number;
  /** Candles that one page may hold. */
  readonly limit: number;
  /** Candles that leave together, if there are so many. */
  readonly part: number;
}

/** What was answered in place of a candle of the interval, the first of each kind as an example. */
export interface OddCandles {
  readonly kind: 'off_grid' | 'no_time' | 'no_close';
  readonly count: number;
  readonly example: RawCandle;
}

/** Parts of the candles, oldest first, one per period; in the end the odd ones, of which there is none if all is well. */
export async function* candleParts(
  fetchPage: FetchPage,
  span: Span,
): AsyncGenerator<readonly Candle[], readonly OddCandles[], undefined> {
  const { from, current, limit, part, interval } = span;
  const found = new CollectedCandles(interval, from);
  const startOf = (period: number) => millisOf(interval, period);
  let cursor = from - 1;
  let isBegun = false;
  while (cursor <= current) {
    const before = found.newest;
    found.add(await fetchPage(startOf(cursor), null));
    if (!isBegun && found.size > 0) {
      isBegun = true;
      await backwards(fetchPage, span, found, startOf);
    }
    if (found.newest >= current) break;
    cursor = found.newest > before ? found.newest : cursor + Math.max(1, limit - 1);
    if (found.size >= part) yield found.takeFinished();
  }
  const rest = found.takeAll();
  if (rest.length > 0) yield rest;
  return [...found.odd.values()];
}

async function backwards(
  fetchPage: FetchPage,
  { from, limit }: Span,
  found: CollectedCandles,
  startOf: (period: number) => number,
): Promise<void> {
  while (found.oldest > from) {
    const before = found.oldest;
    found.add(await fetchPage(startOf(Math.max(from, before - limit)), startOf(before) - 1));
    if (found.oldest >= before) return;
  }
}

/** A day or more after 1970, because no exchange reads 0 as “from the start”; the first candle anywhere is decades later. */
function millisOf(interval: BaseInterval, period: number): number {
  return Math.max(startOfPeriod(interval, period), lengthOf('1d'));
}

class CollectedCandles {
  readonly odd = new Map<OddCandles['kind'], OddCandles>();
  readonly #interval: BaseInterval;
  readonly #length: number;
  /** What has left was before it, and is not taken again. */
  #from: number;
  readonly #byPeriod = new Map<number, Candle>();
  /** Pages overlap, and an odd candle is counted once. */
  readonly #oddSeen = new Set<string>();
  oldest = Number.POSITIVE_INFINITY;
  newest: number;

  constructor(interval: BaseInterval, from: number) {
    this.#interval = interval;
    this.#length = lengthOf(interval);
    this.#from = from;
    this.newest = from - 1;
  }

  get size(): number {
    return this.#byPeriod.size;
  }

  add(page: readonly RawCandle[]): void {
    for (const raw of page) {
      const [time = Number.NaN, open, high, low, close, volume] = raw;
      const period = periodOfMillis(this.#interval, time);
      if (period === null) this.#countOdd('no_time', raw);
      else if (period < this.#from) continue;
      else if (time % this.#length !== 0) this.#countOdd('off_grid', raw);
      else if (close === undefined) this.#countOdd('no_close', raw);
      else this.#keep({ period, open: known(open), high: known(high), low: known(low), close, volume: known(volume) });
    }
  }

  takeAll(): Candle[] {
    const candles = [...this.#byPeriod.values()].sort((a, b) => a.period - b.period);
    this.#byPeriod.clear();
    return candles;
  }

  /** All but the newest, which the next page overlaps. */
  takeFinished(): Candle[] {
    const candles = this.takeAll();
    const last = candles.pop();
    if (last !== undefined) this.#byPeriod.set(last.period, last);
    this.#from = this.newest;
    return candles;
  }

  #keep(candle: Candle): void {
    this.#byPeriod.set(candle.period, candle);
    this.oldest = Math.min(this.oldest, candle.period);
    this.newest = Math.max(this.newest, candle.period);
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
