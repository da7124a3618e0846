// The source of exchanges: candles of any exchange that ccxt supports, the running period included.
//
// The days of a market come as one batch, so that a stop leaves an asset either untouched or complete. Hours and minutes come in parts, the
// oldest first. A repeated pull continues from the last stored period, and pulls that one again, because it may have been running.

import { type Day, dayFromIso, dayOfMillis, LAST_DAY } from '../../domain/day.ts';
import { type BaseInterval, LAST_PERIOD, periodOfMillis, startOfPeriod } from '../../domain/interval.ts';
import { lengthOf, periodText } from '../../domain/period-text.ts';
import { batchOf } from '../bar-list.ts';
import { SYSTEM_CLOCK } from '../http-client.ts';
import { type Reject, type Since, type Source, SourceError, type SourceItem, type StoredSpan } from '../source.ts';
import { type Candle, candleParts, type FetchPage, type OddCandles } from './candles.ts';
import { type ExchangeOptions, MarketFailure, type OpenExchange, openExchange } from './exchange.ts';
import { type ChosenMarket, chooseMarkets, type Market } from './markets.ts';

export interface CcxtOptions extends ExchangeOptions {
  /** In order of preference; one that is not a dollar makes assets of its own, such as `ETC/BTC`. */
  readonly quotes: readonly string[];
  /** Bases (`BTC`) or markets (`BTC/EUR`); without them, every spot market against the quotes. */
  readonly symbols?: readonly string[];
  /** Of the candles; without it, days. */
  readonly interval?: BaseInterval;
  /** The first day to pull of an asset without prices; without it, all there is, and of hours and minutes all that is kept. */
  readonly since?: Day;
  /** For how many days the store keeps bars of the interval; older ones are not pulled. Without it, for ever. */
  readonly keptDays?: number;
  /** Pull everything since `since` again, also what is stored. */
  readonly full?: boolean;
}

/** No exchange traded before; the first opened in March 2010. */
const FIRST_TRADE = dayFromIso('2010-01-01')!;
/** Markets that fail in a row before the exchange counts as down. */
const FAILURES_IN_A_ROW = 3;
/** Candles that are stored together: two weeks of minutes. All days of a market are fewer. */
const CANDLES_AT_ONCE = 20_000;

export function ccxtSource(options: CcxtOptions): Source {
  const name = `ccxt:${options.exchange.toLowerCase()}`;
  return {
    name,
    check: async () => void (await openExchange(options, options.interval)),
    async *profiles() {},
    bars: (since, signal) => pullBars(name, options, since, signal),
  };
}

async function* pullBars(
  origin: string,
  options: CcxtOptions,
  since: Since,
  signal: AbortSignal,
): AsyncGenerator<SourceItem, void, undefined> {
  const { interval = '1d' } = options;
  const exchange = await openExchange(options, interval);
  const all = await exchange.markets(signal);
  const { markets, unknown } = chooseMarkets(all, options);
  if (markets.length === 0) throw nothingChosen(exchange, all, options);
  for (const symbol of unknown)
    yield reject(origin, symbol, 'unknown_asset', `${exchange.name} has no such spot market`);
  const oldest = oldestKept(options);
  if (options.since !== undefined && options.since < oldest) {
    const text = `candles of ${interval} are pulled since ${periodText('1d', oldest)}: the store does not keep older ones (--retention-${interval})`;
    yield { kind: 'warning', text };
  }

  let failures = 0;
  for (const [done, market] of markets.entries()) {
    const stored = await since(market.asset, interval);
    // A market that ended before it was ever pulled is skipped unless the caller named it.
    if (market.isActive || stored !== null || options.symbols !== undefined) {
      const where = `${origin} ${market.symbol}`;
      const onShare = (share: number): SourceItem => ({
        ...{ kind: 'progress', done: done + share, total: markets.length, unit: 'assets' },
      });
      try {
        yield* marketItems(where, market, new MarketPull(exchange, market, options, signal), stored, onShare);
        failures = 0;
      } catch (error) {
        if (!(error instanceof MarketFailure)) throw error;
        yield { kind: 'reject', reject: { where, reason: error.reason, detail: error.message } };
        if (error.reason !== 'unknown_asset' && ++failures >= FAILURES_IN_A_ROW) throw down(exchange, error);
      }
      if (!market.isActive) yield { kind: 'delisted', asset: market.asset };
    }
    yield { kind: 'progress', done: done + 1, total: markets.length, unit: 'assets' };
  }
}

/** The first day that is worth pulling. */
function oldestKept({ keptDays, clock = SYSTEM_CLOCK }: CcxtOptions): number {
  const today = dayOfMillis(clock.now());
  return keptDays === undefined || today === null ? FIRST_TRADE : Math.max(FIRST_TRADE, today - keptDays + 1);
}

class MarketPull {
  readonly interval: BaseInterval;
  readonly start: number;
  readonly current: number;
  /** The first period that the store keeps. */
  readonly #oldest: number;
  readonly #exchange: OpenExchange;
  readonly #isFull: boolean;
  readonly #fetchPage: FetchPage;

