// The colour of a tile: five steps to each side of 0, up to a round number that three of four values lie below.

/** Steps to each side of the middle. */
export const STEPS = 4;

const ROUND = [0.5, 1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000];

/** A round number that three of four sizes do not exceed. */
export function scaleEnd(values: readonly (number | null)[]): number {
  const sizes = values.flatMap(value => (value === null ? [] : [Math.abs(value)])).sort((a, b) => a - b);
  const high = sizes[Math.floor(0.75 * (sizes.length - 1))] ?? 0;
  return ROUND.find(number => number >= high) ?? ROUND.at(-1)!;
}

/** From -4 to 4; 0 is close to no change. */
export function step(value: number | null, end: number): number {
  if (value === null) return 0;
  return Math.max(-STEPS, Math.min(STEPS, Math.round((value / end) * STEPS))) || 0;
}
