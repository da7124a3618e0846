// What is fetched for the rows in sight after the rows themselves: one request per screenful, kept for the way back.

import { signal } from '@preact/signals';
import { failureIn } from '../failure.ts';
import { dataVersion } from '../new-data.ts';

/** A scroll through a long table keeps the latest of them. */
const MOST_KEPT = 2000;
/** Milliseconds after the last change of what is in sight. */
const SETTLE = 80;

interface Kept<Value> {
  /** Undefined for an asset without one. */
  readonly value: Value | undefined;
  /** Of the service's data when it was fetched. */
  readonly version: number;
}

/** `At` is what the values depend on besides the assets. */
export class InSight<At, Value> {
  /** Grows with every answer. */
  readonly version = signal(0);
  readonly #nameOf: (at: At) => string;
  readonly #fetch: (symbols: readonly string[], at: At) => Promise<ReadonlyMap<string, Value>>;
  #known = new Map<string, Kept<Value>>();
  #knownAt = '';
  #timer = 0;

  constructor(
    nameOf: (at: At) => string,
    fetch: (symbols: readonly string[], at: At) => Promise<ReadonlyMap<string, Value>>,
  ) {
    this.#nameOf = nameOf;
    this.#fetch = fetch;
  }

  of(symbol: string): Value | undefined {
    return this.#known.get(symbol)?.value;
  }

  /** Fetches what is missing or outdated, at most `most` assets. */
  want(symbols: readonly string[], at: At, most: number): void {
    const name = this.#nameOf(at);
    if (name !== this.#knownAt) [this.#known, this.#knownAt] = [new Map(), name];
    const missing = symbols.filter(symbol => this.#known.get(symbol)?.version !== dataVersion.value);
    clearTimeout(this.#timer);
    if (missing.length > 0) this.#timer = setTimeout(() => void this.#load(missing.slice(0, most), at), SETTLE);
  }

  async #load(symbols: readonly string[], at: At): Promise<void> {
    const version = dataVersion.value;
    try {
      const found = await this.#fetch(symbols, at);
      if (this.#nameOf(at) !== this.#knownAt) return;
      for (const symbol of symbols) {
        this.#known.delete(symbol);
        this.#known.set(symbol, { value: found.get(symbol), version });
      }
      for (const oldest of this.#known.keys()) {
        if (this.#known.size <= MOST_KEPT) break;
        this.#known.delete(oldest);
      }
      this.version.value++;
    } catch (error) {
      // A table without it is still a table.
      failureIn(error);
    }
  }
}
