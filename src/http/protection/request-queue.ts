// Shares the event loop out: requests are worked on for a few milliseconds a turn, and what is left waits for the next turns, first
// come, first served. Whoever has waited too long is refused, where refusing helps: a queue that only grows makes every answer
// late, and none of them good. But a request must be read before it can be refused, and an answer that lies ready takes hardly
// longer than that: whoever refuses those has soon no time left to answer any.
//
// Turns must be short because a turn takes in one new connection only (libuv accepts no more). A thousand requests worked on in one
// go would keep everybody who connects waiting, with questions after the health of the service among them.

/** Of one turn, for requests. */
const SHARE_MS = 2;
/** Clients that send without waiting for answers could have any number of them wait. */
const MOST_WAITING = 20_000;

/** Of work; refusing what takes less would spare nothing. A few times what reading a request takes. */
const WORTH_REFUSING_MS = 0.25;
/** The latest requests that were worked on tell what the next one will take, */
const LATEST = 64;
/** without the longest one of so many: a full machine stops a thread for milliseconds, and so does collecting garbage. */
const LEFT_OUT_OF = 16;
/** One of so many is answered although it is late, or nobody would notice that requests have become lighter. */
const ANSWERED_LATE = 64;

/** What else keeps the loop busy, such as long downloads, shows by a timer that comes late. */
const TICK_MS = 50;
/** One late timer may be a pause of the machine's; several in a row are load. */
const LATE_TICKS = 3;

/** Does what is to be done, or refuses to. */
export type Work = (refused: boolean) => void;

export class RequestQueue {
  readonly #limitMs: number;
  readonly #onQueued: (change: 1 | -1) => void;
  readonly #now: () => number;
  #waiting: { readonly work: Work; readonly since: number }[] = [];
  /** Where the queue begins; what stands before was done. */
  #first = 0;
  #turnBegan = 0;
  #inTurn = false;
  #lastTick: number;
  #lateTicks = 0;
  /** How long each of the latest requests was worked on. */
  readonly #workMs = new Float64Array(LATEST);
  #answered = 0;
  #late = 0;
  #refusingHelps = false;

  /** `limitMs`: the wait after which a request is refused; 0: however long. `onQueued`: those that wait became more or fewer. */
  constructor(limitMs: number, onQueued: (change: 1 | -1) => void, now: () => number = () => performance.now()) {
    this.#limitMs = limitMs;
    this.#onQueued = onQueued;
    this.#now = now;
    this.#lastTick = now();
    if (limitMs > 0) setInterval(() => this.tick(), TICK_MS).unref();
  }

  get waiting(): number {
    return this.#waiting.length - this.#first;
  }

  /** Does the work at once when nobody waits and the turn is young. */
  take(work: Work): void {
    const now = this.#now();
    if (!this.#inTurn) {
      this.#inTurn = true;
      this.#turnBegan = now;
      // When everything that had arrived was taken.
      setImmediate(this.#nextTurn);
    }
    if (this.waiting === 0 && now - this.#turnBegan < SHARE_MS) this.#do(work, this.isLagging, now);
    else if (this.waiting >= MOST_WAITING) work(true);
    else {
      this.#waiting.push({ work, since: now });
      this.#onQueued(1);
    }
  }

  /** Whether the loop has been busy with something else for a while. */
  get isLagging(): boolean {
    return this.#lateTicks >= LATE_TICKS;
  }

  /** Looked at once a turn. */
  #learn(): void {
    const known = Math.min(this.#answered, LATEST);
    const usual = this.#workMs
      .slice(0, known)
      .sort()
      .subarray(0, known - Math.floor(known / LEFT_OUT_OF));
    this.#refusingHelps =
      known > 0 && usual.reduce((sum, millis) => sum + millis, 0) >= WORTH_REFUSING_MS * usual.length;
  }

  #do(work: Work, late: boolean, began: number): void {
    const refused = late && this.#refusingHelps && ++this.#late % ANSWERED_LATE !== 0;
    work(refused);
    if (!refused) this.#workMs[this.#answered++ % LATEST] = this.#now() - began;
  }

  /** Called by a timer; by hand in tests. */
  tick(): void {
    const now = this.#now();
    const late = now - this.#lastTick - TICK_MS > this.#limitMs;
    this.#lateTicks = late ? this.#lateTicks + 1 : 0;
    this.#lastTick = now;
  }

  readonly #nextTurn = (): void => {
    const began = this.#now();
    this.#learn();
    for (let now = began; this.waiting > 0 && now - began < SHARE_MS; now = this.#now()) {
      const { work, since } = this.#waiting[this.#first++]!;
      this.#onQueued(-1);
      const tooLate = (this.#limitMs > 0 && now - since > this.#limitMs) || this.isLagging;
      this.#do(work, tooLate, now);
    }
    this.#inTurn = this.waiting > 0;
    if (this.#inTurn) setImmediate(this.#nextTurn);
    // Now and then, so that taking the first one out costs nothing.
    if (!this.#inTurn || this.#first > MOST_WAITING) {
      this.#waiting = this.#waiting.slice(this.#first);
      this.#first = 0;
    }
  };
}
