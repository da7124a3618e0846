// Shares the event loop among requests: they are worked on for a few milliseconds per turn of the event loop, and the rest waits
// for the next turns, first come, first served. Urgent ones (health, metrics) are never refused, and every second place in
// a turn is theirs.
//
// Pipelined requests, which were sent before the answer to the one before them, wait in a line of their own. They are worked on for a
// shorter time per turn, and never before the others. While there are others, they leave most of the time unused, because a thread
// that is always busy also collects garbage all the time. So clients that send much at once delay each other, and hardly anyone else.
//
// Load shedding: a request that has waited too long is refused, if refusing helps. A queue that only grows makes every answer late.
// But a request must be read before it can be refused, and a ready answer takes hardly longer than that.
//
// Turns must be short because libuv accepts one new connection per turn. A thousand requests worked on in one turn would delay
// every client that connects, health checks among them.

/** Time for requests in one turn. */
const SLICE_MS = 2;
/** Of it, for pipelined requests: one at least, and no further one after this time. */
const PIPELINED_MS = 0.5;
/** While others use the thread, pipelined requests pause for so many times as long as they kept it busy. */
const PAUSE = 2;
/** Shorter pauses are saved up: a timer has whole milliseconds. */
const SHORTEST_PAUSE_MS = 2;
/** Others use the thread until so long after their latest request. */
const OTHERS_MS = 100;
/** Beyond so many waiting requests, the next one is refused at once. */
const MAX_WAITING = 20_000;

/** Refusing saves time only if a request takes at least this much work: a few times what reading it takes. */
const WORTH_REFUSING_MS = 0.25;
/** The work of so many latest requests predicts what the next one will take. */
const SAMPLES = 64;
/** The longest 1 of so many samples is left out: a busy machine and the garbage collector stop a thread for milliseconds. */
const OUTLIERS = 16;
/** One of so many late requests is answered all the same, so that the queue notices when requests have become lighter. */
const ANSWERED_LATE = 64;

/** A timer that fires late shows that something else keeps the loop busy, such as long downloads. */
const TICK_MS = 50;
/** One late timer may be a pause of the machine; several in a row are load. */
const LATE_TICKS = 3;

/** Does the work, or refuses it. */
export type Work = (refused: boolean) => void;

export interface Importance {
  /** Is never refused. */
  readonly urgent?: boolean;
  readonly pipelined?: boolean;
}

interface Waiting {
  readonly work: Work;
  readonly since: number;
  readonly urgent: boolean;
}

export class RequestQueue {
  readonly #limitMs: number;
  readonly #onQueued: (change: 1 | -1) => void;
  readonly #now: () => number;
  readonly #ordinary = new Fifo<Waiting>();
  readonly #urgent = new Fifo<Waiting>();
  readonly #pipelined = new Fifo<Waiting>();
  #turnBegan = 0;
  #inTurn = false;
  /** When the latest request came that was neither pipelined nor urgent. */
  #othersAt = Number.NEGATIVE_INFINITY;
  /** When the turn began that worked on pipelined requests; null: the one before did not. */
  #pipelinedSince: number | null = null;
  /** Milliseconds for which pipelined requests have still to pause. */
  #pauseDue = 0;
  #pausedUntil = 0;
  #isPauseTimed = false;
  #lastTick: number;
  #lateTicks = 0;
  /** Work of each of the latest requests, in milliseconds. */
  readonly #workMs = new Float64Array(SAMPLES);
  #answered = 0;
  #late = 0;
  /** Null: to be found out, at most once per turn. */
  #refusingHelps: boolean | null = null;

  /** `limitMs`: the wait after which a request is refused; 0: never. `onQueued`: more or fewer requests wait. */
  constructor(limitMs: number, onQueued: (change: 1 | -1) => void, now: () => number = () => performance.now()) {
    this.#limitMs = limitMs;
    this.#onQueued = onQueued;
    this.#now = now;
    this.#lastTick = now();
    if (limitMs > 0) setInterval(() => this.tick(), TICK_MS).unref();
  }

  get waiting(): number {
    return this.#othersWaiting + this.#pipelined.length;
  }

