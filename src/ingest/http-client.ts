// GET of JSON from a provider: paced, with a time limit, retried where it helps, and with an outcome instead of an exception.

import { setTimeout as sleep } from 'node:timers/promises';
import { BodyTooBig, fetchText, reasonOf, type TextAnswer, TimeUp } from './http-fetch.ts';

export interface HttpClient {
  /** Throws only the signal's reason when it is aborted. */
  getJson(url: string, signal: AbortSignal): Promise<HttpOutcome>;
}

export type HttpOutcome =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly fault: HttpFault };

/** Texts are short and hold no secret. */
export type HttpFault =
  /** The provider answered with this status, or its body says so (see `inspect`). */
  | { readonly kind: 'status'; readonly status: number; readonly detail: string; readonly retryAfter: number | null }
  /** No complete answer: refused, cut, not resolved. */
  | { readonly kind: 'network'; readonly detail: string }
  /** No complete answer in time. */
  | { readonly kind: 'timeout'; readonly detail: string }
  | { readonly kind: 'malformed'; readonly detail: string }
  | { readonly kind: 'too_big'; readonly detail: string };

export interface HttpClientOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Removed from every text, also from those of the provider. */
  readonly secrets?: readonly string[];
  readonly requestsPerSecond?: number;
  /** For one attempt, from connecting to the last byte. */
  readonly timeoutMillis?: number;
  readonly attempts?: number;
  readonly maxBodyBytes?: number;
  /** A provider that wants a longer pause than this gets none of our waiting: the outcome says so instead. */
  readonly longestPauseMillis?: number;
  /** Some providers answer an error with status 200: the status that the body really stands for, or null for a good answer. */
  readonly inspect?: (body: unknown) => { readonly status: number; readonly detail: string } | null;
  readonly clock?: HttpClock;
}

/** What the client knows of time and chance; tests bring their own and wait for nothing. */
export interface HttpClock {
  now(): number;
  sleep(millis: number, signal: AbortSignal): Promise<void>;
  /** At least 0 and less than 1. */
  random(): number;
}

export const SYSTEM_CLOCK: HttpClock = {
  now: () => Date.now(),
  async sleep(millis, signal) {
    await sleep(millis, undefined, { signal }).catch(() => signal.throwIfAborted());
  },
  random: () => Math.random(),
};

/** 418 is what Binance sends to those who went on after 429. */
const RETRIED_STATUS: ReadonlySet<number> = new Set([408, 418, 425, 429, 500, 502, 503, 504]);

export function httpClient(options: HttpClientOptions = {}): HttpClient {
  const clock = options.clock ?? SYSTEM_CLOCK;
  const attempts = options.attempts ?? 5;
  const longestPause = options.longestPauseMillis ?? 5 * 60_000;
  const turn = pace(options.requestsPerSecond ?? Number.POSITIVE_INFINITY, clock);

  return {
    async getJson(url, signal) {
      for (let attempt = 1; ; attempt++) {
        await turn(signal);
        const outcome = await getOnce(url, options, signal);
        if (outcome.ok || !isRetried(outcome.fault) || attempt >= attempts) return outcome;
        const pause = pauseBefore(attempt, retryAfterOf(outcome.fault), clock.random());
        if (pause > longestPause) return outcome;
        await clock.sleep(pause, signal);
      }
    },
  };
}

/**
 * Milliseconds to wait after the attempt of this number: what the provider asks for and a little more, so that many clients
 * do not return at once; otherwise between nothing and a limit that doubles each time (exponential back-off, full jitter).
 */
export function pauseBefore(attempt: number, retryAfterMillis: number | null, random: number): number {
  const limit = Math.min(60_000, 500 * 2 ** attempt);
  return retryAfterMillis === null ? limit * random : retryAfterMillis + 250 * random;
}

/** `Retry-After` as milliseconds from now: a number of seconds or an HTTP date; null for neither. */
export function retryAfterMillis(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function isRetried(fault: HttpFault): boolean {
  if (fault.kind === 'status') return RETRIED_STATUS.has(fault.status);
  // A malformed body is mostly a cut one or the page of a proxy in between.
  return fault.kind !== 'too_big';
}

function retryAfterOf(fault: HttpFault): number | null {
  return fault.kind === 'status' ? fault.retryAfter : null;
}

/** A gate that lets requests through one by one with an even distance. */
function pace(perSecond: number, clock: HttpClock): (signal: AbortSignal) => Promise<void> {
  const distance = 1000 / perSecond;
  let free = 0;
  return async signal => {
    signal.throwIfAborted();
    const now = clock.now();
    const at = Math.max(now, free);
    free = at + distance;
    if (at > now) await clock.sleep(at - now, signal);
  };
}

async function getOnce(url: string, options: HttpClientOptions, signal: AbortSignal): Promise<HttpOutcome> {
  const { timeoutMillis = 30_000, secrets = [] } = options;
  const fail = (fault: HttpFault): HttpOutcome => ({
    ok: false,
    fault: { ...fault, detail: shorten(redact(fault.detail, secrets)) },
  });
  try {
    const answer = await fetchText(url, {
      headers: options.headers ?? {},
      timeoutMillis,
      maxBodyBytes: options.maxBodyBytes ?? 64 * 1024 * 1024,
      signal,
    });
    return judge(answer, options, fail);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof BodyTooBig) return fail({ kind: 'too_big', detail: error.message });
    if (error instanceof TimeUp) return fail({ kind: 'timeout', detail: error.message });
    return fail({ kind: 'network', detail: reasonOf(error) });
  }
}

function judge(answer: TextAnswer, options: HttpClientOptions, fail: (fault: HttpFault) => HttpOutcome): HttpOutcome {
  const { status, text } = answer;
  const retryAfter = retryAfterMillis(answer.retryAfter, (options.clock ?? SYSTEM_CLOCK).now());
  if (status < 200 || status > 299) return fail({ kind: 'status', status, detail: errorTextOf(text), retryAfter });
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return fail({ kind: 'malformed', detail: text === '' ? 'the body is empty' : `the body is not JSON: ${text}` });
  }
  const hidden = options.inspect?.(body) ?? null;
  return hidden === null ? { ok: true, body } : fail({ kind: 'status', ...hidden, retryAfter });
}

/** Providers put the reason into a member `error` or `message`; otherwise the body itself is all there is. */
function errorTextOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) {
      if ('error' in body && typeof body.error === 'string') return body.error;
      if ('message' in body && typeof body.message === 'string') return body.message;
    }
  } catch {
    // Not JSON: a proxy's page, say.
  }
  return text;
}

export function redact(text: string, secrets: readonly string[]): string {
  return secrets.filter(secret => secret !== '').reduce((clean, secret) => clean.replaceAll(secret, '***'), text);
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
