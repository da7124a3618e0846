// The scheduler of a serving thread: decides what the thread works on next, and for how long.
//
// Work belongs to a client: an API key, or the address of requests without one. The client that has used the least time for its weight
// goes first (weighted fair queueing), so that a client waits behind its own work, whatever the others send. Work that takes longer
// than a time slice comes in steps, and goes on at its client's next turn. If a client has closed its connection, its work is not begun,
// or ends at its next step.
//
// The thread accepts and reads first: all work of one turn of the event loop has a few milliseconds, and waits for a moment while
// connections arrive, because libuv accepts one per turn. Urgent requests (health, metrics) do not wait behind others.
//
// While others have requests, a client does not get all of the thread's time, and one that pipelines gets a third: a thread that is
// always busy also collects garbage all the time, for which everybody waits.
//
// Load shedding: a request that has waited too long is refused, and so is one of a client of which too many wait. Clients do not wait
// for each other, so that this is a request of the client that causes the load.

import { Fifo } from '../../common/fifo.ts';
import type { AtTurn, Steps } from '../../common/steps.ts';
import { type Begin, CLIENT_GONE, Client, type Computation, WAITED_TOO_LONG } from './scheduler-client.ts';
import { UsedTimeHeap } from './used-time-heap.ts';

/** Time for work in one turn of the event loop. */
const SLICE_MS = 2;
/** A turn in which a connection has arrived does no work, because there may be more: for at most this long. */
const ACCEPTING_MS = 20;
/** Computations of one client that take turns. The others wait, and hold no memory yet. */
const MAX_STARTED = 4;
/** A read of the store for which the client's next one need not wait any longer: a part of the store may hang, and the others answer. */
const LONG_READ_MS = 250;
/** Of all clients, because a read may hold a history, and of one of them. Further ones keep their slot until another one has ended. */
const MAX_LONG_READS = 16;
const MAX_LONG_READS_PER_CLIENT = 8;
/** Requests of one client that wait. */
export const MAX_WAITING = 2000;
/** Requests of all clients that wait. */
const MAX_WAITING_IN_ALL = 20_000;
/** The part of the thread's time that a client gets while others have requests. */
const SHARE = 0.9;
const PIPELINING_SHARE = 1 / 3;
/** Shorter pauses are saved up: a timer has whole milliseconds. */
const SHORTEST_PAUSE_MS = 2;
/** Others have requests until so long after their latest one. */
const OTHERS_MS = 100;
/** Late requests are refused so many times within the limit. */
const CHECKS_PER_LIMIT = 10;
/** A client without work for this long is forgotten. */
const FORGET_MS = 60_000;

export interface SchedulerOptions {
  /** Milliseconds after which a waiting request is refused; 0: never. */
  readonly shedAfterMs: number;
  /** One more or one fewer request waits. */
  readonly onQueued: (change: 1 | -1) => void;
  /** In milliseconds. */
  readonly now?: () => number;
  /** The part of the thread's time that a client gets while others have requests. */
  readonly share?: number;
}

export class Scheduler {
  readonly #share: number;
  readonly #shedAfterMs: number;
  readonly #onQueued: (change: 1 | -1) => void;
  readonly #now: () => number;
  readonly #clients = new Map<string, Client>();
  /** Those with work that do not pause. */
  readonly #ready = new UsedTimeHeap<Client>();
  readonly #urgent = new Fifo<() => void>();
  #waiting = 0;
  /** Reads that have given their slot to the next one. */
  #longReads = 0;
  /** By the id of the client, whether it pipelines or not. */
  readonly #longReadsOf = new Map<string, number>();
  /** What the client that was served last had used: one that comes back does not get the time that it has not used. */
  #clock = 0;
  #turnBegan = 0;
  #inTurn = false;
  #hasAccepted = false;
  /** The latest turn that did work, or could have. */
  #workedAt = 0;
  /** Whose work is being done, until when, and when the request arrived. */
  #current: Client | null = null;
  #until = 0;
  #since = 0;
  /** The client that has taken most of the turn. */
  #busiest: Client | null = null;
  #busiestMs = 0;
  /** The client with the latest request, and when another one had its latest. */
  #latest: Client | null = null;
  #latestAt = Number.NEGATIVE_INFINITY;
  #othersAt = Number.NEGATIVE_INFINITY;

