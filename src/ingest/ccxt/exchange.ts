// One exchange through ccxt: loaded when needed, with retries, and its errors sorted by cause.
//
// ccxt brings the addresses, the answers' formats and the pace of every exchange. What it does not do is done here: a time limit
// that includes the body, a limit on its size, stopping, retries, and a look at whether the answer is JSON at all (ccxt would
// take a broken one for an empty one).

import { readdirSync } from 'node:fs';
import type { Exchange as CcxtExchange } from 'ccxt';
import { nearest } from '../../common/nearest.ts';
import { withinTime } from '../../common/within-time.ts';
import { BASE_INTERVALS, type BaseInterval } from '../../domain/interval.ts';
import { type HttpClientOptions, type HttpClock, pauseBefore, retryAfterMillis, SYSTEM_CLOCK } from '../http-client.ts';
import { BodyTooBig, fetchText, TimeUp } from '../http-fetch.ts';
import { type RejectReason, SourceError } from '../source.ts';
import type { RawCandle } from './candles.ts';
import type { Market } from './markets.ts';

type Ccxt = typeof import('ccxt');
/** What is used of it; ccxt's classes do not all fit its own type as a whole. */
type Exchange = Pick<
  CcxtExchange,
  | ('name' | 'has' | 'timeframes' | 'features' | 'options' | 'loadMarkets' | 'fetchOHLCV' | 'fetchImplementation')
  | ('tickers' | 'watchTickers' | 'fetchTickers' | 'loadHttpProxyAgent' | 'clients' | 'client' | 'close')
>;

export interface ExchangeOptions
  extends Pick<HttpClientOptions, 'timeoutMillis' | 'attempts' | 'longestPauseMillis' | 'clock'> {
  readonly exchange: string;
  /** Replaces addresses of ccxt's description, as `{ api: { public: 'http://127.0.0.1:8000' } }`. */
  readonly urls?: object;
  /** Milliseconds between requests, instead of what ccxt knows of the exchange. */
  readonly rateLimitMillis?: number;
}

export interface OpenExchange {
  /** As the exchange writes itself, `Binance`. */
  readonly name: string;
  /** Candles that a page may hold. */
  readonly limit: number;
  markets(signal: AbortSignal): Promise<readonly Market[]>;
  /** Throws MarketFailure for what concerns this market only. */
  candles(symbol: string, since: number, until: number | null, signal: AbortSignal): Promise<readonly RawCandle[]>;
}

/** This market cannot be had; the others may. */
export class MarketFailure extends Error {
  override readonly name = 'MarketFailure';
  readonly reason: RejectReason;

