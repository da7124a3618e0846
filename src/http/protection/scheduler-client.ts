// A client of the scheduler: an API key, or the address of requests without one, with the work of it that waits.

import { Fifo } from '../../common/fifo.ts';
import { StepsEnded } from '../../common/steps.ts';
import type { HeapItem } from './used-time-heap.ts';

/** Why a request is refused. */
export type Refusal = 'late' | 'too many';

/** Does the work of a request, or refuses it. */
export type Begin = (refused: Refusal | null) => void;

/** A computation fails with it if its client has closed the connection. */
export const CLIENT_GONE: StepsEnded = new StepsEnded('the client has closed the connection');
/** A computation fails with it if it has waited too long. */
export const WAITED_TOO_LONG: StepsEnded = new StepsEnded('the computation has waited too long');

export interface WaitingRequest {
  readonly begin: Begin;
  readonly since: number;
}

export interface Computation {
  /** Does steps until the time, at least one; true when the last one is done. */
  readonly advance: (until: number) => boolean;
  readonly fail: (error: Error) => void;
  readonly isGone: () => boolean;
  readonly since: number;
}

/** Work that waits for a slot of its client. */
export interface WaitingForSlot {
  readonly begin: () => void;
  readonly fail: (error: Error) => void;
  readonly isGone: () => boolean;
  readonly since: number;
}

/** Whose work is done; opaque outside of the scheduler. */
export class Client implements HeapItem {
  readonly id: string;
  readonly weight: number;
  readonly share: number;
  /** Milliseconds that its work took, divided by its weight. */
  used = 0;
  position = -1;
  readonly requests = new Fifo<WaitingRequest>();
  /** Parts of long responses. */
  readonly pieces = new Fifo<Computation>();
  /** Computations that have begun. */
  readonly started = new Fifo<Computation>();
  /** Computations that have not. */
  readonly waiting = new Fifo<Computation>();
  slotsTaken = 0;
  readonly slotQueue = new Fifo<WaitingForSlot>();
  /** The kinds of work take turns. */
  turn = 0;
  /** Milliseconds for which it has still to pause. */
  pauseDue = 0;
  isPaused = false;
  lastUsed = 0;

  constructor(id: string, weight: number, share: number) {
    this.id = id;
    this.weight = weight;
    this.share = share;
  }

  get hasWork(): boolean {
    return this.requests.length + this.pieces.length + this.started.length + this.waiting.length > 0;
  }
}
