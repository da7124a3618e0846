// Follows live prices: loads the daily candles first, then writes the running day's closes in batches, and closes each day from the
// exchange's daily candles. If minutes are wanted, it does the same with them: the minutes of the ticks are replaced by the exchange's
// candles once per day. One process per store does this, whichever exchanges it follows.

import { setTimeout as wait } from 'node:timers/promises';
import { barColumns } from '../../domain/bar.ts';
import { type Day, dayOfMillis, MILLIS_PER_DAY } from '../../domain/day.ts';
import { recomputePending } from '../../publish/publish-pending.ts';
import type { BarChanges, LoadOutcome, Store, StoredBars } from '../../store/store.ts';
import { AssetRegistry } from '../asset-registry.ts';
import { ccxtSource } from '../ccxt/ccxt-source.ts';
import { type ExchangeOptions, openExchange } from '../ccxt/exchange.ts';
import { type ChosenMarket, chooseMarkets } from '../ccxt/markets.ts';
import { type HttpClock, SYSTEM_CLOCK } from '../http-client.ts';
import { closeAbandonedLoads, isLive, StoreBusyError } from '../only-writer.ts';
import { load } from '../pipeline.ts';
import { dropWhenFree, type Retention } from '../retention.ts';
import { type AssetRef, SourceError } from '../source.ts';
import { SourceRoutes } from '../source-routes.ts';
import { lastBeforeGap } from './last-before-gap.ts';
import { followTickers } from './live-exchange.ts';
import { MinuteBook, type TickMinute } from './minute-book.ts';
import { type NewPrice, type Tick, TickBook } from './tick-book.ts';

export interface LiveOptions {
  readonly store: Store;
  /** The first one that has an asset gives its price. */
  readonly exchanges: readonly ExchangeOptions[];
  /** In order of preference. */
  readonly quotes: readonly string[];
  /** Bases (`BTC`) or markets (`BTC/EUR`); without them, every spot market against the quotes. */
  readonly symbols?: readonly string[];
  /** The first day to pull of an asset without prices; without it, all there is. */
  readonly since?: Day;
  /** Keep bars of a minute, too. */
  readonly minutes?: boolean;
  /** What is older than this is dropped once per hour; without it, nothing. */
  readonly retention?: Retention;
  readonly everyMs: number;
  readonly signal: AbortSignal;
  readonly clock?: HttpClock;
  readonly onNote?: (text: string) => void;
}

export interface LiveSummary extends LoadOutcome {
  readonly load: number;
  readonly outOfOrder: number;
}

/** Another process follows live prices into the same store. */
export class LiveBusyError extends Error {
  override readonly name = 'LiveBusyError';
  readonly hint = 'One process per store does it. It frees the store when it ends, also when it is killed.';

  constructor(description: string) {
    super(`another process follows live prices into ${description}`);
  }
}

/** The daily candle of a day is final some seconds after the day. */
const CANDLE_DELAY_MS = 60_000;
const CANDLE_RETRY_MS = 5 * 60_000;
/** Without a stored batch for this long, a note says so. */
const BEHIND_MS = 30_000;
const SAVE_MS = 10_000;
const LOCK_AGAIN_MS = 500;
const RETENTION_MS = 3_600_000;
const MINUTES_PER_DAY = 1440;

/** Follows prices until the signal is aborted; fails if it cannot begin. */
export async function followPrices(options: LiveOptions): Promise<LiveSummary> {
  const { store } = options;
  // Another load may be trying whether there is a process that follows prices.
  await using lock = (await store.lock('live')) ?? (await wait(LOCK_AGAIN_MS).then(() => store.lock('live')));
  if (lock === null) throw new LiveBusyError(store.description);
  await closeAbandonedLoads(store, isLive);
  return await new LiveLoad({ ...options, signal: AbortSignal.any([options.signal, lock.lost]) }).run();
}

/** The tickers of all exchanges, while they are followed. */
interface Following {
  /** Aborted with the reason if the tickers cannot be followed, and when the load is to end. */
  readonly over: AbortSignal;
  stop(): Promise<void>;
}

interface Followed extends ChosenMarket {
  readonly exchange: ExchangeOptions;
}