  constructor({ shedAfterMs, onQueued, now = () => performance.now(), share = SHARE }: SchedulerOptions) {
    this.#share = share;
    this.#shedAfterMs = shedAfterMs;
    this.#onQueued = onQueued;
    this.#now = now;
    if (shedAfterMs > 0) setInterval(() => this.refuseLate(), Math.max(5, shedAfterMs / CHECKS_PER_LIMIT)).unref();
    setInterval(() => this.#forgetIdle(), FORGET_MS).unref();
  }

  /** Requests that wait. */
  get waiting(): number {
    return this.#waiting + this.#urgent.length;
  }

  /** `isPipelining`: the connection has sent a request before the one before it was answered. */
  clientOf(id: string, weight: number, isPipelining = false): Client {
    const name = isPipelining ? `${id} pipelining` : id;
    let client = this.#clients.get(name);
    if (client?.weight !== weight) {
      client = new Client(id, weight, isPipelining ? PIPELINING_SHARE : this.#share);
      this.#clients.set(name, client);
    }
    return client;
  }

  /** A connection was accepted. */
  accepted(): void {
    this.#hasAccepted = true;
  }

  /** For work that takes microseconds. */
  urgent(work: () => void): void {
    const now = this.#beginTurn();
    if (this.#urgent.length === 0 && now - this.#turnBegan < SLICE_MS) work();
    else this.#urgent.push(work);
  }

  /** Begins a request: at once, if no work waits and the turn is young. */
  admit(client: Client, begin: Begin): void {
    const now = this.#beginTurn();
    this.#arrived(client, now);
    if (this.#ready.size === 0 && !client.isPaused && now - this.#turnBegan < SLICE_MS) {
      client.used = Math.max(client.used, this.#clock);
      this.#until = this.#turnBegan + SLICE_MS;
      this.#since = now;
      this.#do(client, now, () => begin(null));
    } else if (client.requests.length >= MAX_WAITING || this.#waiting >= MAX_WAITING_IN_ALL) {
      begin('too many');
    } else {
      this.#count(1);
      client.requests.push({ begin, since: now });
      this.#activate(client);
    }
  }

  /**
   * Runs a computation of a request, as far as possible at once. If it has to wait, it may fail with `CLIENT_GONE` or `WAITED_TOO_LONG`; its
   * steps are then ended.
   */
  run<T>(client: Client, steps: Steps<T>, isGone: () => boolean): T | Promise<T> {
    const isTurn = this.#current === client;
    if (!isTurn || client.started.length >= MAX_STARTED || client.waiting.length > 0) {
      return this.#later(client, client.waiting, steps, isGone, isTurn ? this.#since : this.#now());
    }
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (this.#now() < this.#until);
    return this.#later(client, client.started, steps, isGone, this.#since);
  }

  /** Does one part of a long response. It may fail with `CLIENT_GONE`. */
  piece<T>(client: Client, work: () => T | Promise<T>, isGone: () => boolean): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const advance = (): boolean => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
      return true;
    };
    this.#enqueue(client, client.pieces, { advance, fail: reject, isGone, since: this.#now() });
    return promise;
  }

  /**
   * Does work that holds what it reads from the store, a few at a time per client; the rest waits and holds nothing. During a long
   * read the next one begins. Reading from an embedded store takes the time of the thread: the work passes it to `atTurn`, which
   * runs it at the client's turn. Both may fail with `CLIENT_GONE`, or with `WAITED_TOO_LONG` before they begin.
   */
  async slot<T>(client: Client, work: (atTurn: AtTurn) => Promise<T>, isGone: () => boolean): Promise<T> {
    if (client.slotsTaken < MAX_STARTED) client.slotsTaken++;
    else {
      await new Promise<void>((begin, fail) => {
        client.slotQueue.push({ begin, fail, isGone, since: this.#now() });
      });
    }
    let isLong = false;
    const takesLong = () => {
      const own = this.#longReadsOf.get(client.id) ?? 0;
      if (isLong || this.#longReads >= MAX_LONG_READS || own >= MAX_LONG_READS_PER_CLIENT) return;
      isLong = true;
      this.#longReads++;
      this.#longReadsOf.set(client.id, own + 1);
      this.#leaveSlot(client);
    };
    // Timed from its turn on, so that waiting for a turn does not count, nor what an embedded store does.
    const timed = async <R>(read: () => Promise<R>): Promise<R> => {
      const timer = setInterval(takesLong, LONG_READ_MS);
      try {
        return await read();
      } finally {
        clearInterval(timer);
      }
    };
    try {
      return await work(read => this.piece(client, () => timed(read), isGone));
    } finally {
      if (isLong) {
        this.#longReads--;
        const own = this.#longReadsOf.get(client.id)!; // counted above
        if (own > 1) this.#longReadsOf.set(client.id, own - 1);
        else this.#longReadsOf.delete(client.id);
      } else this.#leaveSlot(client);
    }
  }

  /** The next one that waits gets the slot. */
  #leaveSlot(client: Client): void {
    for (;;) {
      const next = client.slotQueue.shift();
      if (next === undefined) {
        client.slotsTaken--;
        return;
      }
      if (next.isGone()) next.fail(CLIENT_GONE);
      else if (this.#isLate(next, this.#now())) next.fail(WAITED_TOO_LONG);
      else {
        next.begin();
        return;
      }
    }
  }

  /** Called by a timer; tests call it themselves. */
  refuseLate(): void {
    const now = this.#now();
    for (const client of this.#clients.values()) {
      while (this.#isLate(client.requests.first, now)) this.#beginRequest(client, now);
      for (const queue of [client.waiting, client.slotQueue]) {
        while (this.#isLate(queue.first, now)) queue.shift()?.fail(WAITED_TOO_LONG);
      }
      if (!client.hasWork) this.#ready.remove(client);
    }
  }

  #later<T>(
    client: Client,
    queue: Fifo<Computation>,
    steps: Steps<T>,
    isGone: () => boolean,
    since: number,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const advance = (until: number): boolean => {
      try {
        do {
          const { done, value } = steps.next();
          if (!done) continue;
          resolve(value);
          return true;
        } while (this.#now() < until);
        return false;
      } catch (error) {
        reject(error);
        return true;
      }
    };
    const fail = (error: Error): void => {
      // Runs the `finally` blocks of the steps; nothing reads the value.
      steps.return(undefined as T);
      reject(error);
    };
    this.#enqueue(client, queue, { advance, fail, isGone, since });
    return promise;
  }

  #enqueue(client: Client, queue: Fifo<Computation>, computation: Computation): void {
    this.#beginTurn();
    queue.push(computation);
    this.#activate(client);
  }

  #beginTurn(): number {
    const now = this.#now();
    if (!this.#inTurn) {
      this.#inTurn = true;
      this.#turnBegan = now;
      // After everything that has arrived was read.
      setImmediate(this.#turn);
    }
    return now;
  }

  readonly #turn = (): void => {
    let now = this.#now();
    this.#pauseBusiest(now);
    this.#turnBegan = now;
    const ends = now + SLICE_MS;
    const accepts = this.#hasAccepted && now - this.#workedAt < ACCEPTING_MS;
    this.#hasAccepted = false;
    if (!accepts) this.#workedAt = now;
    do {
      this.#urgent.shift()?.();
      const client = accepts ? undefined : this.#ready.first;
      if (client !== undefined) this.#serve(client, now, ends);
      else if (this.#urgent.length === 0) break;
      now = this.#now();
    } while (now < ends);
    // One more turn shows how long this one took with everything that was written.
    this.#inTurn = this.#ready.size > 0 || this.#urgent.length > 0 || this.#busiest !== null;
    if (this.#inTurn) setImmediate(this.#turn);
  };

  #serve(client: Client, now: number, ends: number): void {
    this.#clock = client.used;
    this.#until = ends;
    this.#do(client, now, () => {
      const { requests, pieces } = client;
      const computes = client.started.length + client.waiting.length > 0;
      for (;;) {
        client.turn = (client.turn + 1) % 3;
        if (client.turn === 0 && requests.length > 0) return this.#beginRequest(client, now);
        if (client.turn === 1 && pieces.length > 0) return this.#advance(pieces, now, ends);
        if (client.turn === 2 && computes) return this.#compute(client, now, ends);
      }
    });
    if (client.hasWork) this.#ready.put(client);
    else this.#ready.remove(client);
  }

  #do(client: Client, began: number, work: () => void): void {
    // The end of one response may begin the next request of its connection.
    const outer = this.#current;
    this.#current = client;
    work();
    this.#current = outer;
    const millis = this.#now() - began;
    client.lastUsed = began;
    client.used += millis / client.weight;
    if (client === this.#busiest) this.#busiestMs += millis;
    else if (millis > this.#busiestMs) [this.#busiest, this.#busiestMs] = [client, millis];
  }

  #beginRequest(client: Client, now: number): void {
    const { begin, since } = client.requests.shift()!; // the caller has seen one
    this.#count(-1);
    this.#since = since;
    begin(this.#isLate({ since }, now) ? 'late' : null);
  }

  #compute(client: Client, now: number, ends: number): void {
    const { started, waiting } = client;
    while (started.length < MAX_STARTED && waiting.length > 0) {
      const next = waiting.shift()!; // one waits
      if (next.isGone()) next.fail(CLIENT_GONE);
      else if (this.#isLate(next, now)) next.fail(WAITED_TOO_LONG);
      else started.push(next);
    }
    this.#advance(started, now, ends);
  }

  /** One step at least, also if the turn is over. */
  #advance(queue: Fifo<Computation>, now: number, ends: number): void {
    const next = queue.shift();
    if (next === undefined) return;
    if (next.isGone()) next.fail(CLIENT_GONE);
    else if (!next.advance(Math.max(now, ends))) queue.push(next);
  }

  #isLate(item: { readonly since: number } | undefined, now: number): boolean {
    return item !== undefined && this.#shedAfterMs > 0 && now - item.since > this.#shedAfterMs;
  }

  #activate(client: Client): void {
    if (client.isPaused || client.position >= 0) return;
    client.used = Math.max(client.used, this.#clock);
    this.#ready.put(client);
  }

  #arrived(client: Client, now: number): void {
    if (client !== this.#latest) [this.#latest, this.#othersAt] = [client, this.#latestAt];
    this.#latestAt = now;
  }

  /** The turn counts with everything that was read and written in it. */
  #pauseBusiest(now: number): void {
    const client = this.#busiest;
    this.#busiest = null;
    this.#busiestMs = 0;
    if (client === null) return;
    const othersAt = client === this.#latest ? this.#othersAt : this.#latestAt;
    client.pauseDue =
      now - othersAt < OTHERS_MS ? client.pauseDue + (1 / client.share - 1) * (now - this.#turnBegan) : 0;
    if (client.pauseDue < SHORTEST_PAUSE_MS || client.isPaused) return;
    client.isPaused = true;
    this.#ready.remove(client);
    setTimeout(() => {
      client.isPaused = false;
      if (client.hasWork) this.#beginTurn();
      if (client.hasWork) this.#activate(client);
    }, client.pauseDue).unref();
    client.pauseDue = 0;
  }

  #count(change: 1 | -1): void {
    this.#waiting += change;
    this.#onQueued(change);
  }

  #forgetIdle(): void {
    const now = this.#now();
    for (const [name, client] of this.#clients) {
      if (!client.hasWork && client.slotsTaken === 0 && !client.isPaused && now - client.lastUsed > FORGET_MS)
        this.#clients.delete(name);
    }
  }
}
