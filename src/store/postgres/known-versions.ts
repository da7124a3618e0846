// A cache of the versions of the data and of the API keys, which servers read several times per second. While a connection listens for
// changes, a value is valid until a notification comes, but only for a short time in case the connection is dead. An idle server costs
// the database less than one statement per second.

import type { Sql, Versions } from './database.ts';

const VALID_MILLIS = 1_500;

export class KnownVersions {
  #known: Versions | null = null;
  #until = 0;
  /** Counts possible changes: a result that was requested before the last one is not cached. */
  #changes = 0;
  #listening = false;
  /** A read in progress, which other callers share. */
  #reading: { readonly changes: number; readonly result: Promise<Versions> } | null = null;

  /** The cached versions, or else those that `read` finds. */
  async get(read: () => Promise<Versions>): Promise<Versions> {
    if (this.#known !== null && performance.now() < this.#until) return this.#known;
    if (!this.#listening) return read();
    if (this.#reading?.changes === this.#changes) return this.#reading.result;
    const reading = { changes: this.#changes, result: read() };
    this.#reading = reading;
    try {
      const found = await reading.result;
      if (reading.changes === this.#changes) {
        this.#known = found;
        this.#until = performance.now() + VALID_MILLIS;
      }
      return found;
    } finally {
      if (this.#reading === reading) this.#reading = null;
    }
  }

  /** To be called when a connection begins or ends to listen for changes. */
  listening(listens: boolean): void {
    this.#listening = listens;
    this.forget();
  }

  /** Something may have changed. */
  forget(): void {
    this.#known = null;
    this.#changes++;
  }
}

export async function readVersions(sql: Sql): Promise<Versions> {
  const [found] = await sql<Versions>`
    SELECT version AS data, keys_version AS keys, pg_is_in_recovery() AS standby FROM tidemark.meta`;
  return found!; // the table is made with its one row
}
