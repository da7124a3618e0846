// Exponential back-off with jitter: how long to wait before the next attempt.

export interface BackOff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * Milliseconds to wait after so many failures in a row: twice as long each time, up to a limit, and a random share of up to half of it
 * less, so that those who wait for the same service spread. `random` is at least 0 and less than 1.
 */
export function backOffMs({ firstMs, longestMs }: BackOff, failures: number, random: number): number {
  const longest = Math.min(firstMs * 2 ** (failures - 1), longestMs);
  return Math.round(longest * (1 - random / 2));
}
