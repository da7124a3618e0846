// The snapshots of past days: built one at a time, each once however many requests want it, and cached up to a number of bytes.
//
// A new publication empties the cache, because it may have changed any close.

import { ByteCache } from '../common/byte-cache.ts';
import type { Day } from '../domain/day.ts';
import type { SnapshotDescriptor } from '../snapshot/share.ts';
import { bytesOfColumns } from '../snapshot/table.ts';
import type { PastFailure, PastRequest } from './thread-messages.ts';

/** Days that wait while another one is built; requests for more are refused. */
export const MAX_WAITING = 16;

export type PastAnswer = SnapshotDescriptor | PastFailure;

interface Cached {
  readonly day: Day;
  readonly snapshot: SnapshotDescriptor;
}

export class PastDays {
  readonly #build: (day: Day) => Promise<SnapshotDescriptor>;
  readonly #onForgotten: (day: Day) => void;
  readonly #cache: ByteCache<Cached, Day>;
  #pending = new Map<Day, Promise<PastAnswer>>();
  #fingerprint = '';
  #last: Promise<unknown> = Promise.resolve();

  /** `onForgotten` gets each day that was cached and no longer is. */
  constructor(build: (day: Day) => Promise<SnapshotDescriptor>, onForgotten: (day: Day) => void, maxBytes: number) {
    this.#build = build;
    this.#onForgotten = onForgotten;
    this.#cache = new ByteCache(maxBytes, ({ day }) => onForgotten(day));
  }

  async get({ fingerprint, day }: PastRequest): Promise<PastAnswer> {
    if (fingerprint !== this.#fingerprint) {
      [this.#fingerprint, this.#pending] = [fingerprint, new Map()];
      this.#cache.clear();
    }
    const known = this.#cache.get(day)?.snapshot ?? this.#pending.get(day);
    if (known !== undefined) return known;
    // One more than may wait: the first one is being built.
    if (this.#pending.size > MAX_WAITING) return 'busy';
    const pending = this.#pending;
    const made = this.#last.then(() => this.#make(day, pending));
    this.#last = made;
    pending.set(day, made);
    return made;
  }

  async #make(day: Day, pending: Map<Day, Promise<PastAnswer>>): Promise<PastAnswer> {
    try {
      const snapshot = await this.#build(day);
      // Unless another publication has come meanwhile.
      const kept = pending === this.#pending && this.#cache.set(day, { day, snapshot }, bytesOf(snapshot));
      // After the threads have got it.
      if (!kept) setImmediate(() => this.#onForgotten(day));
      return snapshot;
    } catch {
      // The next request tries again.
      return 'unavailable';
    } finally {
      pending.delete(day);
    }
  }
}

function bytesOf({ tables, indexData }: SnapshotDescriptor): number {
  const perTable = Object.values(tables).map(
    ({ columns, history, orders, ...indexes }) =>
      bytesOfColumns(columns) + history.byteLength + orders.byteLength + bytesIn(indexes),
  );
  return perTable.reduce((sum, bytes) => sum + bytes, indexData.keys.byteLength);
}

/** Of all arrays in an object. */
function bytesIn(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, member) => sum + bytesIn(member), 0);
}
