// The source CoinPaprika: assets with their ranks, profiles, closes and latest prices.
//
// Two lists cost one request each: `/coins` (what exists and what is inactive) and `/tickers` (ranks and prices now, of up to
// 2,000 assets without a key). A profile and the closes of past days cost one request for each asset, so they are pulled for
// the best-ranked only (`details`).
//
// The price in `/tickers` is the close so far of the running day. It becomes final when the same day's candle is pulled on the
// next day; assets beyond `details` keep the last price that was seen that day.

import { type Day, dayOfMillis, LAST_DAY } from '../../domain/day.ts';
import { batchOf } from '../bar-list.ts';
import { type HttpClientOptions, SYSTEM_CLOCK } from '../http-client.ts';
import { profileItem } from '../profiles/profiles-source.ts';
import type { AssetRef, Reject, Since, Source, SourceItem } from '../source.ts';
import { type Coin, checkList, readCoin, readTicker, type Ticker } from './answers.ts';
import { type Api, coinpaprikaApi, FREE_URL, PAID_URL, Refusal } from './api.ts';
import { freeCloses, type PullCloses, paidCloses } from './closes.ts';

export interface CoinpaprikaOptions {
  /** Without one, the free plan. */
  readonly apiKey?: string;
  readonly baseUrl?: string;
  /** Ids such as `btc-bitcoin`; without them the best-ranked. */
  readonly assets?: readonly string[];
  /** How many of the best-ranked; 2,000 is all that the free plan gives. */
  readonly limit?: number;
  /** For how many of these a profile and closes are pulled: by default 100, and all with a key or with named assets. */
  readonly details?: number;
  /** The oldest day to pull of an asset without prices, with a key: by default a year ago. */
  readonly since?: Day;
  /** Profiles that need not be pulled again, so that a load that ran out of quota goes on where it stopped. */
  readonly hasProfile?: (id: string) => boolean;
  readonly http?: HttpClientOptions;
}

export function coinpaprikaSource(options: CoinpaprikaOptions = {}): Source {
  return new CoinpaprikaSource(options);
}

interface Lists {
  readonly coins: ReadonlyMap<string, Coin>;
  readonly chosen: readonly Ticker[];
  readonly rejects: readonly Reject[];
}

class CoinpaprikaSource implements Source {
  readonly name = 'coinpaprika';
  readonly #options: CoinpaprikaOptions;
  readonly #apiKey: string | null;
  readonly #api: Api;
  readonly #now: () => number;
  /** Kept from the first pass of a load for the second: profiles may use up a quota, prices must not suffer from it. */
  #kept: Lists | null = null;

