// Which load delivered a close.

import type { ReplacedCloses } from './replaced-closes.ts';

/** The number of the load that delivered a close, negative if the close replaced another one of the same day. */
export type Origin = number;

/** By day. */
export type Origins = ReadonlyMap<number, Origin>;

/** Those of published closes: the closes that were not replaced since. */
export function ofPublished(origins: Origins, replaced: ReplacedCloses): Origins {
  return replaced.size === 0 ? origins : new Map(origins.entries().filter(([day]) => !replaced.has(day)));
}
