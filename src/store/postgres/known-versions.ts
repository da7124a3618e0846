// The versions of the data and of the keys, which servers ask for several times per second. While a connection listens for changes, an
// answer holds until a notice of a change comes, or a short time has passed in case the connection is dead: an idle server costs the
// database less than one statement per second.

import type { Sql, Versions } from './database.ts';

const HOLDS_MILLIS = 1_500;

export class KnownVersions {
  #known: Versions | null = null;
  #until = 0;
  /** Counts what made an answer doubtful: one that was asked for before is not kept. */
  #doubts = 0;
  #listening = false;
  /** A question under way, which others that come meanwhile share. */
  #asked: { readonly doubts: number; readonly answer: Promise<Versions> } | null = null;

  /** The versions as far as they are known, else what `ask` finds. */
  async get(ask: () => Promise<Versions>): Promise<Versions> {
    if (this.#known !== null && performance.now() < this.#until) return this.#known;
    if (!this.#listening) return ask();
    if (this.#asked?.doubts === this.#doubts) return this.#asked.answer;
    const asked = { doubts: this.#doubts, answer: ask() };
    this.#asked = asked;
    try {
      const found = await asked.answer;
      if (asked.doubts === this.#doubts) {
        this.#known = found;
        this.#until = performance.now() + HOLDS_MILLIS;
      }
      return found;
    } finally {
      if (this.#asked === asked) this.#asked = null;
    }
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
