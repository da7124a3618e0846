// The snapshots of past days: built one at a time, each once however many requests want it, and cached up to a number of bytes.
//
// Clients take turns: each has a few days that wait, and the next day to be built is one of the client that has waited longest. A day
// that no request waits for any more is not built. A new publication empties the cache, because it may have changed any close; days
// that wait are then built from it.
//
// The bound on memory counts a snapshot until no thread holds it any more (lent-memory.ts). Before a day is built, others are forgotten
// to make room for it, and the threads collect their garbage if that is needed.

import { ByteCache } from '../common/byte-cache.ts';
import type { PastDay } from '../history/past-snapshot.ts';
import { bytesOfSnapshot, type SnapshotDescriptor } from '../snapshot/build/share.ts';
import type { LentMemory } from './lent-memory.ts';
import { nameOfPast, type PastFailure, type PastRequest, type SentPast } from './thread-messages.ts';

/** Days that wait while another one is built, and of one client; requests for more are refused. */
export const MAX_WAITING = 16;
export const MAX_WAITING_PER_CLIENT = 8;
/** Bytes of forgotten snapshots that are worth a collection of garbage in each thread, which takes it some hundredths of a second. */
const MUCH_FORGOTTEN = 16 * 2 ** 20;

export type PastAnswer = SentPast | PastFailure;

interface WaitingDay {
  readonly past: PastDay;
  readonly client: string;
  readonly answer: PromiseWithResolvers<PastAnswer>;
  /** Those that have not been withdrawn. */
  readonly requests: Set<PastRequest>;
}

interface CachedDay {
  readonly past: PastDay;
  readonly sent: SentPast;
}

/** What the thread that builds them returns. */
export interface BuiltPast {
  readonly snapshot: SnapshotDescriptor;
  /** That it keeps in its memory for the next ones. */
  readonly keptBytes: number;
}

export interface PastDaysOptions {
  readonly build: (past: PastDay) => Promise<BuiltPast>;
  /** Gets each day that was cached and no longer is. */
  readonly onForgotten: (past: PastDay) => void;
  readonly maxBytes: number;
  readonly memory: LentMemory;
  /** Bytes that a day will probably take. */
  readonly estimate?: (past: PastDay) => number;
}

export class PastDays {
  readonly #options: PastDaysOptions;
  readonly #cache: ByteCache<CachedDay>;
  /** By name, in the order of their first requests. */
  readonly #waiting = new Map<string, WaitingDay>();
  #building: { readonly name: string; readonly answer: Promise<PastAnswer>; isCurrent: boolean } | null = null;
  /** The clients whose days were built last, the latest one last. */
  #served: string[] = [];
  #nextId = 1;
  /** Of the thread that builds. */
  #keptBytes = 0;

  constructor(options: PastDaysOptions) {
    this.#options = options;
    this.#cache = new ByteCache(options.maxBytes, ({ past }) => options.onForgotten(past));
  }

  /** There is a new publication. */
  published(): void {
    this.#cache.clear();
    if (this.#building !== null) this.#building.isCurrent = false;
  }

  async get(request: PastRequest): Promise<PastAnswer> {
    const { client, interval, day, optional, inactive, quote = null, lag = 0 } = request;
    const past = { interval, day, optional, inactive, quote, lag };
    const name = nameOfPast(past);
    const known = this.#cache.get(name);
    if (known !== undefined) return known.sent;
    if (this.#building?.name === name && this.#building.isCurrent) return this.#building.answer;
    const waiting = this.#waiting.get(name);
    if (waiting !== undefined) {
      waiting.requests.add(request);
      return waiting.answer.promise;
    }
    const own = [...this.#waiting.values()].filter(each => each.client === client).length;
    if (this.#waiting.size >= MAX_WAITING || own >= MAX_WAITING_PER_CLIENT) return 'busy';
    const answer = Promise.withResolvers<PastAnswer>();
    this.#waiting.set(name, { past, client, answer, requests: new Set([request]) });
    if (this.#building === null) void this.#buildAll();
    return answer.promise;
  }

  /** The clients of a request have gone: of the object that was given to `get`, because another one may wait for the same day. */
  withdraw(request: PastRequest): void {
    const name = nameOfPast(request);
    const waiting = this.#waiting.get(name);
    if (!waiting?.requests.delete(request) || waiting.requests.size > 0) return;
    this.#waiting.delete(name);
    waiting.answer.resolve('busy');
  }

  /**
   * To be called now and then: threads hold the memory of snapshots that were forgotten until they collect their garbage, and one that has
   * little else to do may not do so for long.
   */
  async freeForgotten(): Promise<void> {
    const most = this.#cache.bytes + MUCH_FORGOTTEN;
    if (this.#building === null && this.#options.memory.bytes > most) await this.#options.memory.shrinkTo(most);
  }

  async #buildAll(): Promise<void> {
    for (let next = this.#next(); next !== null; next = this.#next()) {
      const { past, client, answer } = next;
      const name = nameOfPast(past);
      this.#waiting.delete(name);
      this.#served = [...this.#served.filter(each => each !== client), client].slice(-MAX_WAITING);
      const building = { name, answer: answer.promise, isCurrent: true };
      this.#building = building;
      answer.resolve(await this.#build(past, building));
    }
    this.#building = null;
  }

  /** Of the client whose turn was longest ago. */
  #next(): WaitingDay | null {
    let [next, turn]: [WaitingDay | null, number] = [null, Number.POSITIVE_INFINITY];
    for (const waiting of this.#waiting.values()) {
      const served = this.#served.indexOf(waiting.client);
      if (served < turn) [next, turn] = [waiting, served];
    }
    return next;
  }

  async #build(past: PastDay, building: { readonly isCurrent: boolean }): Promise<PastAnswer> {
    const { build, memory, estimate = () => 0, onForgotten } = this.#options;
    if (!(await this.#makeRoom(estimate(past)))) return 'busy';
    try {
      const { snapshot, keptBytes } = await build(past);
      this.#keptBytes = keptBytes;
      const bytes = bytesOfSnapshot(snapshot);
      const sent = { id: this.#nextId++, snapshot };
      memory.add(sent.id, bytes, snapshot);
      // Unless there was another publication meanwhile.
      const kept = building.isCurrent && this.#cache.set(nameOfPast(past), { past, sent }, bytes);
      // After the threads have got it.
      if (!kept) setImmediate(() => onForgotten(past));
      return sent;
    } catch {
      // The next request tries again.
      return 'unavailable';
    }
  }

  /** False if the threads still hold too much. */
  async #makeRoom(bytes: number): Promise<boolean> {
    const { maxBytes, memory } = this.#options;
    const left = Math.max(0, maxBytes - this.#keptBytes - bytes);
    this.#cache.shrinkTo(left);
    if (await memory.shrinkTo(left)) return true;
    // A day that was forgotten is still read by a request: others that are cached make room instead.
    const inUse = memory.bytes - this.#cache.bytes;
    if (inUse > left || this.#cache.bytes === 0) return false;
    this.#cache.shrinkTo(left - inUse);
    return memory.shrinkTo(left);
  }
}
