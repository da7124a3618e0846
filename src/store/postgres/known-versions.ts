// The versions of the data and of the keys, which servers ask for several times a second. While a connection listens for changes, an
// answer holds until a notice of a change comes, or a short time has passed in case the connection is dead: an idle server costs the database
// less than one statement per second.

import type { Sql, Versions } from './connection.ts';

const HOLDS_MILLIS = 1_500;

export class KnownVersions {
  #known: Versions | null = null;
  #until = 0;
  /** Counts what made an answer doubtful: one that was asked for before is not kept. */
  #doubts = 0;
  #listening = false;

  /** The versions as far as they are known, else what `ask` finds. */
  async get(ask: () => Promise<Versions>): Promise<Versions> {
    if (this.#known !== null && performance.now() < this.#until) return this.#known;
    const doubts = this.#doubts;
    const found = await ask();
    if (this.#listening && doubts === this.#doubts) {
      this.#known = found;
      this.#until = performance.now() + HOLDS_MILLIS;
    }
    return found;
  }

  /** Whether a connection listens for changes from now on. */
  listening(listens: boolean): void {
    this.#listening = listens;
    this.forget();
  }

  /** Something may have changed. */
  forget(): void {
    this.#known = null;
    this.#doubts++;
  }
}

export async function readVersions(sql: Sql): Promise<Versions> {
  const [found] = await sql<Versions>`
    SELECT version AS data, keys_version AS keys, pg_is_in_recovery() AS standby FROM tidemark.meta`;
  return found!; // the table is made with its one row
}
