// The state of every key's limits, in memory that all threads share, so that a limit is exact however many of them serve.
//
// The rate is a token bucket, kept as the one number that says when it will be full again (the generic cell rate algorithm):
// a request moves that time on by 1 / rate, and is refused when that would put it more than burst / rate ahead of now. One
// number means one compare-and-exchange, without a lock. The day's count is one number as well: the day and the count in it.

import type { Tier } from '../domain/tiers.ts';

const SLOTS = 65_536;
/** Per slot: when the bucket is full again (microseconds), the day with its accepted requests, the day with its refused ones. */
const WORDS = 3;
const COUNT_BITS = 32n;
const COUNT_MASK = (1n << COUNT_BITS) - 1n;

interface Left {
  /** Requests that would be let in at once now. */
  readonly tokens: number;
  /** Until the bucket is full again. */
  readonly fullInMs: number;
  readonly quotaLeft: number;
}

export type Verdict = Left &
  (
    | { readonly accepted: true }
    | { readonly accepted: false; readonly by: 'rate' | 'quota'; readonly retryInMs: number }
  );

export interface SlotUse {
  readonly day: number;
  readonly accepted: number;
  readonly refused: number;
}

export class SharedLimits {
  readonly buffer: SharedArrayBuffer;
  readonly #words: BigInt64Array<SharedArrayBuffer>;

  /** Without a buffer, a new one; with one, the limits that another thread made. */
  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(SLOTS * WORDS * 8)) {
    this.buffer = buffer;
    this.#words = new BigInt64Array(buffer);
  }

  static readonly slots = SLOTS;

  /**
   * One request of a key at a time in microseconds, on a UTC day. `servers` share the rate: each gives out its part of it.
   * What is refused uses up nothing.
   */
  take(slot: number, tier: Tier, nowMicros: bigint, day: number, msToMidnight: number, servers = 1): Verdict {
    const used = this.#count(slot, 1, day);
    if (used >= tier.quota) {
      this.#add(slot, 2, day, 1);
      const full = Atomics.load(this.#words, slot * WORDS);
      return { accepted: false, by: 'quota', retryInMs: msToMidnight, ...left(tier, full, nowMicros, servers, 0) };
    }
    const { full, waitMicros } = this.#takeToken(slot, tier, nowMicros, servers);
    if (waitMicros > 0n) {
      this.#add(slot, 2, day, 1);
      const state = left(tier, full, nowMicros, servers, tier.quota - used);
      return { accepted: false, by: 'rate', retryInMs: Number(waitMicros) / 1000, ...state };
    }
    const count = this.#add(slot, 1, day, 1);
    return { accepted: true, ...left(tier, full, nowMicros, servers, Math.max(0, tier.quota - count)) };
  }

  #takeToken(slot: number, tier: Tier, now: bigint, servers: number): { full: bigint; waitMicros: bigint } {
    const token = BigInt(Math.round(tokenMicros(tier, servers)));
    const depth = token * BigInt(burstOf(tier, servers));
    const at = slot * WORDS;
    for (;;) {
      const known = Atomics.load(this.#words, at);
      const full = (known > now ? known : now) + token;
      if (full - now > depth) return { full: known, waitMicros: full - now - depth };
      if (Atomics.compareExchange(this.#words, at, known, full) === known) return { full, waitMicros: 0n };
    }
  }

  /** What the slot counted on its last day. */
  use(slot: number): SlotUse {
    const accepted = Atomics.load(this.#words, slot * WORDS + 1);
    const refused = Atomics.load(this.#words, slot * WORDS + 2);
    const day = Number(accepted >> COUNT_BITS);
    const refusedDay = Number(refused >> COUNT_BITS);
    const newest = Math.max(day, refusedDay);
    return {
      day: newest,
      accepted: day === newest ? Number(accepted & COUNT_MASK) : 0,
      refused: refusedDay === newest ? Number(refused & COUNT_MASK) : 0,
    };
  }

  /** Counts requests that were answered elsewhere: before a restart, or by another server. */
  addElsewhere(slot: number, day: number, accepted: number): void {
    if (accepted > 0) this.#add(slot, 1, day, accepted);
  }

  #count(slot: number, word: number, day: number): number {
    const value = Atomics.load(this.#words, slot * WORDS + word);
    return Number(value >> COUNT_BITS) === day ? Number(value & COUNT_MASK) : 0;
  }

  /** The count after adding; a new day begins at zero. */
  #add(slot: number, word: number, day: number, amount: number): number {
    const at = slot * WORDS + word;
    for (;;) {
      const known = Atomics.load(this.#words, at);
      const count = (Number(known >> COUNT_BITS) === day ? Number(known & COUNT_MASK) : 0) + amount;
      const next = (BigInt(day) << COUNT_BITS) | BigInt(count);
      if (Atomics.compareExchange(this.#words, at, known, next) === known) return count;
    }
  }
}

function left(tier: Tier, full: bigint, now: bigint, servers: number, quotaLeft: number): Left {
  const fullInMs = Math.max(0, Number(full - now)) / 1000;
  // A millionth of a token is rounding, not a token that is missing.
  const tokens = burstOf(tier, servers) - (fullInMs * 1000) / tokenMicros(tier, servers) + 1e-6;
  return { tokens: Math.max(0, Math.floor(tokens)), fullInMs, quotaLeft };
}

function tokenMicros(tier: Tier, servers: number): number {
  return (1e6 / tier.rate) * servers;
}

/** At least one, or a key could never ask a server. */
function burstOf(tier: Tier, servers: number): number {
  return Math.max(1, Math.floor(tier.burst / servers));
}