class LiveLoad {
  readonly #options: LiveOptions;
  readonly #clock: HttpClock;
  readonly #label: string;
  readonly #book = new TickBook();
  readonly #minutes: MinuteBook | null;
  readonly #changes = { inserted: 0, replaced: 0, unchanged: 0 };
  #followed = new Map<string, Followed>();
  #registry: AssetRegistry | null = null;
  #version = -1;
  #load = 0;
  #savedAt = 0;
  #storedAt: number;
  #droppedAt: number;
  #isBehind = false;
  #tickAt: number | null = null;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    this.#label = `live ${options.exchanges.map(({ exchange }) => exchange.toLowerCase()).join(',')}`;
    this.#storedAt = this.#clock.now();
    this.#droppedAt = this.#clock.now();
    this.#minutes = options.minutes === true ? new MinuteBook() : null;
  }

  async run(): Promise<LiveSummary> {
    const { store, signal } = this.#options;
    await this.#chooseMarkets();
    this.#load = await store.beginLoad(this.#label);
    let state: 'stopped' | 'failed' = 'failed';
    let error: string | null = null;
    try {
      await this.#loop();
      state = 'stopped';
    } catch (failure) {
      error = failure instanceof Error ? failure.message : String(failure);
      throw failure;
    } finally {
      // A store that failed cannot take the record of it.
      await this.#save(signal.aborted ? 'stopped' : state, error).catch(() => {});
    }
    return { ...this.#outcome(state, error), load: this.#load, outOfOrder: this.#book.counts.outOfOrder };
  }

  async #loop(): Promise<void> {
    const { signal, everyMs } = this.#options;
    let day = this.#today();
    let following = this.#follow();
    let candlesAt = this.#clock.now();
    try {
      while (!signal.aborted) {
        await this.#clock.sleep(everyMs, following.over).catch(() => {});
        if (signal.aborted) break;
        following.over.throwIfAborted();
        if (this.#today() !== day) {
          day = this.#today();
          candlesAt = Math.max(candlesAt, day * MILLIS_PER_DAY + CANDLE_DELAY_MS);
        } else if (this.#clock.now() >= candlesAt && candlesAt > 0) {
          candlesAt = (await this.#loadCandles()) ? 0 : this.#clock.now() + CANDLE_RETRY_MS;
          // Markets may have appeared and vanished; if the exchange does not say so now, it is asked tomorrow.
          if (candlesAt === 0 && (await this.#chooseMarkets().catch(() => false))) {
            await following.stop();
            following = this.#follow();
          }
        }
        await this.#storeBatch(day);
        await this.#dropOld();
      }
    } finally {
      await following.stop();
    }
    await this.#storeBatch(day);
  }

  /** Returns whether they differ from those that are followed. */
  async #chooseMarkets(): Promise<boolean> {
    const { exchanges, quotes, symbols, signal } = this.#options;
    const followed = new Map<string, Followed>();
    const assets = new Set<string>();
    for (const exchange of exchanges) {
      const all = await (await openExchange(exchange, this.#minutes === null ? '1d' : '1m')).markets(signal);
      for (const market of chooseMarkets(all, { quotes, ...(symbols === undefined ? {} : { symbols }) }).markets) {
        if (!market.isActive || assets.has(market.asset.symbol)) continue;
        assets.add(market.asset.symbol);
        followed.set(nameOf(exchange, market.symbol), { ...market, exchange });
      }
    }
    if (followed.size === 0) {
      const wanted = (symbols ?? quotes).join(', ');
      throw new SourceError(`${this.#label} has no spot market for ${wanted}`, 'name other quotes or symbols');
    }
    const same = followed.size === this.#followed.size && [...followed.keys()].every(name => this.#followed.has(name));
    this.#followed = followed;
    this.#book.keepOnly(new Set(followed.keys()));
    this.#minutes?.keepOnly(new Set(followed.keys()));
    return !same;
  }

  #follow(): Following {
    const { exchanges, everyMs, onNote } = this.#options;
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, this.#options.signal]);
    const running = exchanges.map(exchange => {
      const markets = [...this.#followed.values()].filter(each => each.exchange === exchange).map(each => each.symbol);
      return followTickers(
        {
          ...exchange,
          markets,
          pollMs: everyMs,
          onTick: (market, tick) => this.#take(nameOf(exchange, market), tick),
          onTrouble: reason => onNote?.(`${exchange.exchange}: ${reason}; trying again`),
        },
        signal,
      );
    });
    const failed = new AbortController();
    Promise.all(running).catch(error => failed.abort(error));
    return {
      over: AbortSignal.any([failed.signal, this.#options.signal]),
      stop: async () => {
        stop.abort();
        await Promise.allSettled(running);
      },
    };
  }

  #take(market: string, tick: Tick): void {
    const now = this.#clock.now();
    if (!this.#book.take(market, tick, now)) return;
    this.#minutes?.take(market, tick.timestamp ?? now, tick.price!, now); // a tick that was accepted has a price
  }

  /** Of each asset from its last stored day, and at least from yesterday, which may not have been closed. */
  async #loadCandles(): Promise<boolean> {
    const { exchanges, since, onNote } = this.#options;
    const yesterday = (this.#today() - 1) as Day; // far from the first day of the calendar
    for (const exchange of exchanges) {
      try {
        await this.#loadFrom(exchange, '1d', yesterday, since);
        if (this.#minutes !== null) await this.#loadFrom(exchange, '1m', yesterday * MINUTES_PER_DAY, yesterday);
      } catch (error) {
        if (!(error instanceof SourceError || error instanceof StoreBusyError)) throw error;
        onNote?.(`the candles cannot be loaded now: ${error.message}; trying again in 5 minutes`);
        return false;
      }
    }
    return true;
  }

  /** `from` is the period from which on at least they are pulled, also those that are stored; `since` the first day of others. */
  async #loadFrom(
    exchange: ExchangeOptions,
    interval: '1m' | '1d',
    from: number,
    since: Day | undefined,
  ): Promise<void> {
    const { store, quotes, signal } = this.#options;
    const own = [...this.#followed.values()].filter(each => each.exchange === exchange);
    const source = ccxtSource({
      ...exchange,
      quotes,
      interval,
      symbols: own.map(each => each.symbol),
      ...(since === undefined ? {} : { since }),
    });
    const registry = interval === '1d' ? await AssetRegistry.load(store) : null;
    const bars: typeof source.bars = (stored, ended) =>
      source.bars(async (ref, ofInterval) => {
        const span = await stored(ref, ofInterval);
        if (span === null) return null;
        const last = Math.min(span.last, from);
        const asset = registry?.find(ref);
        const whole = !asset ? last : await lastBeforeGap(store, asset.assetNumber, span.first, last);
        return { first: Math.min(span.first, from), last: whole };
      }, ended);
    const label = interval === '1d' ? {} : { label: `${source.name} ${interval}` };
    const now = () => this.#clock.now();
    await load({ store, source: { ...source, bars }, ...label, today: this.#today(), now, signal });
  }

  async #dropOld(): Promise<void> {
    const { store, retention, onNote } = this.#options;
    if (retention === undefined || this.#clock.now() - this.#droppedAt < RETENTION_MS) return;
    this.#droppedAt = this.#clock.now();
    for (const { interval, bars } of await dropWhenFree(store, retention)) {
      onNote?.(`dropped ${bars} bars of ${interval} that are older than --retention-${interval}`);
    }
  }

  async #storeBatch(today: Day): Promise<void> {
    // Before its price is published: servers that see the publication know where it comes from.
    await this.#noteTick();
    const [prices, minutes] = [this.#book.drain(today), this.#minutes?.drain() ?? []];
    if (prices.length + minutes.length > 0 && !(await this.#write(prices, minutes))) {
      this.#book.giveBack(prices);
      this.#minutes?.giveBack(minutes);
    } else this.#storedAt = this.#clock.now();
    this.#noteDelay();
    if (this.#clock.now() - this.#savedAt >= SAVE_MS) await this.#save('running', null);
  }

  /** False while another process loads. */
  async #write(prices: readonly NewPrice[], minutes: readonly TickMinute[]): Promise<boolean> {
    const { store } = this.#options;
    await using lock = await store.lock('load');
    if (lock === null) return false;
    // Another load may have renamed or created assets.
    if (this.#registry === null || (await store.version()) !== this.#version) {
      this.#registry = await AssetRegistry.load(store);
    }
    const refs = prices.map(({ market }) => this.#followed.get(market)!.asset); // the book holds followed markets only
    const bars = await numberedBars(this.#registry, refs);
    await this.#registry.relistTraded(refs.map((ref, i) => [ref, prices[i]!.day] as const));
    // What a ticker does not tell of the day is NaN: it leaves the numbers of the candle as they are.
    for (const [i, { day, price }] of prices.entries()) [bars.day[i], bars.close[i]] = [day, price];
    const ofMinutes = await numberedBars(
      this.#registry,
      minutes.map(({ market }) => this.#followed.get(market)!.asset),
    ); // as above
    for (const [i, { minute, open, high, low, close }] of minutes.entries()) {
      ofMinutes.day[i] = minute;
      [ofMinutes.open[i], ofMinutes.high[i], ofMinutes.low[i], ofMinutes.close[i]] = [open, high, low, close];
    }
    if (lock.lost.aborted) return false;
    await this.#put('1m', ofMinutes, minutes);
    await this.#put('1d', bars, prices);
    this.#version = (await recomputePending(store)).version;
    return true;
  }

  /** Each bar is of the market at its place. Those of each exchange are the bars of the source of this name. */
  async #put(interval: '1m' | '1d', bars: StoredBars, markets: readonly { readonly market: string }[]): Promise<void> {
    const nameAt = (i: number) => this.#followed.get(markets[i]!.market)!.exchange.exchange.toLowerCase(); // as above
    for (const [name, places] of Map.groupBy(markets.keys(), nameAt)) {
      const own = places.length === bars.count ? bars : someOf(bars, places);
      this.#count(await SourceRoutes.put(this.#options.store, name, interval, own, this.#load));
    }
  }

  async #noteTick(): Promise<void> {
    const { newestAt } = this.#book;
    if (newestAt === null || newestAt === this.#tickAt) return;
    await this.#options.store.recordTick(this.#label, newestAt);
    this.#tickAt = newestAt;
  }

  #noteDelay(): void {
    const { onNote } = this.#options;
    const seconds = Math.round((this.#clock.now() - this.#storedAt) / 1000);
    const isBehind = seconds * 1000 >= BEHIND_MS;
    if (isBehind && !this.#isBehind) onNote?.(`behind by ${seconds} s: another load is writing`);
    if (!isBehind && this.#isBehind) onNote?.('caught up');
    this.#isBehind = isBehind;
  }

  #count({ inserted, replaced, unchanged }: BarChanges): void {
    this.#changes.inserted += inserted;
    this.#changes.replaced += replaced;
    this.#changes.unchanged += unchanged;
  }

  #outcome(state: LoadOutcome['state'], error: string | null): LoadOutcome {
    const { accepted, refused } = this.#book.counts;
    return { ...this.#changes, state, error, read: accepted + refused, rejected: refused };
  }

  async #save(state: LoadOutcome['state'], error: string | null): Promise<void> {
    this.#savedAt = this.#clock.now();
    await this.#options.store.updateLoad(this.#load, this.#outcome(state, error));
  }

  #today(): Day {
    const day = dayOfMillis(this.#clock.now());
    if (day === null) throw new SourceError('the clock of this machine is out of range', 'Set it, then repeat.');
    return day;
  }
}

/** Bars of these assets, still without numbers. */
async function numberedBars(registry: AssetRegistry, refs: readonly AssetRef[]) {
  const assetNumber = Uint32Array.from(await registry.numbersOf(refs));
  return { ...barColumns(refs.length), count: refs.length, assetNumber };
}

function someOf(bars: StoredBars, places: readonly number[]): StoredBars {
  const pick = (numbers: Float64Array) => Float64Array.from(places, i => numbers[i]!);
  return {
    count: places.length,
    assetNumber: Uint32Array.from(places, i => bars.assetNumber[i]!),
    day: Int32Array.from(places, i => bars.day[i]!),
    ...{ open: pick(bars.open), high: pick(bars.high), low: pick(bars.low), close: pick(bars.close) },
    volume: pick(bars.volume),
  };
}

function nameOf({ exchange }: ExchangeOptions, market: string): string {
  return `${exchange} ${market}`;
}