  /** Does the work at once if the turn is young and no request waits besides pipelined ones. */
  take(work: Work, { urgent = false, pipelined = false }: Importance = {}): void {
    const now = this.#now();
    if (!pipelined && !urgent) this.#othersAt = now;
    if (!this.#inTurn) {
      this.#inTurn = true;
      this.#turnBegan = now;
      // After everything that had arrived was taken.
      setImmediate(this.#nextTurn);
    }
    const line = pipelined ? this.#pipelined : urgent ? this.#urgent : this.#ordinary;
    const mustWait = pipelined || this.#othersWaiting > 0;
    if (!mustWait && now - this.#turnBegan < SLICE_MS) {
      this.#do({ work, since: now, urgent }, now);
    } else if (!urgent && line.length >= MAX_WAITING) work(true);
    else {
      line.push({ work, since: now, urgent });
      this.#onQueued(1);
    }
  }

  /** Whether the loop has been busy with something else for a while. */
  get isLagging(): boolean {
    return this.#lateTicks >= LATE_TICKS;
  }

  #doesRefusingHelp(): boolean {
    const known = Math.min(this.#answered, SAMPLES);
    const usual = this.#workMs
      .slice(0, known)
      .sort()
      .subarray(0, known - Math.floor(known / OUTLIERS));
    return known > 0 && usual.reduce((sum, millis) => sum + millis, 0) >= WORTH_REFUSING_MS * usual.length;
  }

  #do({ work, since, urgent }: Waiting, now: number): void {
    if (urgent) {
      work(false);
      return;
    }
    const late = (this.#limitMs > 0 && now - since > this.#limitMs) || this.isLagging;
    if (late) this.#refusingHelps ??= this.#doesRefusingHelp();
    const refused = late && this.#refusingHelps === true && ++this.#late % ANSWERED_LATE !== 0;
    work(refused);
    if (!refused) this.#workMs[this.#answered++ % SAMPLES] = this.#now() - now;
  }

  #doNext(line: Fifo<Waiting>): void {
    const next = line.shift();
    if (next === undefined) return;
    this.#onQueued(-1);
    this.#do(next, this.#now());
  }

  /** Called by a timer; tests call it themselves. */
  tick(): void {
    const now = this.#now();
    const late = now - this.#lastTick - TICK_MS > this.#limitMs;
    this.#lateTicks = late ? this.#lateTicks + 1 : 0;
    this.#lastTick = now;
  }

  get #othersWaiting(): number {
    return this.#ordinary.length + this.#urgent.length;
  }

  /**
   * Begins a pause of pipelined requests if one is due, and returns whether they pause. The time that they took is known in the turn
   * after: by then they were also written, and the next ones were parsed.
   */
  #pausePipelined(now: number): boolean {
    if (this.#pipelinedSince !== null) this.#pauseDue += PAUSE * (now - this.#pipelinedSince);
    this.#pipelinedSince = null;
    if (now - this.#othersAt >= OTHERS_MS) this.#pauseDue = 0;
    if (this.#pauseDue >= SHORTEST_PAUSE_MS) [this.#pausedUntil, this.#pauseDue] = [now + this.#pauseDue, 0];
    return now < this.#pausedUntil;
  }

  readonly #nextTurn = (): void => {
    const began = this.#now();
    const isPaused = this.#pausePipelined(began);
    this.#refusingHelps = null;
    let time = 0;
    do {
      this.#doNext(this.#urgent);
      this.#doNext(this.#ordinary);
      if (!isPaused && time < PIPELINED_MS && this.#pipelined.length > 0) {
        this.#pipelinedSince = began;
        this.#doNext(this.#pipelined);
      } else if (this.#othersWaiting === 0) break;
      time = this.#now() - began;
    } while (this.waiting > 0 && time < SLICE_MS);
    this.#inTurn = this.#othersWaiting > 0 || this.#pipelinedSince !== null;
    if (this.#inTurn) setImmediate(this.#nextTurn);
    else if (this.#pipelined.length > 0) this.#goOnAfter(this.#pausedUntil - began);
  };

  #goOnAfter(millis: number): void {
    if (this.#isPauseTimed) return;
    this.#isPauseTimed = true;
    setTimeout(() => {
      this.#isPauseTimed = false;
      if (this.#inTurn) return;
      this.#inTurn = true;
      this.#turnBegan = this.#now();
      this.#nextTurn();
    }, millis).unref();
  }
}

/** `Array.shift` moves all items of a long array; this moves them once in so many. */
const MAX_TAKEN = 20_000;

class Fifo<T> {
  #items: T[] = [];
  /** How many at the beginning were taken out. */
  #taken = 0;

  get length(): number {
    return this.#items.length - this.#taken;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#taken++];
    if (this.length === 0 || this.#taken > MAX_TAKEN) [this.#items, this.#taken] = [this.#items.slice(this.#taken), 0];
    return item;
  }
}
