// The newest listings of intervals, each kept from one publication to the next as long as it is asked for and there is memory for it.

import type { ActivePeriods } from '../domain/active-periods.ts';
import type { ListedInterval } from '../domain/interval.ts';
import { UpdatedListing } from '../history/updated-listing.ts';
import { bytesOfSnapshot, describeSnapshot, type SnapshotDescriptor } from '../snapshot/build/share.ts';
import type { Store } from '../store/store.ts';

/** A listing that was not asked for since is forgotten. */
const UNUSED_MS = 600_000;
/** Of the memory, for the closes of one listing. */
const CLOSES = 1 / 2;

interface Kept {
  readonly listing: UpdatedListing;
  usedAt: number;
  /** Of its snapshot. */
  bytes: number;
}

export class UpdatedListings {
  readonly #activePeriods: ActivePeriods;
  readonly #maxBytes: number;
  /** What was asked for last is the last one. */
  readonly #kept = new Map<ListedInterval, Kept>();

  constructor(activePeriods: ActivePeriods, maxBytes: number) {
    this.#activePeriods = activePeriods;
    this.#maxBytes = maxBytes;
  }

  /** Of the listings that are kept, with what they are made of. */
  get bytes(): number {
    return this.#kept.values().reduce((sum, { listing, bytes }) => sum + listing.bytes + bytes, 0);
  }

  async next(store: Pick<Store, 'readConsistently'>, interval: ListedInterval): Promise<SnapshotDescriptor> {
    const usedAt = performance.now();
    for (const [name, kept] of this.#kept) if (usedAt - kept.usedAt > UNUSED_MS) this.#kept.delete(name);
    const kept = this.#kept.get(interval) ?? { listing: this.#added(interval), usedAt, bytes: 0 };
    kept.usedAt = usedAt;
    this.#kept.delete(interval);
    this.#kept.set(interval, kept);
    const snapshot = describeSnapshot(await kept.listing.next(store));
    kept.bytes = bytesOfSnapshot(snapshot);
    for (const [name] of this.#kept) if (this.bytes > this.#maxBytes) this.#kept.delete(name);
    return snapshot;
  }

  #added(interval: ListedInterval): UpdatedListing {
    return new UpdatedListing(interval, this.#activePeriods[interval], CLOSES * this.#maxBytes);
  }
}
