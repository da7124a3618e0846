// A cache of what belongs to one version of the data: it is emptied when the version changes.

import { ByteCache } from './byte-cache.ts';

export class VersionedCache<V> {
  readonly #maxBytes: number;
  #version = '';
  #values = new ByteCache<V>(0);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The cache of this version. Work for an older one may still write into its own cache, which nothing reads any more. */
  of(version: string): ByteCache<V> {
    if (version !== this.#version) [this.#version, this.#values] = [version, new ByteCache(this.#maxBytes)];
    return this.#values;
  }
}
