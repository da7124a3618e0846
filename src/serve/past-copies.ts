// The snapshots of past days as a serving thread has them: requested from the supervisor once, kept until it says to forget them.

import { storeUnavailable } from '../api/served-snapshot.ts';
import { ApiError } from '../errors.ts';
import type { PastDay } from '../history/past-snapshot.ts';
import { CLIENT_GONE } from '../http/protection/scheduler-client.ts';
import type { Requester } from '../http/wire/answer.ts';
import { attachSnapshot } from '../snapshot/build/share.ts';
import type { Snapshot } from '../snapshot/table.ts';
import { nameOfPast, type PastFailure, type PastRequest, type SentPast } from './thread-messages.ts';
import { whenFreed } from './when-freed.ts';

/** Shorter than the time after which a silent connection is closed, so that the client gets an error response. */
const MAX_WAIT_MS = 20_000;
/** How often the days that are requested are looked through for those that no client waits for. */
const CHECK_MS = 250;

export interface PastMessages {
  readonly request: (request: PastRequest, withdrawn: AbortSignal) => Promise<SentPast | PastFailure>;
  /** This thread no longer holds the memory of a snapshot. */
  readonly freed: (id: number) => void;
  readonly onForgotten: (snapshot: Snapshot) => void;
}

interface Requested {
  readonly answer: PromiseWithResolvers<Snapshot>;
  readonly withdrawn: AbortController;
  readonly requesters: Requester[];
}

export class PastCopies {
  readonly #messages: PastMessages;
  readonly #maxWaitMs: number;
  readonly #known = new Map<string, { readonly past: PastDay; readonly snapshot: Snapshot }>();
  readonly #requested = new Map<string, Requested>();
  #fingerprint = '';
  #checks: NodeJS.Timeout | undefined;

  constructor(messages: PastMessages, maxWaitMs: number = MAX_WAIT_MS) {
    this.#messages = messages;
    this.#maxWaitMs = maxWaitMs;
  }

  get(
    { fingerprint }: Pick<Snapshot, 'fingerprint'>,
    past: PastDay,
    requester: Requester,
  ): Snapshot | Promise<Snapshot> {
    if (fingerprint !== this.#fingerprint) {
      this.#fingerprint = fingerprint;
      for (const known of this.#known.values()) this.forget(known.past);
    }
    const known = this.#known.get(nameOfPast(past));
    if (known !== undefined) return known.snapshot;
    const request = { fingerprint, client: requester.client, ...past };
    const requested = this.#requested.get(nameOf(request)) ?? this.#request(request);
    requested.requesters.push(requester);
    return this.#withTimeout(requested.answer.promise);
  }

  forget(past: PastDay): void {
    const known = this.#known.get(nameOfPast(past));
    this.#known.delete(nameOfPast(past));
    if (known !== undefined) this.#messages.onForgotten(known.snapshot);
  }

  #request(request: PastRequest): Requested {
    const requested = { answer: Promise.withResolvers<Snapshot>(), withdrawn: new AbortController(), requesters: [] };
    // If every request has timed out, nothing handles it.
    requested.answer.promise.catch(() => {});
    this.#requested.set(nameOf(request), requested);
    this.#checkNowAndThen();
    void this.#messages
      .request(request, requested.withdrawn.signal)
      .then(answer => this.#receive(request, requested, answer));
    return requested;
  }

  /** Also what was withdrawn too late. */
  #receive(request: PastRequest, requested: Requested, answer: SentPast | PastFailure): void {
    if (this.#requested.get(nameOf(request)) === requested) this.#requested.delete(nameOf(request));
    if (answer === 'busy') requested.answer.reject(tooManyDays());
    else if (answer === 'unavailable') requested.answer.reject(storeUnavailable());
    else {
      this.#reportFreed(answer);
      const snapshot = attachSnapshot(answer.snapshot);
      if (request.fingerprint === this.#fingerprint) this.#known.set(nameOfPast(request), { past: request, snapshot });
      requested.answer.resolve(snapshot);
    }
  }

  /** Apart from `#receive`: the function that is called back must not hold the snapshot, which would then never be free. */
  #reportFreed({ id, snapshot }: SentPast): void {
    const { freed } = this.#messages;
    whenFreed(snapshot, () => freed(id));
  }

  /** Apart from `#request`: a function made there would hold what was requested, and its snapshot, as long as there are checks. */
  #checkNowAndThen(): void {
    this.#checks ??= setInterval(() => this.#withdrawUnwanted(), CHECK_MS).unref();
  }

  #withdrawUnwanted(): void {
    for (const [name, { answer, withdrawn, requesters }] of this.#requested) {
      if (!requesters.every(({ isGone }) => isGone())) continue;
      this.#requested.delete(name);
      withdrawn.abort();
      answer.reject(CLIENT_GONE);
    }
    if (this.#requested.size > 0) return;
    clearInterval(this.#checks);
    this.#checks = undefined;
  }

  async #withTimeout(snapshot: Promise<Snapshot>): Promise<Snapshot> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(notReadyYet()), this.#maxWaitMs).unref();
    try {
      return await Promise.race([snapshot, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function nameOf(request: PastRequest): string {
  return `${request.fingerprint} ${nameOfPast(request)}`;
}

function tooManyDays(): ApiError {
  return new ApiError('overloaded', 'Too many different days are requested with as_of at the same time.', {
    param: 'as_of',
    hint: 'Retry after Retry-After seconds, and request one day after the other.',
  });
}

function notReadyYet(): ApiError {
  return new ApiError('overloaded', 'The rows of this day are not ready yet.', {
    param: 'as_of',
    hint: 'Retry after Retry-After seconds: they are being computed.',
  });
}
