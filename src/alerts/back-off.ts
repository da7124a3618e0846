// When a message that could not be delivered is tried again.

import { type BackOff, backOffMs } from '../common/back-off.ts';

const BACK_OFF: BackOff = { firstMs: 5_000, longestMs: 3_600_000 };
/** From the moment that the message was queued. */
export const GIVE_UP_MS = 24 * 3_600_000;

/** Milliseconds until the next attempt after `attempts` have failed. `random` is at least 0 and less than 1. */
export function pauseAfter(attempts: number, random: number): number {
  return backOffMs(BACK_OFF, attempts, random);
}
