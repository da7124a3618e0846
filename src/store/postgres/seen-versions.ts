// Refuses a version that is older than one that was read before. A standby may be behind the primary: its data would bring back rows
// that were replaced and API keys that were revoked. The version of a primary is always accepted: the database may have been restored,
// or the primary may be a standby that was promoted without the last transactions of the old one.

import { StoreError } from '../port/store.ts';

export interface FoundVersion {
  readonly version: number;
  /** Whether it was read from a standby. */
  readonly standby: boolean;
}

export class SeenVersions {
  static readonly #known = new Map<string, SeenVersions>();
  readonly #where: string;
  readonly #seen = { data: 0, keys: 0 };

  /** Those of a store, by its name. They outlive its connections: when the primary is lost, the store is opened again. */
  static of(store: string): SeenVersions {
    const versions = SeenVersions.#known.get(store) ?? new SeenVersions(store);
    SeenVersions.#known.set(store, versions);
    return versions;
  }

  private constructor(where: string) {
    this.#where = where;
  }

  /** Returns the version; fails if it is older than one that was accepted before. */
  accept(what: 'data' | 'keys', { version, standby }: FoundVersion): number {
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
