// The source of exchanges: daily candles of any exchange that ccxt supports, the running day included.
//
// Each market comes as one batch, so that a stop leaves an asset either untouched or complete, and a repeated pull continues from
// the last stored day. That day is pulled again, because it may have been running.

import { type Day, dayFromIso, dayOfMillis, isoFromDay, LAST_DAY } from '../../domain/day.ts';
import { batchOf } from '../bar-list.ts';
import { SYSTEM_CLOCK } from '../http-client.ts';
import { type Reject, type Since, type Source, SourceError, type SourceItem } from '../source.ts';
import { type DailyCandles, dailyCandles, type OddCandles } from './candles.ts';
import { type ExchangeOptions, MarketFailure, type OpenExchange, openExchange } from './exchange.ts';
import { type ChosenMarket, chooseMarkets, type Market } from './markets.ts';

export interface CcxtOptions extends ExchangeOptions {
  /** In order of preference; one that is not a dollar makes assets of its own, such as `ETC/BTC`. */
  readonly quotes: readonly string[];
  /** Bases (`BTC`) or markets (`BTC/EUR`); without them, every spot market against the quotes. */
  readonly symbols?: readonly string[];
  /** The first day to pull of an asset without prices; without it, all there is. */
  readonly since?: Day;
  /** Pull everything since `since` again, also what is stored. */
  readonly full?: boolean;
}

/** No exchange traded before; the first opened in March 2010. */
const FIRST_TRADE = dayFromIso('2010-01-01')!;
/** Markets that fail in a row before the exchange counts as down. */
const FAILURES_IN_A_ROW = 3;

export function ccxtSource(options: CcxtOptions): Source {
  const name = `ccxt:${options.exchange.toLowerCase()}`;
  return {
    name,
    check: async () => void (await openExchange(options)),
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
  const exchange = await openExchange(options);
  const all = await exchange.markets(signal);
  const { markets, unknown } = chooseMarkets(all, options);
  if (markets.length === 0) throw nothingChosen(exchange, all, options);
  for (const symbol of unknown)
    yield reject(origin, symbol, 'unknown_asset', `${exchange.name} has no such spot market`);

  let failures = 0;
  for (const [done, market] of markets.entries()) {
    const last = since(market.asset);
    // A market that ended before it was ever pulled is skipped unless the caller named it.
    if (market.isActive || last !== null || options.symbols !== undefined) {
      const where = `${origin} ${market.symbol}`;
      try {
        yield* marketItems(where, market, await pullMarket(exchange, market, options, last, signal), last);
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

async function pullMarket(
  exchange: OpenExchange,
  { symbol }: ChosenMarket,
  options: CcxtOptions,
  last: Day | null,
  signal: AbortSignal,
): Promise<DailyCandles> {
  const start = options.since ?? FIRST_TRADE;
  const from = options.full === true ? start : (last ?? start);
  const today = dayOfMillis((options.clock ?? SYSTEM_CLOCK).now()) ?? LAST_DAY;
  const { limit } = exchange;
  return dailyCandles(
    async (since, until) => {
      try {
        return await exchange.candles(symbol, since, until, signal);
      } catch (error) {
        // Whether there are older candles is only a question; an exchange that does not understand it has answered it.
        if (until !== null && error instanceof MarketFailure) return [];
        throw error;
      }
    },
    { from, today, limit },
  );
}

function* marketItems(
  where: string,
  { asset, isActive }: ChosenMarket,
  { candles, odd }: DailyCandles,
  last: Day | null,
): Generator<SourceItem, void, undefined> {
  const rejects = odd.map(explain);
  if (candles.length === 0) {
    const [first] = rejects;
    if (first !== undefined) throw new MarketFailure(first.reason, first.detail);
    if (isActive && last === null) throw new MarketFailure('bad_answer', 'no candle of a market that trades');
    return;
  }
  for (const one of rejects) yield { kind: 'reject', reject: { where, ...one } };
  const bars = candles.map((candle, index) => ({ ...candle, asset, line: index + 1 }));
  yield { kind: 'bars', batch: batchOf(where, bars) };
}

function explain({ kind, count, example }: OddCandles): Omit<Reject, 'where'> {
  const [time = Number.NaN] = example;
  const others = count > 1 ? ` (and ${count - 1} others)` : '';
  switch (kind) {
    case 'not_utc': {
      const start = new Date(time).toISOString();
      return { reason: 'bad_day', detail: `the candle of ${start}${others} does not begin at midnight UTC` };
    }
    case 'no_time':
      return { reason: 'bad_day', detail: `expected a candle with a time, got ${JSON.stringify(example)}${others}` };
    case 'no_close': {
      const day = dayOfMillis(time);
      return {
        reason: 'bad_number',
        detail: `the candle of ${day === null ? time : isoFromDay(day)}${others} has no close`,
      };
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
