// The latest closes of many assets in an interval, kept from one publication to the next so that only new ones are read.

import type { AssetNumber } from '../domain/asset.ts';
import type { DenseCloses } from './dense-bars.ts';

/** Windows that share one memory. */
const WINDOWS_AT_ONCE = 256;

export class CloseWindows {
  readonly #size: number;
  readonly #maxWindows: number;
  readonly #windows = new Map<AssetNumber, DenseCloses>();
  /** The memory of each window. */
  readonly #memory = new Map<AssetNumber, Float64Array>();
  /** Of assets that have no window any more. */
  readonly #free: Float64Array[] = [];

  /** Windows of the newest period and of so many before it. An asset that does not fit into the memory has none. */
  constructor(periods: number, maxBytes: number) {
    this.#size = periods + 1;
    this.#maxWindows = Math.floor(maxBytes / (Float64Array.BYTES_PER_ELEMENT * this.#size));
  }

  get bytes(): number {
    return (this.#memory.size + this.#free.length) * this.#size * Float64Array.BYTES_PER_ELEMENT;
  }

  of(asset: AssetNumber): DenseCloses | null {
    return this.#windows.get(asset) ?? null;
  }

  forget(asset: AssetNumber): void {
    const memory = this.#memory.get(asset);
    this.#windows.delete(asset);
    this.#memory.delete(asset);
    if (memory !== undefined) this.#free.push(memory);
  }

  clear(): void {
    this.#windows.clear();
    this.#memory.clear();
    this.#free.length = 0;
  }

  /**
   * Adds closes that end with the newest period of an asset to its window, and returns the window. They begin, at the latest, one period after
   * the window ends. The first period of the asset may be later than before, because old bars were dropped.
   */
  extended(asset: AssetNumber, added: DenseCloses): DenseCloses {
    const { first, last, close } = added;
    const memory = this.#memory.get(asset) ?? this.#take(asset);
    if (memory === null || close.length === 0) return added;
    const known = this.#windows.get(asset);
    const start = last - close.length + 1;
    const before = known === undefined ? start : known.last - known.close.length + 1;
    const oldest = Math.max(first, last - this.#size + 1, Math.min(before, start));
    const kept = Math.max(0, start - oldest);
    memory.copyWithin(0, oldest - before, oldest - before + kept);
    memory.set(close.subarray(Math.max(0, oldest - start)), kept);
    const window = { first, last, close: memory.subarray(0, last - oldest + 1) };
    this.#windows.set(asset, window);
    return window;
  }

  /** Null if the windows of other assets take all of the memory. */
  #take(asset: AssetNumber): Float64Array | null {
    if (this.#memory.size >= this.#maxWindows) return null;
    if (this.#free.length === 0) {
      const memory = new Float64Array(WINDOWS_AT_ONCE * this.#size);
      for (let i = 0; i < memory.length; i += this.#size) this.#free.push(memory.subarray(i, i + this.#size));
    }
    const memory = this.#free.pop()!; // there is one now
    this.#memory.set(asset, memory);
    return memory;
  }
}
