// The state of the service in a few words of shared memory, so that every thread sees it at once: when its data was last known to be
// current, whether the store is unreachable, and whether the server is stopping. The supervisor writes, the serving threads read.

const WORDS = 4;

export class ServiceState {
  readonly buffer: SharedArrayBuffer;
  /** Aligned words of eight bytes are written and read whole. */
  readonly #words: Float64Array<SharedArrayBuffer>;

  /** Without a buffer, a new one; with one, what another thread writes. */
  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(WORDS * 8)) {
    this.buffer = buffer;
    this.#words = new Float64Array(buffer);
  }

  /** When the store last said that what is served is what it holds, in milliseconds since 1970; 0: never. */
  get confirmedAt(): number {
    return this.#words[0]!;
  }

  set confirmedAt(millis: number) {
    this.#words[0] = millis;
  }

  get storeUnreachable(): boolean {
    return this.#words[1] === 1;
  }

  set storeUnreachable(unreachable: boolean) {
    this.#words[1] = Number(unreachable);
  }

  get stopping(): boolean {
    return this.#words[2] === 1;
  }

  set stopping(stopping: boolean) {
    this.#words[2] = Number(stopping);
  }

  /** Time of the newest tick of live prices, in milliseconds since 1970; null without live prices. */
  get newestTick(): number | null {
    return this.#words[3] === 0 ? null : this.#words[3]!;
  }

  set newestTick(millis: number | null) {
    this.#words[3] = millis ?? 0;
  }

  /** Whole seconds since the data was last known to be current. At least 0, also after the clock was set back. */
  ageSeconds(now: number): number {
    return Math.max(0, Math.floor((now - this.confirmedAt) / 1000));
  }
}