  constructor(exchange: OpenExchange, { symbol }: ChosenMarket, options: CcxtOptions, signal: AbortSignal) {
    this.interval = options.interval ?? '1d';
    const periodOf = (day: number) => periodOfMillis(this.interval, startOfPeriod('1d', day)) ?? 0;
    this.#oldest = periodOf(oldestKept(options));
    this.start = Math.max(periodOf(options.since ?? FIRST_TRADE), this.#oldest);
    const { now } = options.clock ?? SYSTEM_CLOCK;
    this.current = periodOfMillis(this.interval, now()) ?? (this.interval === '1d' ? LAST_DAY : LAST_PERIOD);
    this.#exchange = exchange;
    this.#isFull = options.full === true;
    this.#fetchPage = async (since, until) => {
      try {
        return await exchange.candles(symbol, since, until, signal);
      } catch (error) {
        // Whether there are older candles is only a question; an exchange that does not understand it has answered it.
        if (until !== null && error instanceof MarketFailure) return [];
        throw error;
      }
    };
  }

  /** The first period to pull. */
  async from(stored: StoredSpan | null): Promise<number> {
    if (stored === null || this.#isFull) return this.start;
    return (await this.#lacksHead(stored)) ? this.start : Math.max(stored.last, this.#oldest);
  }

  parts(from: number): ReturnType<typeof candleParts> {
    const { interval, current } = this;
    const span = { interval, from, current, limit: this.#exchange.limit, part: CANDLES_AT_ONCE };
    return candleParts(this.#fetchPage, span);
  }

  /** Hours and minutes may have been stored by another source, such as live prices, since yesterday only: one request tells. */
  async #lacksHead({ first }: StoredSpan): Promise<boolean> {
    if (this.interval === '1d' || first <= this.start) return false;
    const startOf = (period: number) => startOfPeriod(this.interval, period);
    const since = Math.max(this.start, first - this.#exchange.limit);
    const page = await this.#fetchPage(startOf(since), startOf(first) - 1);
    return page.some(([time = Number.NaN]) => time >= startOf(this.start) && time < startOf(first));
  }
}

async function* marketItems(
  where: string,
  { asset, isActive }: ChosenMarket,
  pull: MarketPull,
  stored: StoredSpan | null,
  onShare: (share: number) => SourceItem,
): AsyncGenerator<SourceItem, void, undefined> {
  const from = await pull.from(stored);
  const parts = pull.parts(from);
  let isEmpty = true;
  let line = 0;
  for (;;) {
    const { value, done } = await parts.next();
    if (done) {
      const rejects = value.map(odd => explain(odd, pull.interval));
      const [first] = rejects;
      if (isEmpty && first !== undefined) throw new MarketFailure(first.reason, first.detail);
      if (isEmpty && isActive && stored === null) {
        throw new MarketFailure('bad_answer', 'no candle of a market that trades');
      }
      for (const one of rejects) yield { kind: 'reject', reject: { where, ...one } };
      return;
    }
    isEmpty = false;
    const bars = value.map(({ period, ...numbers }: Candle) => ({ ...numbers, day: period, asset, line: ++line }));
    yield { kind: 'bars', batch: batchOf(where, bars, pull.interval) };
    const newest = value.at(-1)!.period;
    if (newest < pull.current) yield onShare((newest - from + 1) / (pull.current - from + 1));
  }
}

function explain({ kind, count, example }: OddCandles, interval: BaseInterval): Omit<Reject, 'where'> {
  const [time = Number.NaN] = example;
  const others = count > 1 ? ` (and ${count - 1} others)` : '';
  switch (kind) {
    case 'off_grid': {
      const start = new Date(time).toISOString();
      const right = { '1d': 'midnight UTC', '1h': 'the start of an hour', '1m': 'the start of a minute' }[interval];
      return {
        reason: interval === '1d' ? 'bad_day' : 'off_grid',
        detail: `the candle of ${start}${others} does not begin at ${right}`,
      };
    }
    case 'no_time':
      return { reason: 'bad_day', detail: `expected a candle with a time, got ${JSON.stringify(example)}${others}` };
    case 'no_close': {
      const period = Math.floor(time / lengthOf(interval));
      return { reason: 'bad_number', detail: `the candle of ${periodText(interval, period)}${others} has no close` };
    }
  }
}

function reject(origin: string, symbol: string, reason: Reject['reason'], detail: string): SourceItem {
  return { kind: 'reject', reject: { where: `${origin} ${symbol}`, reason, detail } };
}

function down(exchange: OpenExchange, error: MarketFailure): SourceError {
  return new SourceError(
    `${exchange.name} fails for ${FAILURES_IN_A_ROW} markets in a row: ${error.message}`,
    'try again later; repeating the command goes on from there',
  );
}

function nothingChosen(exchange: OpenExchange, all: readonly Market[], options: CcxtOptions): SourceError {
  const counts = new Map<string, number>();
  for (const { spot, quote } of all) if (spot) counts.set(quote, (counts.get(quote) ?? 0) + 1);
  const common = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 8);
  const wanted = options.symbols ?? options.quotes;
  return new SourceError(
    `${exchange.name} has no spot market for ${wanted.join(', ')}`,
    `the quotes it has most markets in are ${common.map(([quote]) => quote).join(', ')}`,
  );
}
