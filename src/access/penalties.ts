// Counts refusals, so that a client that causes many of them can be slowed down: a network that sends bad API keys, or a key far
// above its rate. Guessing is hopeless because of the length of a key (190 random bits); this keeps a guesser, or a broken client, from
// taking the machine's time. Good keys are always served, because many clients can share an address.
//
// The counts lie in memory that all threads share. Names are hashed to places. Two names on one place are counted together, which can
// delay refusals of the one, never its accepted requests.

import { crc32 } from 'node:zlib';

const PLACES = 2 ** 16;
/** Refusals at once before it counts as too many, and how fast that allowance grows back. */
const BURST = 20;
const PER_SECOND = 1;

export class Penalties {
  readonly buffer: SharedArrayBuffer;
  /** When the allowance of a place is full again, in milliseconds. Where two threads write at once, one refusal is not counted, no more. */
  readonly #fullAt: Float64Array<SharedArrayBuffer>;

  /** Without a buffer, a new one; with one, the counts that another thread made. */
  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(PLACES * 8)) {
    this.buffer = buffer;
    this.#fullAt = new Float64Array(buffer);
  }

  /** Milliseconds until a refusal of this name is within its allowance; 0 when this one is, and then it is counted. */
  penalize(name: string, now: number): number {
    const place = crc32(name) & (PLACES - 1);
    const fullAt = Math.max(now, this.#fullAt[place]!) + 1000 / PER_SECOND;
    const wait = fullAt - now - (BURST * 1000) / PER_SECOND;
    if (wait > 0) return wait;
    this.#fullAt[place] = fullAt;
    return 0;
  }
}
