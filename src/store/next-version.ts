// Numbers of publications and of changes of keys. They grow, and no two are ever the same: a store that was restored, or a standby
// that took over without the last of what the primary had, goes on with other numbers than those that were lost. Whoever has seen one
// can so tell whether what it has is of this store.

/** Milliseconds since 1970, unless that would not be more than the last one. */
export function nextVersion(last: number, now: number = Date.now()): number {
  return Math.max(last + 1, now);
}

/** The newest publications are remembered: who has seen an older one reads all rows. */
export const PUBLICATIONS_KEPT = 1000;
