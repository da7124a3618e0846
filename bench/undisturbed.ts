// Measurements that count only if the host left the machine its cores, and how much it took in those that had to count all the same.

import { leastDisturbed } from '../test/support/stolen-time.ts';

const LIMITS = { little: 0.02, timeoutMs: 120_000 };

/** Of the measurements that count, since `largestDisturbance` was asked for last. */
let disturbances: number[] = [];

/**
 * What `measure` finds while the host leaves this machine its cores. A disturbed measurement is repeated for up to two minutes; then
 * the least disturbed one counts, and the section says so.
 */
export async function undisturbed<T>(measure: () => T | Promise<T>): Promise<T> {
  const { found, stolen } = await leastDisturbed(measure, LIMITS);
  counted(stolen);
  return found;
}

/** A measurement counts in which the host took this share of the cores. */
export function counted(stolen: number): void {
  disturbances.push(stolen);
}

/** The share that the host took in the most disturbed measurement that counts; null if none was repeatable. */
export function largestDisturbance(): number | null {
  const largest = disturbances.length === 0 ? null : Math.max(...disturbances);
  disturbances = [];
  return largest;
}
