// When a message that could not be delivered is tried again.

const FIRST_MS = 5_000;
const LONGEST_MS = 3_600_000;
/** From the moment that the message was queued. */
export const GIVE_UP_MS = 24 * 3_600_000;

/**
 * Milliseconds until the next attempt after `attempts` have failed: twice as long each time, up to an hour, and a random share of up to
 * half of it less, so that many messages to one receiver spread. `random` is at least 0 and less than 1.
 */
export function pauseAfter(attempts: number, random: number): number {
  const longest = Math.min(FIRST_MS * 2 ** (attempts - 1), LONGEST_MS);
  return Math.round(longest * (1 - random / 2));
}
