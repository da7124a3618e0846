// Versions of publications and of API keys. They grow, and no two are the same: a store that was restored, or a standby that took over
// without the last transactions of the primary, continues with other versions than those that were lost. A server can tell from the
// version that it has whether its data is of this store.

/** Milliseconds since 1970, but always more than the last one. */
export function nextVersion(last: number, now: number = Date.now()): number {
  return Math.max(last + 1, now);
}

/** The store remembers this many publications; a server that has an older one reads all rows. */
export const PUBLICATIONS_KEPT = 1000;
