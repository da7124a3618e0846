// Sends requests: the API key, a time limit, retries, and one type of error for each kind of failure.

import { ApiError, apiError, NetworkError, TidemarkError } from './errors.ts';
import { queryString } from './query-string.ts';
import { delay, type RetryDelay, retryDelay } from './retry.ts';

export interface TidemarkOptions {
  /** Where the service is, such as `http://127.0.0.1:8080`; a path before `/v1` is kept. */
  readonly url: string;
  /** A function is called for each request. */
  readonly apiKey?: string | null | undefined | (() => string | null | undefined);
  /** The group segment of the paths; `crypto` unless the operator has changed it. */
  readonly group?: string;
  /** Milliseconds that one attempt may take until its body is complete; for streams, between two events or comments. */
  readonly timeout?: number;
  readonly retryDelay?: RetryDelay;
  readonly fetch?: typeof fetch;
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly method?: 'GET' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
  /** As `fetch` takes it: `no-store` reads from no cache, and says so to proxies. */
  readonly cache?: 'default' | 'no-store';
}

/** Longer than the service takes for its largest page. */
const TIMEOUT_MS = 60_000;

export class Transport {
  readonly timeout: number;
  readonly #options: TidemarkOptions;
  readonly #base: string;

  constructor(options: TidemarkOptions) {
    this.#options = options;
    this.#base = new URL(options.url).href.replace(/\/+$/, '');
    this.timeout = options.timeout ?? TIMEOUT_MS;
  }

  /** `path` begins with a slash, and may have a query of its own if `query` is empty. */
  async send<T>(
    path: string,
    query: object,
    read: (response: Response) => Promise<T>,
    options: RequestOptions = {},
  ): Promise<T> {
    const url = this.#base + path + queryString(query);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(url, read, options);
      } catch (error) {
        const { retryDelay: delayOf = retryDelay } = this.#options;
        const wait = error instanceof TidemarkError ? delayOf(error, attempt) : null;
        if (wait === null) throw error;
        await delay(wait, options.signal);
      }
    }
  }

  async #attempt<T>(
    url: string,
    read: (response: Response) => Promise<T>,
    { signal, method = 'GET', headers, cache = 'default' }: RequestOptions,
  ): Promise<T> {
    const { apiKey, fetch: send = fetch } = this.#options;
    const key = typeof apiKey === 'function' ? apiKey() : apiKey;
    // `fetch` does not pass this header on when another origin redirects, unlike X-API-Key.
    const all = new Headers({ ...headers, ...(key ? { authorization: `Bearer ${key}` } : {}) });
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), this.timeout);
    try {
      const either = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
      const response = await send(url, { method, headers: all, signal: either, cache });
      if (!response.ok) throw await apiError(response);
      return await read(response);
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof ApiError) throw cause;
      const what = limit.signal.aborted ? `no complete response within ${this.timeout} ms` : 'no complete response';
      throw new NetworkError(`${what} from ${url}`, { cause });
    } finally {
      clearTimeout(timer);
    }
  }
}
