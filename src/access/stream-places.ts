// How many streams each API key, or each address, has open. The counts lie in memory that all threads share, and each thread counts
// in an area of its own, so that the streams of a thread that dies are no longer counted.

import { crc32 } from 'node:zlib';
import { SharedLimits } from './shared-limits.ts';

/** One per slot of the API keys. */
const PLACES = SharedLimits.slots;

export class StreamPlaces {
  readonly buffer: SharedArrayBuffer;
  readonly #counts: Int32Array<SharedArrayBuffer>;
  readonly #own: number;

  static bufferFor(areas: number): SharedArrayBuffer {
    return new SharedArrayBuffer(areas * PLACES * 4);
  }

  /** The place of a client without an API key. Addresses that share a place share its limit. */
  static ofAddress(network: string): number {
    return crc32(network) % PLACES;
  }

  constructor(buffer: SharedArrayBuffer = StreamPlaces.bufferFor(1), area = 0) {
    this.buffer = buffer;
    this.#counts = new Int32Array(buffer);
    this.#own = area * PLACES;
  }

  /** False if the limit is reached. Of two that take the last place in two threads at once, both may be refused. */
  take(place: number, limit: number): boolean {
    Atomics.add(this.#counts, this.#own + place, 1);
    let open = 0;
    for (let at = place; at < this.#counts.length; at += PLACES) open += Atomics.load(this.#counts, at);
    if (open <= limit) return true;
    this.release(place);
    return false;
  }

  release(place: number): void {
    Atomics.sub(this.#counts, this.#own + place, 1);
  }

  /** The thread of this area has ended. */
  clear(): void {
    this.#counts.fill(0, this.#own, this.#own + PLACES);
  }
}
