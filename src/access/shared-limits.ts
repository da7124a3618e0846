// The state of every API key's limits, in memory that all threads share, so that a limit is exact however many of them serve.
//
// The rate is a token bucket, kept as the one number that says when it will be full again (the generic cell rate algorithm):
// a request moves that time on by 1 / rate, and is refused when that would put it more than burst / rate ahead of now. One
// number means one compare-and-exchange, without a lock. The count of a day is one number as well: the day and the count in it.
//
// Each slot has the counts of four days. When the clock is set ahead and back, or threads see midnight at different moments, the
// counts of the other days are still there; only four further days in a row take the place of a day.

import type { Tier } from '../domain/tiers.ts';

const SLOTS = 65_536;
/** When the bucket is full again, in microseconds. */
const FULL = 0;
/** Which of the days was used last: 0 to 3. */
const LAST = 1;
const DAYS = 4;
/** Each followed by the same of the other days: the day with its accepted requests, the day with its refused ones. */
const ACCEPTED = 2;
const REFUSED = ACCEPTED + DAYS;
const WORDS = REFUSED + DAYS;
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
   * One request of an API key at a time in microseconds, on a UTC day. `servers` share the rate: each gives out its part of it.
   * A refused request uses up nothing.
   */
  take(slot: number, tier: Tier, nowMicros: bigint, day: number, msToMidnight: number, servers = 1): Verdict {
    const at = slot * WORDS;
    const which = this.#dayAt(at, day);
    const used = Number(Atomics.load(this.#words, at + ACCEPTED + which) & COUNT_MASK);
    if (used >= tier.quota) {
      this.#add(at + REFUSED + which, day, 1);
      const full = Atomics.load(this.#words, at + FULL);
      return { accepted: false, by: 'quota', retryInMs: msToMidnight, ...left(tier, full, nowMicros, servers, 0) };
    }
    const { full, waitMicros } = this.#takeToken(at + FULL, tier, nowMicros, servers);
    if (waitMicros > 0n) {
      this.#add(at + REFUSED + which, day, 1);
      const state = left(tier, full, nowMicros, servers, tier.quota - used);
      return { accepted: false, by: 'rate', retryInMs: Number(waitMicros) / 1000, ...state };
    }
    const count = this.#add(at + ACCEPTED + which, day, 1);
    return { accepted: true, ...left(tier, full, nowMicros, servers, Math.max(0, tier.quota - count)) };
  }

  #takeToken(at: number, tier: Tier, now: bigint, servers: number): { full: bigint; waitMicros: bigint } {
    const token = BigInt(Math.round(tokenMicros(tier, servers)));
    const depth = token * BigInt(burstOf(tier, servers));
    for (;;) {
      const known = Atomics.load(this.#words, at);
      const full = (known > now ? known : now) + token;
      if (full - now > depth) return { full: known, waitMicros: full - now - depth };
      if (Atomics.compareExchange(this.#words, at, known, full) === known) return { full, waitMicros: 0n };
    }
  }

  /** What the slot counted on the day that was used last. */
  use(slot: number): SlotUse {
    return this.#useAt(slot * WORDS, Number(Atomics.load(this.#words, slot * WORDS + LAST)));
  }

  /** What the slot counted on each of the days that it knows. */
  uses(slot: number): SlotUse[] {
    const uses = Array.from({ length: DAYS }, (_, which) => this.#useAt(slot * WORDS, which));
    return uses.filter(({ day }) => day > 0);
  }

  #useAt(at: number, which: number): SlotUse {
    const accepted = Atomics.load(this.#words, at + ACCEPTED + which);
    const refused = Atomics.load(this.#words, at + REFUSED + which);
    const sameDay = accepted >> COUNT_BITS === refused >> COUNT_BITS;
    return {
      day: Number(accepted >> COUNT_BITS),
      accepted: Number(accepted & COUNT_MASK),
      refused: sameDay ? Number(refused & COUNT_MASK) : 0,
    };
  }

  /** Counts requests that were answered elsewhere: before a restart, or by another server. */
  addElsewhere(slot: number, day: number, accepted: number): void {
    if (accepted === 0) return;
    const at = slot * WORDS;
    this.#add(at + ACCEPTED + this.#dayAt(at, day), day, accepted);
  }

  /** Which of the slot's days this is; begins it at zero, in the place after the day used last, when it is none of them. */
  #dayAt(at: number, day: number): number {
    // Read first: threads that begin the same day together choose the same place.
    const last = Number(Atomics.load(this.#words, at + LAST));
    for (let i = 0; i < DAYS; i++) {
      const which = (last + i) % DAYS;
      if (this.#dayOf(at + ACCEPTED + which) !== day) continue;
      if (i > 0) Atomics.store(this.#words, at + LAST, BigInt(which));
      return which;
    }
    const next = (last + 1) % DAYS;
    this.#add(at + ACCEPTED + next, day, 0);
    Atomics.store(this.#words, at + LAST, BigInt(next));
    return next;
  }

  #dayOf(at: number): number {
    return Number(Atomics.load(this.#words, at) >> COUNT_BITS);
  }

  /** The count after adding; a new day begins at zero. */
  #add(at: number, day: number, amount: number): number {
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

/** What one of the servers that share the rate of a tier grants: requests at once, and the seconds until all are available again. */
export function shareOf(tier: Tier, servers: number): { readonly burst: number; readonly seconds: number } {
  const burst = burstOf(tier, servers);
  return { burst, seconds: (burst * tokenMicros(tier, servers)) / 1e6 };
}

function tokenMicros(tier: Tier, servers: number): number {
  return (1e6 / tier.rate) * servers;
}

/** At least one, or a server would refuse every request of the key. */
function burstOf(tier: Tier, servers: number): number {
  return Math.max(1, Math.floor(tier.burst / servers));
}
