// What the clients of a soak know: the states that a server may show at the moment, the keys that are good, and those that are not.

import type { Random } from '../../support/market.ts';
import type { MarketState } from './market.ts';

/** At most this many days lie between what is served and what is being loaded. */
const STATES_KEPT = 4;

export interface KnownKey {
  readonly id: string;
  readonly key: string;
}

export class World {
  readonly random: Random;
  readonly key: string;
  /** Its rate is low. */
  readonly slowKey: string;
  /** Keys that every thread knows. */
  readonly goodKeys: KnownKey[] = [];
  /** Keys that every thread has forgotten. */
  readonly revokedKeys: KnownKey[] = [];
  #states: MarketState[];
  #seen: number;

  constructor(random: Random, keys: { readonly key: string; readonly slowKey: string }, state: MarketState) {
    this.random = random;
    this.key = keys.key;
    this.slowKey = keys.slowKey;
    this.#states = [state];
    this.#seen = state.number;
  }

  /** The oldest state that may still be shown. */
  get oldest(): number {
    return this.#seen;
  }

  get newest(): MarketState {
    return this.#states.at(-1)!; // there is one from the start
  }

  /** From now on this one may be shown. */
  begin(state: MarketState): void {
    this.#states = [...this.#states, state].slice(-STATES_KEPT);
  }

  /** From now on nothing older may be shown. */
  settle(state: MarketState): void {
    this.#seen = state.number;
  }

  /** Those that an answer may be of whose question was asked when `oldest` was the oldest. */
  since(oldest: number): readonly MarketState[] {
    return this.#states.filter(({ number }) => number >= oldest);
  }
}
