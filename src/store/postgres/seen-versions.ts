// Keeps time from running backwards. A standby may be behind the primary that was asked before: what it has would bring back rows
// that were replaced, and keys that were revoked. A primary is believed in any case: it may have been restored, or be a standby that
// was promoted without the last of what the old one had.

import { StoreError } from '../port/store.ts';

export interface Said {
  readonly version: number;
  /** Whether a standby says so. */
  readonly standby: boolean;
}

export class SeenVersions {
  static readonly #known = new Map<string, SeenVersions>();
  readonly #where: string;
  readonly #seen = { data: 0, keys: 0 };

  /** Of a store by its name. They outlive the connections to it: when the primary is lost, the store is opened again. */
  static of(store: string): SeenVersions {
    const versions = SeenVersions.#known.get(store) ?? new SeenVersions(store);
    SeenVersions.#known.set(store, versions);
    return versions;
  }

  private constructor(where: string) {
    this.#where = where;
  }

  /** Returns the version, unless it is one from before. */
  accept(what: 'data' | 'keys', { version, standby }: Said): number {
    const seen = this.#seen[what];
    if (standby && version < seen) {
      throw new StoreError(
        'no_primary',
        `${this.#where} has no host that is up to date (a standby has version ${version} of the ${what}, and ${seen} was there before)`,
        'it is asked again until it has caught up or is promoted; what was read before is served meanwhile',
      );
    }
    this.#seen[what] = version;
    return version;
  }
}