  constructor(options: CoinpaprikaOptions) {
    this.#options = options;
    this.#apiKey = options.apiKey?.trim() || null;
    const baseUrl = options.baseUrl ?? (this.#apiKey === null ? FREE_URL : PAID_URL);
    const { http } = options;
    this.#api = coinpaprikaApi({ apiKey: this.#apiKey, baseUrl, ...(http === undefined ? {} : { http }) });
    this.#now = http?.clock?.now ?? SYSTEM_CLOCK.now;
  }

  async *profiles(signal: AbortSignal): AsyncGenerator<SourceItem, void, undefined> {
    const lists = await this.#pullLists(signal);
    const { coins, chosen } = lists;
    this.#kept = { ...lists, rejects: [] };
    for (const reject of lists.rejects) yield { kind: 'reject', reject };
    for (const { id, symbol, name, rank, supply } of chosen) {
      yield { kind: 'asset', asset: { id, symbol, name, rank, type: coins.get(id)?.type ?? null, supply } };
    }
    for (const { id, symbol, isActive } of coins.values()) {
      if (!isActive) yield { kind: 'delisted', asset: { id, symbol } };
    }
    yield* this.#pullProfiles(this.#detailed(chosen), signal);
  }

  async *#pullProfiles(chosen: readonly Ticker[], signal: AbortSignal): AsyncGenerator<SourceItem, void, undefined> {
    const wanted = chosen.filter(({ id }) => this.#options.hasProfile?.(id) !== true);
    for (const [done, { id }] of wanted.entries()) {
      const path = `/coins/${encodeURIComponent(id)}`;
      const where = this.#api.url(path);
      try {
        const answer = await this.#api.ask(path, signal);
        if (answer.kind === 'answer') yield profileItem(where, answer.body);
        else if (answer.kind === 'failed') yield refuse(where, 'bad_answer', answer.detail);
        else yield refuse(where, 'unknown_asset', 'CoinPaprika has no profile of it');
      } catch (error) {
        // Prices matter more than profiles: they come next, from the list that is already here.
        if (!(error instanceof Refusal)) throw error;
        yield refuse(where, 'refused', `${error.message}; ${wanted.length - done} profiles are still missing`);
        return;
      }
      yield { kind: 'progress', done: done + 1, total: wanted.length, unit: 'assets' };
    }
  }

  async *bars(since: Since, signal: AbortSignal): AsyncGenerator<SourceItem, void, undefined> {
    const { chosen, rejects } = this.#kept ?? (await this.#pullLists(signal));
    this.#kept = null;
    for (const reject of rejects) yield { kind: 'reject', reject };
    const refs = new Map(chosen.map(({ id, symbol }) => [id, { id, symbol }] as const));
    const refOf = (ticker: Ticker): AssetRef => refs.get(ticker.id) ?? ticker;
    const prices = new Set(chosen);
    yield* this.#pullCloses(this.#detailed(chosen), refOf, since, prices, signal);
    const latest = [...prices].map(ticker => ({
      ...unknownRange,
      ...ticker,
      asset: refOf(ticker),
      close: ticker.price,
    }));
    if (latest.length > 0) yield { kind: 'bars', batch: batchOf(this.#api.url('/tickers'), latest) };
  }

  /** Candles of past days; takes from `prices` what must not follow them. First, so that a stop leaves the day open. */
  async *#pullCloses(
    detailed: readonly Ticker[],
    refOf: (ticker: Ticker) => AssetRef,
    since: Since,
    prices: Set<Ticker>,
    signal: AbortSignal,
  ): AsyncGenerator<SourceItem, void, undefined> {
    const today = dayOfMillis(this.#now()) ?? LAST_DAY;
    const yesterday = (today - 1) as Day; // Today is far from the first day of the calendar.
    const pull = orNothing(
      this.#apiKey === null ? freeCloses(this.#api) : paidCloses(this.#api),
      this.#api.url('/coins'),
    );
    const from = this.#options.since ?? null;
    for (const [done, ticker] of detailed.entries()) {
      const asset = refOf(ticker);
      const stored = await since(asset, '1d');
      const last = stored === null ? null : (stored.last as Day); // a period of 1d
      if (last === null || last < today) {
        const { bars, rejects, origin } = await pull({ asset, id: ticker.id, last, yesterday, from }, signal);
        for (const reject of rejects) yield { kind: 'reject', reject };
        if (bars.length > 0) yield { kind: 'bars', batch: batchOf(origin, bars) };
        const covered = bars.some(bar => bar.day >= ticker.day);
        // Once a price of today is stored, the next load would not ask for yesterday's candle, which comes some time after midnight.
        const tooEarly = last === yesterday && !bars.some(bar => bar.day === yesterday);
        if (covered || tooEarly) prices.delete(ticker);
      }
      yield { kind: 'progress', done: done + 1, total: detailed.length, unit: 'assets' };
    }
  }

  /** The best-ranked first, as chosen. */
  #detailed(chosen: readonly Ticker[]): readonly Ticker[] {
    const all = this.#apiKey !== null || this.#options.assets !== undefined;
    return chosen.slice(0, this.#options.details ?? (all ? chosen.length : 100));
  }

  async #pullLists(signal: AbortSignal): Promise<Lists> {
    const named = this.#options.assets?.map(id => id.toLowerCase());
    const isWanted = (id: string) => named === undefined || named.includes(id);
    const coins = checkList(await this.#api.list('/coins', signal), this.#api.url('/coins'), readCoin);
    const tickers = checkList(
      await this.#api.list('/tickers', signal),
      this.#api.url('/tickers'),
      readTicker,
      isWanted,
    );
    const byId = new Map(coins.records.map(coin => [coin.id, coin] as const));
    const { chosen, rejects } = await this.#choose(tickers.records, byId, signal);
    return { coins: byId, chosen, rejects: [...coins.rejects, ...tickers.rejects, ...rejects] };
  }

  async #choose(
    tickers: readonly Ticker[],
    coins: ReadonlyMap<string, Coin>,
    signal: AbortSignal,
  ): Promise<{ chosen: Ticker[]; rejects: Reject[] }> {
    const { assets, limit = 2000 } = this.#options;
    const byRank = (a: Ticker, b: Ticker) => (a.rank ?? Number.MAX_VALUE) - (b.rank ?? Number.MAX_VALUE);
    if (assets === undefined) return { chosen: [...tickers].sort(byRank).slice(0, limit), rejects: [] };
    const listed = new Map(tickers.map(ticker => [ticker.id, ticker] as const));
    const chosen: Ticker[] = [];
    const rejects: Reject[] = [];
    for (const id of new Set(assets.map(name => name.toLowerCase()))) {
      const ticker = listed.get(id) ?? (await this.#askTicker(id, coins.get(id), signal));
      if ('price' in ticker) chosen.push(ticker);
      else if (coins.get(id)?.isActive !== false) rejects.push(ticker);
    }
    return { chosen: chosen.sort(byRank), rejects };
  }

  /** An asset that was named but is not among those that the list of prices holds. */
  async #askTicker(id: string, coin: Coin | undefined, signal: AbortSignal): Promise<Ticker | Reject> {
    const path = `/tickers/${encodeURIComponent(id)}`;
    const where = this.#api.url(path);
    if (coin === undefined)
      return { where, reason: 'unknown_asset', detail: `expected an id such as btc-bitcoin, got ${id}` };
    const answer = await this.#api.ask(path, signal);
    if (answer.kind === 'unknown') return { where, reason: 'unknown_asset', detail: 'CoinPaprika has no price of it' };
    if (answer.kind === 'failed') return { where, reason: 'bad_answer', detail: answer.detail };
    const ticker = readTicker(answer.body, 1);
    return 'reason' in ticker ? { where, ...ticker } : ticker;
  }
}

/** A latest price comes without the day's range, and its volume is in dollars. */
const unknownRange = { open: Number.NaN, high: Number.NaN, low: Number.NaN, volume: Number.NaN };

function refuse(where: string, reason: Reject['reason'], detail: string): SourceItem {
  return { kind: 'reject', reject: { where, reason, detail } };
}

/** After the provider's first refusal there is nothing more to get, and no sense in asking. */
function orNothing(pull: PullCloses, origin: string): PullCloses {
  let refused = false;
  return async (request, signal) => {
    if (refused) return { bars: [], rejects: [], origin };
    try {
      return await pull(request, signal);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused = true;
      const detail = `${error.message}; closes of past days are still missing from here on; ${error.hint}`;
      return { bars: [], rejects: [{ where: `${origin}/${request.id}`, reason: 'refused', detail }], origin };
    }
  };
}
