// Limits the long responses of an address. Further ones wait without a byte rendered, so that thousands of clients that request
// everything and read nothing cost no more than idle connections.

import { ApiError } from '../../errors.ts';
import { networkOf } from '../wire/network.ts';

/** Per address and thread: more than download programs use, few enough to keep in memory for clients that do not read. */
export const MAX_AT_ONCE = 64;

/** Shorter than the time after which a silent connection is closed, so that the client gets an error response. */
const MAX_WAIT_MS = 20_000;

/** A response whose client can disconnect. */
export interface Client {
  readonly destroyed: boolean;
  once(event: 'close', then: () => void): unknown;
}

interface Slots {
  taken: number;
  /** In the order in which they came. */
  readonly waiting: Set<() => void>;
}

export class LongAnswers<C extends Client> {
  readonly #slots = new Map<string, Slots>();
  readonly #addressOf: (client: C) => string;
  readonly #onWaiting: (change: 1 | -1) => void;
  readonly #most: number;
  readonly #maxWaitMs: number;

  constructor(
    addressOf: (client: C) => string,
    onWaiting: (change: 1 | -1) => void,
    { most = MAX_AT_ONCE, maxWaitMs = MAX_WAIT_MS }: { readonly most?: number; readonly maxWaitMs?: number } = {},
  ) {
    this.#addressOf = addressOf;
    this.#onWaiting = onWaiting;
    this.#most = most;
    this.#maxWaitMs = maxWaitMs;
  }

  /**
   * What `send` returns, called when the client's address has a slot for it; null if the client disconnects before. Rejects if
   * it has to wait too long.
   */
  async send<T>(client: C, send: () => Promise<T>): Promise<T | null> {
    const network = networkOf(this.#addressOf(client));
    const slots = this.#slots.get(network) ?? { taken: 0, waiting: new Set() };
    this.#slots.set(network, slots);
    if (slots.taken < this.#most) slots.taken++;
    else if (!(await this.#getsSlot(slots, client))) return null;
    try {
      return await send();
    } finally {
      this.#leave(network, slots);
    }
  }

  /** Whether a finished response passed its slot on; false if the client disconnected first. */
  #getsSlot({ waiting }: Slots, client: Client): Promise<boolean> {
    if (client.destroyed) return Promise.resolve(false);
    this.#onWaiting(1);
    return new Promise<boolean>((resolve, reject) => {
      const take = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        if (waiting.delete(take)) reject(tooMany(this.#most));
      }, this.#maxWaitMs).unref();
      waiting.add(take);
      client.once('close', () => {
        clearTimeout(timer);
        if (waiting.delete(take)) resolve(false);
      });
    }).finally(() => this.#onWaiting(-1));
  }

  #leave(network: string, slots: Slots): void {
    const [next] = slots.waiting;
    if (next !== undefined) {
      slots.waiting.delete(next);
      next();
    } else if (--slots.taken === 0) this.#slots.delete(network);
  }
}

function tooMany(most: number): ApiError {
  return new ApiError('overloaded', `Your address has ${most} long responses in progress.`, {
    hint: 'Read them to the end, or send fewer requests at once.',
  });
}
