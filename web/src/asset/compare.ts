// Several assets in one picture: prices as if each had cost 100 on the same day.

export interface ComparedAsset {
  readonly id: string;
  readonly symbol: string;
  /** By day, `YYYY-MM-DD`. */
  readonly values: ReadonlyMap<string, number>;
}

/** The first day of the range on which all of them have a price; null without one. `days` ascend. */
export function baseDay(days: readonly string[], assets: readonly ComparedAsset[]): string | null {
  return days.find(day => assets.every(({ values }) => values.has(day))) ?? null;
}

/** The same asset with 100 on the base day. */
export function rebased(asset: ComparedAsset, base: string | null): ComparedAsset {
  const unit = base === null ? undefined : asset.values.get(base);
  if (unit === undefined || unit === 0) return { ...asset, values: new Map() };
  return { ...asset, values: new Map([...asset.values].map(([day, value]) => [day, (value / unit) * 100])) };
}
