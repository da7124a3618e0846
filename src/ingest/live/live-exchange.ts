// The tickers of one exchange through ccxt: over its websockets, or by polling where ccxt has none for the exchange.
//
// ccxt keeps the newest ticker of each market while it waits for the next one; `watchTickers` is called again and again only to keep
// the connection open, and fails when that breaks. What ccxt does not do is done here: pauses between attempts that grow, and a new
// connection when the old one is silent.

import type { Exchange as CcxtExchange } from 'ccxt';
import { withinTime } from '../../common/within-time.ts';
import { createExchange, type ExchangeOptions, loadCcxt } from '../ccxt/exchange.ts';
import { type HttpClock, pauseBefore, SYSTEM_CLOCK } from '../http-client.ts';
import { SourceError } from '../source.ts';
import type { Tick } from './tick-book.ts';

/** What is used of it. */
type LiveCcxt = Pick<
  CcxtExchange,
  'has' | 'name' | 'tickers' | 'watchTickers' | 'fetchTickers' | 'loadHttpProxyAgent' | 'clients' | 'client' | 'close'
>;

/** Markets per subscription: exchanges limit the length of one. */
const MARKETS_AT_ONCE = 100;
const LONGEST_PAUSE_MS = 60_000;
/** Without a tick of any market for this long, the connection is taken for broken. */
const SILENCE_MS = 60_000;

export interface LiveExchangeOptions extends ExchangeOptions {
  readonly markets: readonly string[];
  readonly pollMs: number;
  readonly onTick: (market: string, tick: Tick) => void;
  /** The connection broke, or an attempt failed; it is tried again. */
  readonly onTrouble: (reason: string) => void;
}

/** Follows the tickers until the signal is aborted. Fails only if the exchange has no tickers. */
export async function followTickers(options: LiveExchangeOptions, signal: AbortSignal): Promise<void> {
  const ccxt = await loadCcxt();
  const exchange: LiveCcxt = createExchange(ccxt, options, 'live');
  // Without it, ccxt refuses addresses without TLS, such as those of a local exchange.
  await exchange.loadHttpProxyAgent();
  const { markets } = options;
  if (exchange.has['watchTickers'] !== true && exchange.has['fetchTickers'] !== true) {
    throw new SourceError(`${exchange.name ?? options.exchange} has no tickers`, 'choose another exchange');
  }
  const parts: string[][] = [];
  for (let from = 0; from < markets.length; from += MARKETS_AT_ONCE) {
    parts.push(markets.slice(from, from + MARKETS_AT_ONCE));
  }
  try {
    await Promise.all(parts.map(part => new Follower(exchange, part, options, signal).run()));
  } finally {
    // What is under way in ccxt cannot be cancelled, and would open a connection that is never closed.
    exchange.client = () => {
      throw new Error('the tickers are no longer followed');
    };
    close(exchange);
  }
}

function close(exchange: LiveCcxt): void {
  // ccxt delays a connection that follows another one closely, and opens it even if it is closed meanwhile.
  for (const client of Object.values(exchange.clients ?? {})) {
    if (client.connection === undefined) client.createConnection = () => {};
  }
  // Not awaited: it never ends if the connection was closed already.
  exchange.close().catch(() => {});
}

class Follower {
  readonly #exchange: LiveCcxt;
  readonly #markets: readonly string[];
  readonly #options: LiveExchangeOptions;
  readonly #signal: AbortSignal;
  readonly #clock: HttpClock;
  /** ccxt makes a new object for each ticker. */
  readonly #seen = new Map<string, object>();

  constructor(exchange: LiveCcxt, markets: readonly string[], options: LiveExchangeOptions, signal: AbortSignal) {
    this.#exchange = exchange;
    this.#markets = markets;
    this.#options = options;
    this.#signal = signal;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
  }

  async run(): Promise<void> {
    const next = this.#exchange.has['watchTickers'] === true ? () => this.#watch() : () => this.#poll();
    for (let failures = 0; !this.#signal.aborted; ) {
      try {
        await next();
        failures = 0;
      } catch (error) {
        if (this.#signal.aborted) return;
        failures++;
        this.#options.onTrouble(
          error instanceof Error ? shorten(`${error.constructor.name}: ${error.message}`) : String(error),
        );
        const pause = Math.min(pauseBefore(failures, null, this.#clock.random()), LONGEST_PAUSE_MS);
        await this.#clock.sleep(pause, this.#signal).catch(() => {});
      }
    }
  }

  /** Until the next tick. All newest tickers are read: several may have come at once. */
  async #watch(): Promise<void> {
    const tick = this.#exchange.watchTickers([...this.#markets]);
    // ccxt does not end every wait when its connection is closed.
    await withinTime(tick, SILENCE_MS, this.#signal, () => {
      close(this.#exchange);
      return new Error(`no tick for ${SILENCE_MS / 1000} s`);
    });
    this.#read(this.#exchange.tickers);
  }

  async #poll(): Promise<void> {
    this.#read(await this.#exchange.fetchTickers([...this.#markets]));
    await this.#clock.sleep(this.#options.pollMs, this.#signal).catch(() => {});
  }

  #read(tickers: CcxtExchange['tickers']): void {
    for (const market of this.#markets) {
      const ticker = tickers[market];
      if (ticker === undefined || this.#seen.get(market) === ticker) continue;
      this.#seen.set(market, ticker);
      this.#options.onTick(market, { timestamp: ticker.timestamp, price: ticker.last ?? ticker.close });
    }
  }
}

/** ccxt puts whole answers into its messages. */
function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 240 ? `${line.slice(0, 240)}…` : line;
}
