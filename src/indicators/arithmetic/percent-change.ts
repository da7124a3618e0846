/** The difference first: for nearly equal prices it is exact, while C₀ / Cₙ − 1 loses every digit that they share. */
export function percentChange(latest: number, earlier: number): number {
  return ((latest - earlier) / earlier) * 100;
}
