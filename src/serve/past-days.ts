// The snapshots of past days: built one at a time, each once however many requests want it, and cached up to a number of bytes.
//
// A new publication empties the cache, because it may have changed any close.

import { ByteCache } from '../common/byte-cache.ts';
import type { PastDay } from '../snapshot/past-snapshot.ts';
import type { SnapshotDescriptor } from '../snapshot/share.ts';
import { bytesOfColumns } from '../snapshot/table.ts';
import { nameOfPast, type PastFailure, type PastRequest } from './thread-messages.ts';

/** Days that wait while another one is built; requests for more are refused. */
export const MAX_WAITING = 16;

export type PastAnswer = SnapshotDescriptor | PastFailure;

interface Cached {
  readonly past: PastDay;
  readonly snapshot: SnapshotDescriptor;
}

export class PastDays {
  readonly #build: (past: PastDay) => Promise<SnapshotDescriptor>;
  readonly #onForgotten: (past: PastDay) => void;
  readonly #cache: ByteCache<Cached>;
  #pending = new Map<string, Promise<PastAnswer>>();
  #fingerprint = '';
  #last: Promise<unknown> = Promise.resolve();

  /** `onForgotten` gets each day that was cached and no longer is. */
  constructor(
    build: (past: PastDay) => Promise<SnapshotDescriptor>,
    onForgotten: (past: PastDay) => void,
    maxBytes: number,
  ) {
    this.#build = build;
    this.#onForgotten = onForgotten;
    this.#cache = new ByteCache(maxBytes, ({ past }) => onForgotten(past));
  }

  async get({ fingerprint, ...past }: PastRequest): Promise<PastAnswer> {
    if (fingerprint !== this.#fingerprint) {
      [this.#fingerprint, this.#pending] = [fingerprint, new Map()];
      this.#cache.clear();
    }
    const name = nameOfPast(past);
    const known = this.#cache.get(name)?.snapshot ?? this.#pending.get(name);
    if (known !== undefined) return known;
    // One more than may wait: the first one is being built.
    if (this.#pending.size > MAX_WAITING) return 'busy';
    const pending = this.#pending;
    const made = this.#last.then(() => this.#make(past, pending));
    this.#last = made;
    pending.set(name, made);
    return made;
  }

  async #make(past: PastDay, pending: Map<string, Promise<PastAnswer>>): Promise<PastAnswer> {
    try {
      const snapshot = await this.#build(past);
      // Unless another publication has come meanwhile.
      const kept =
        pending === this.#pending && this.#cache.set(nameOfPast(past), { past, snapshot }, bytesOf(snapshot));
      // After the threads have got it.
      if (!kept) setImmediate(() => this.#onForgotten(past));
      return snapshot;
    } catch {
      // The next request tries again.
      return 'unavailable';
    } finally {
      pending.delete(nameOfPast(past));
    }
  }
}

function bytesOf({ tables, indexData }: SnapshotDescriptor): number {
  const perTable = Object.values(tables).map(
    ({ columns, history, ...indexes }) => bytesOfColumns(columns) + history.byteLength + bytesIn(indexes),
  );
  return perTable.reduce((sum, bytes) => sum + bytes, indexData.assetNumbers.byteLength);
}

/** Of all arrays in an object. */
function bytesIn(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, member) => sum + bytesIn(member), 0);
}
