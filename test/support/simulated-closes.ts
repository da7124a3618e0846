// Closes of the simulated market, for errors to be planted into.

import { dayFromIso } from '../../src/domain/day.ts';
import { demoSource } from '../../src/ingest/demo/demo-source.ts';
import type { CleanSeries } from './planted-errors.ts';

const TODAY = dayFromIso('2026-08-20')!;
export const SIMULATED = { assets: 38, closes: 1000 } as const;

/** The last closes of simulated assets that have so many of them. */
export async function simulatedCloses(): Promise<CleanSeries[]> {
  const closes = new Map<string, { period: number[]; close: number[] }>();
  const source = demoSource({ today: TODAY, assets: 80 });
  for await (const item of source.bars(async () => null, new AbortController().signal)) {
    if (item.kind !== 'bars') continue;
    const { batch } = item;
    for (let i = 0; i < batch.count; i++) {
      const { id } = batch.assets[batch.asset[i]!]!;
      const series = closes.get(id!) ?? { period: [], close: [] };
      closes.set(id!, series);
      series.period.push(batch.day[i]!);
      series.close.push(batch.close[i]!);
    }
  }
  return [...closes]
    .map(([name, { period, close }]) => ({
      name,
      period: period.slice(-SIMULATED.closes),
      close: close.slice(-SIMULATED.closes),
    }))
    .filter(({ close }) => close.length === SIMULATED.closes && new Set(close).size > SIMULATED.closes / 2)
    .slice(0, SIMULATED.assets);
}
