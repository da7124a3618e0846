// When a failed request is sent again, and how long the client waits first.

import { ApiError, type TidemarkError } from './errors.ts';

/** Milliseconds until the next attempt, or null to give up. `attempt` is 1 after the first failure. */
export type RetryDelay = (error: TidemarkError, attempt: number) => number | null;

const ATTEMPTS = 5;
const TEMPORARY = [429, 502, 503, 504];
const LONGEST_WAIT_SECONDS = 60;

/**
 * Requests only read, so each can be repeated: after a failure of the network, and after 429, 502, 503 and 504. `Retry-After` is
 * obeyed up to a minute; beyond it, as with a daily quota, the error is thrown at once.
 */
export function retryDelay(error: TidemarkError, attempt: number): number | null {
  if (attempt >= ATTEMPTS) return null;
  if (!(error instanceof ApiError)) return backOff(attempt);
  if (!TEMPORARY.includes(error.status)) return null;
  if (error.retryAfter === null) return backOff(attempt);
  return error.retryAfter > LONGEST_WAIT_SECONDS ? null : error.retryAfter * 1000 + Math.random() * 200;
}

/** 0.25 to 0.5 s, doubled with each attempt up to half a minute. Random, so that many clients do not come back at once. */
export function backOff(attempt: number): number {
  return Math.min(30_000, 250 * 2 ** (attempt - 1)) * (1 + Math.random());
}

/** Rejects with the reason of the signal. */
export function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
