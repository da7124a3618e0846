// The snapshots of past days as a serving thread has them: requested from the supervisor once, kept until it says to forget them.

import { ApiError } from '../errors.ts';
import { storeUnavailable } from '../http/handlers/readiness.ts';
import type { PastDay } from '../snapshot/past-snapshot.ts';
import { attachSnapshot, type SnapshotDescriptor } from '../snapshot/share.ts';
import type { Snapshot } from '../snapshot/table.ts';
import { nameOfPast, type PastFailure, type PastRequest } from './thread-messages.ts';

export class PastCopies {
  readonly #ask: (request: PastRequest) => void;
  readonly #onForgotten: (snapshot: Snapshot) => void;
  readonly #known = new Map<string, { readonly past: PastDay; readonly snapshot: Snapshot }>();
  readonly #waiting = new Map<string, PromiseWithResolvers<Snapshot>>();
  #fingerprint = '';

  constructor(ask: (request: PastRequest) => void, onForgotten: (snapshot: Snapshot) => void) {
    this.#ask = ask;
    this.#onForgotten = onForgotten;
  }

  get({ fingerprint }: Pick<Snapshot, 'fingerprint'>, past: PastDay): Snapshot | Promise<Snapshot> {
    if (fingerprint !== this.#fingerprint) {
      this.#fingerprint = fingerprint;
      for (const known of this.#known.values()) this.forget(known.past);
    }
    const known = this.#known.get(nameOfPast(past));
    if (known !== undefined) return known.snapshot;
    const request = { fingerprint, ...past };
    const waiting = this.#waiting.get(nameOf(request));
    if (waiting !== undefined) return waiting.promise;
    const asked = Promise.withResolvers<Snapshot>();
    this.#waiting.set(nameOf(request), asked);
    this.#ask(request);
    return asked.promise;
  }

  receive(request: PastRequest, answer: SnapshotDescriptor | PastFailure): void {
    const waiting = this.#waiting.get(nameOf(request));
    this.#waiting.delete(nameOf(request));
    if (answer === 'busy') waiting?.reject(tooManyDays());
    else if (answer === 'unavailable') waiting?.reject(storeUnavailable());
    else {
      const snapshot = attachSnapshot(answer);
      if (request.fingerprint === this.#fingerprint) this.#known.set(nameOfPast(request), { past: request, snapshot });
      waiting?.resolve(snapshot);
    }
  }

  forget(past: PastDay): void {
    const known = this.#known.get(nameOfPast(past));
    this.#known.delete(nameOfPast(past));
    if (known !== undefined) this.#onForgotten(known.snapshot);
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
