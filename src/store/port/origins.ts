// Which load delivered a close.

import type { ReplacedCloses } from './replaced-closes.ts';

/**
 * Where a close comes from: the number of the load that delivered it, or `MADE` plus the number of the load that delivered the last of
 * the finer bars that it was made of; negative if the close replaced another one of the same day; 0 if it is unknown.
 */
export type Origin = number;

const MADE = 2 ** 30;

export function madeBy(load: number): Origin {
  return MADE + load;
}

/** Whether the bar was made of finer ones. */
export function isMade(origin: Origin): boolean {
  return Math.abs(origin) >= MADE;
}

/** 0 if it is unknown. */
export function loadOf(origin: Origin): number {
  return Math.abs(origin) % MADE;
}

/** By day. */
export type Origins = ReadonlyMap<number, Origin>;

/** Those of published closes: the closes that were not replaced since. */
export function ofPublished(origins: Origins, replaced: ReplacedCloses): Origins {
  return replaced.size === 0 ? origins : new Map(origins.entries().filter(([day]) => !replaced.has(day)));
}
