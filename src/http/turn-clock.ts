// Tells when requests wait too long for their turn, so that those at the end of the queue can be refused while refusing still
// helps: a queue that only grows makes every answer late, and none of them good.
//
// Requests that arrive together are handled in one turn of the event loop. Each has waited at least since the turn began, and the
// next turn waits until this one ends: who refuses what comes late in a turn bounds the wait of all others to about two limits.
// What else keeps the loop busy, such as long downloads, shows by timers that come late.

const TICK_MS = 50;
/** One late timer may be a pause of the machine's; several in a row are load. */
const LATE_TICKS = 3;

export class TurnClock {
  readonly #limitMs: number;
  readonly #now: () => number;
  #turnBegan: number | null = null;
  #lastTick: number;
  #lateTicks = 0;

  /** 0: nothing is ever too late. */
  constructor(limitMs: number, now: () => number = () => performance.now()) {
    this.#limitMs = limitMs;
    this.#now = now;
    this.#lastTick = now();
    if (limitMs > 0) setInterval(() => this.tick(), TICK_MS).unref();
  }

  /** To be asked once for each request, when it is taken up. */
  isTooLate(): boolean {
    if (this.#limitMs === 0) return false;
    const now = this.#now();
    if (this.#turnBegan === null) {
      this.#turnBegan = now;
      // Runs when everything that had arrived is handled.
      setImmediate(() => {
        this.#turnBegan = null;
      });
    }
    return now - this.#turnBegan > this.#limitMs || this.isLagging;
  }

  /** Whether the loop has been busy with something else for a while. */
  get isLagging(): boolean {
    return this.#lateTicks >= LATE_TICKS;
  }

  /** Called by a timer; by hand in tests. */
  tick(): void {
    const now = this.#now();
    const late = now - this.#lastTick - TICK_MS > this.#limitMs;
    this.#lateTicks = late ? this.#lateTicks + 1 : 0;
    this.#lastTick = now;
  }
}
