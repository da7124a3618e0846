// Several assets in one picture: prices as if each had cost 100 at the same time.

export interface ComparedAsset {
  readonly id: string;
  readonly symbol: string;
  /** By the start of the period, in seconds since 1970. */
  readonly values: ReadonlyMap<number, number>;
}

/** The first period of the range in which all of them have a price; null without one. `starts` ascend. */
export function basePeriod(starts: readonly number[], assets: readonly ComparedAsset[]): number | null {
  return starts.find(start => assets.every(({ values }) => values.has(start))) ?? null;
}

/** The same asset with 100 in the base period. */
export function rebased(asset: ComparedAsset, base: number | null): ComparedAsset {
  const unit = base === null ? undefined : asset.values.get(base);
  if (unit === undefined || unit === 0) return { ...asset, values: new Map() };
  return { ...asset, values: new Map([...asset.values].map(([start, value]) => [start, (value / unit) * 100])) };
}
