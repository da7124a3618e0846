// A topic: what several streams show alike. Its bytes are made once, however many clients receive them.

import type { Steps } from '../common/steps.ts';
import type { PastDay } from '../history/past-snapshot.ts';
import type { Snapshot } from '../snapshot/table.ts';

/** A listing of another interval than days, or in another quote than dollars. */
export type StreamedListing = Pick<PastDay, 'interval' | 'optional' | 'quote'>;

/** A client of a topic. */
export interface Recipient {
  /** Sends what the client has not seen; `now` in milliseconds, by `performance.now()`. */
  update(now: number): void;
}

export interface Topic {
  readonly subscribers: Set<Recipient>;
  /** The listing that it shows, if it is not the one of days in dollars. */
  readonly listing: StreamedListing | null;
  /** Of the snapshot that it shows. */
  readonly version: number;
  /** Brings a client up to date that has seen this version; null: none. Null if there is nothing to send. */
  since(version: number | null): Buffer | null;
  /** Begins to prepare what a refresh with this snapshot needs; null if there is nothing to wait for. */
  prepare?(snapshot: Snapshot): Promise<void> | null;
  /** Shows a newer snapshot once it is done: this one, or the newest that it was prepared for. */
  refresh(snapshot: Snapshot): Steps<void>;
  /** Every subscriber that reads fast enough has the newest version: what they were sent need not be kept. */
  release(): void;
}