  constructor(reason: RejectReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

class NoJson extends Error {
  override readonly name = 'NoJson';
}

/** More than an exchange's description says is cut by most; fewer cost requests. */
const MOST_CANDLES = 1000;
/** Where the description says nothing: what every exchange gives. */
const SAFE_CANDLES = 300;
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** The names that `exchange` takes: ccxt has one file per exchange, so that its code need not be loaded for them. */
export function exchangeNames(): string[] {
  const files = readdirSync(new URL('src/', ccxtUrl()));
  return files.filter(name => name.endsWith('.js')).map(name => name.slice(0, -'.js'.length));
}

/** A clone installs ccxt; the published package leaves that to the people who load from exchanges, because it is large. */
function ccxtUrl(): string {
  try {
    return import.meta.resolve('ccxt');
  } catch (error) {
    throw new SourceError(
      'exchanges need the ccxt library, which is not installed',
      "Install it where tidemark is: 'npm install ccxt', or 'npm install --global ccxt'. With npx: 'npx -p tidemark -p ccxt tidemark …'.",
      { cause: error },
    );
  }
}

/** Loaded only by the commands that need it: it is 60 MB of code. */
export async function loadCcxt(): Promise<Ccxt> {
  ccxtUrl();
  return import('ccxt');
}

export async function openExchange(options: ExchangeOptions, interval: BaseInterval = '1d'): Promise<OpenExchange> {
  const ccxt = await loadCcxt();
  const exchange = createExchange(ccxt, options, 'candles');
  checkInterval(exchange, options, interval);
  const caller = new PatientCaller(ccxt, exchange, options);
  const described: unknown = exchange.features?.['spot']?.['fetchOHLCV']?.['limit'];
  const limit = Math.min(typeof described === 'number' ? described : SAFE_CANDLES, MOST_CANDLES);
  return {
    name: exchange.name ?? options.exchange,
    limit,
    async markets(signal) {
      // Reloading, because ccxt keeps the failure of a first attempt.
      const markets = await caller.call(() => exchange.loadMarkets(true), signal);
      return Object.values(markets).flatMap(market => {
        const { symbol, base, quote, spot, active } = market ?? {};
        return symbol && base && quote ? [{ symbol, base, quote, spot: spot === true, active }] : [];
      });
    },
    candles(symbol, since, until, signal) {
      const params = until === null ? {} : { until };
      return caller.call(() => exchange.fetchOHLCV(symbol, interval, since, limit, params), signal, symbol);
    },
  };
}

/** `live`: with the exchange's websockets, where ccxt has them. */
export function createExchange(ccxt: Ccxt, options: ExchangeOptions, kind: 'candles' | 'live'): Exchange {
  const id = options.exchange.toLowerCase();
  const classes = kind === 'live' ? { ...ccxt.exchanges, ...ccxt.pro } : ccxt.exchanges;
  const Class = new Map<string, new (settings: object) => Exchange>(Object.entries(classes)).get(id);
  if (Class === undefined) {
    const near = nearest(id, Object.keys(ccxt.exchanges));
    const hint = near === null ? "'tidemark ingest ccxt --help' lists all" : `did you mean ${near}?`;
    throw new SourceError(`there is no exchange ${options.exchange}`, hint);
  }
  const { urls, rateLimitMillis } = options;
  const exchange = new Class({
    enableRateLimit: true,
    ...(urls === undefined ? {} : { urls }),
    ...(rateLimitMillis === undefined ? {} : { rateLimit: rateLimitMillis }),
  });
  checkInterval(exchange, options, '1d');
  spotOnly(exchange);
  return exchange;
}

function checkInterval(
  { has, timeframes, name }: Exchange,
  { exchange }: ExchangeOptions,
  interval: BaseInterval,
): void {
  if (has['fetchOHLCV'] === true && timeframes?.[interval] !== undefined) return;
  const known = has['fetchOHLCV'] === true ? BASE_INTERVALS.filter(each => timeframes?.[each] !== undefined) : [];
  if (interval === '1d' || known.length === 0) {
    throw new SourceError(
      `${name ?? exchange} has no daily candles`,
      'choose another exchange, such as binance or kraken',
    );
  }
  throw new SourceError(
    `${name ?? exchange} has no candles of ${interval}`,
    `it has ${known.join(' and ')}: --interval ${known[0]}, or choose another exchange`,
  );
}

/** Where the markets of each type are a request of their own, only those of spot are worth one. */
function spotOnly(exchange: Exchange): void {
  const setting: unknown = exchange.options['fetchMarkets'];
  if (typeof setting !== 'object' || setting === null || !('types' in setting)) return;
  if (Array.isArray(setting.types) && setting.types.includes('spot')) setting.types = ['spot'];
}

/** Of ccxt's own pauses and requests: it reckons with the time of day, and waits for hours if the clock is set back meanwhile. */
const LONGEST_CALL_MS = 5 * 60_000;

class PatientCaller {
  readonly #ccxt: Ccxt;
  readonly #exchange: Exchange;
  readonly #options: ExchangeOptions;
  readonly #clock: HttpClock;
  #signal: AbortSignal = new AbortController().signal;
  #retryAfter: number | null = null;

  constructor(ccxt: Ccxt, exchange: Exchange, options: ExchangeOptions) {
    this.#ccxt = ccxt;
    this.#exchange = exchange;
    this.#options = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    exchange.fetchImplementation = (url: string, request: CcxtRequest) => this.#fetch(url, request);
  }

  /** Without a market, every failure is one of the exchange. */
  async call<T>(request: () => Promise<T>, signal: AbortSignal, market: string | null = null): Promise<T> {
    const { attempts = 5, longestPauseMillis = 5 * 60_000 } = this.#options;
    this.#signal = signal;
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      this.#retryAfter = null;
      try {
        return await withinTime(
          request(),
          LONGEST_CALL_MS,
          signal,
          () => new TimeUp(`no end of the request after ${LONGEST_CALL_MS / 1000} s`),
        );
      } catch (error) {
        signal.throwIfAborted();
        const pause = pauseBefore(attempt, this.#retryAfter, this.#clock.random());
        if (!this.#passes(error) || attempt >= attempts || pause > longestPauseMillis) throw this.#told(error, market);
        await this.#clock.sleep(pause, signal);
      }
    }
  }

  async #fetch(url: string, request: CcxtRequest): Promise<Response> {
    const { method, headers, body } = request;
    const answer = await fetchText(url, {
      method,
      headers,
      ...(typeof body === 'string' ? { body } : {}),
      timeoutMillis: this.#options.timeoutMillis ?? 30_000,
      maxBodyBytes: MAX_BODY_BYTES,
      signal: this.#signal,
    });
    const { status, text } = answer;
    this.#retryAfter = retryAfterMillis(answer.retryAfter, this.#clock.now());
    if (status < 300 && !isJson(text)) throw new NoJson(`the answer is not JSON: ${text}`);
    return new Response(text === '' ? null : text, { status, headers: answer.headers });
  }

  /** Whether the same request may succeed in a while. */
  #passes(error: unknown): boolean {
    return error instanceof this.#ccxt.OperationFailed || error instanceof TimeUp || error instanceof NoJson;
  }

  /** The failure in our words; ccxt's own name for it comes first. */
  #told(error: unknown, market: string | null): Error {
    const { AuthenticationError, BadSymbol, DDoSProtection, RateLimitExceeded } = this.#ccxt;
    const name = this.#exchange.name ?? this.#options.exchange;
    const kind = error instanceof Error ? error.constructor.name : 'error';
    const message = shorten(`${kind}: ${error instanceof Error ? error.message : String(error)}`);
    if (error instanceof AuthenticationError) {
      return new SourceError(`${name} gives its candles only to customers (${message})`, 'choose another exchange');
    }
    if (error instanceof RateLimitExceeded || error instanceof DDoSProtection) {
      const wait = this.#retryAfter === null ? 'a while' : `${Math.ceil(this.#retryAfter / 60_000)} minutes`;
      return new SourceError(
        `${name} wants fewer requests (${message})`,
        `wait ${wait}; repeating the command goes on from there`,
      );
    }
    if (market !== null) {
      return new MarketFailure(error instanceof BadSymbol ? 'unknown_asset' : 'bad_answer', message);
    }
    const hint =
      error instanceof BodyTooBig
        ? 'report it: no exchange should answer so much'
        : 'check the network connection, and whether the exchange serves your country';
    return new SourceError(`cannot read the markets of ${name} (${message})`, hint);
  }
}

interface CcxtRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** ccxt puts whole answers into its messages. */
function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 240 ? `${line.slice(0, 240)}…` : line;
}
