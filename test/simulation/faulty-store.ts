// A store whose calls fail, are slow, lose their acknowledgement, or end the process that makes them, as one seed decides.

import type { BaseInterval } from '../../src/domain/interval.ts';
import { type Store, StoreError, type StoreLock } from '../../src/store/store.ts';

/** The process that makes the calls was killed: nothing that it does reaches the store any more. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

export function isSimulated(error: unknown): boolean {
  return error instanceof Killed || error instanceof StoreError;
}

export interface Faults {
  /** From 0 to 1, decided by the seed. */
  readonly chance: () => number;
  readonly isFaulty: () => boolean;
  /** What other processes do before a call; while it publishes, before the calls that this makes. */
  readonly meanwhile?: (isPublishing: boolean) => Promise<void>;
  /** What the store did, whether or not the caller learns of it; the interval is that of a series. */
  readonly onDone?: (name: string, args: readonly unknown[], result: unknown, interval: BaseInterval) => void;
}

const FAILED = 0.012;
const LOST = 0.008;
const KILLED = 0.004;
const CODES = ['unreachable', 'full', 'busy'] as const;

/** One process with a handle on the store. */
export class SimulatedProcess {
  readonly store: Store;
  readonly #faults: Faults;
  readonly #locks = new Set<StoreLock>();
  #isPublishing = false;
  isDead = false;

  constructor(store: Store, faults: Faults) {
    this.#faults = faults;
    this.store = this.#wrapped(store);
  }

  /** Frees its locks, as the operating system does. */
  async kill(): Promise<void> {
    this.isDead = true;
    for (const lock of this.#locks) await lock.release();
    this.#locks.clear();
  }

  #wrapped<T extends object>(target: T, interval: BaseInterval = '1d'): T {
    return new Proxy(target, {
      get: (own, name) => {
        const member: unknown = Reflect.get(own, name);
        if (typeof member !== 'function' || typeof name !== 'string') return member;
        if (name === 'series') return (base: BaseInterval) => this.#wrapped(member.apply(own, [base]), base);
        // It gives its rows one by one.
        if (name === 'profiles' || name === 'watch') return member.bind(own);
        return (...args: unknown[]) => this.#call(name, args, interval, async () => member.apply(own, args));
      },
    });
  }

  async #call(
    name: string,
    args: readonly unknown[],
    interval: BaseInterval,
    work: () => Promise<unknown>,
  ): Promise<unknown> {
    const { chance, isFaulty, meanwhile, onDone } = this.#faults;
    await meanwhile?.(this.#isPublishing);
    if (isFaulty() && chance() < KILLED) await this.kill();
    if (this.isDead) throw new Killed(`killed before ${name}`);
    if (isFaulty() && chance() < FAILED) throw fault(`${name} was not done`, chance());
    // The caller may use the memory of bars again before they are stored.
    const given = name === 'putBars' ? structuredClone(args) : args;
    this.#isPublishing = name === 'publish' || this.#isPublishing;
    const result = await work().finally(() => {
      if (name === 'publish') this.#isPublishing = false;
    });
    onDone?.(name, given, result, interval);
    if (name === 'lock' && result !== null) this.#locks.add(result as StoreLock); // what a store returns
    if (isFaulty() && name !== 'lock' && chance() < LOST)
      throw fault(`${name} was done, but not acknowledged`, chance());
    return result;
  }
}

function fault(message: string, chance: number): StoreError {
  return new StoreError(CODES[Math.floor(chance * CODES.length)]!, message, 'this is a simulated fault');
}
