// Finds the bars in SQLite that a load delivered.

import { BLOCK_DAYS } from '../bars/blocks.ts';
import type { LoadBars } from '../port/corrections.ts';
import type { BarTables } from './bar-tables.ts';

export function barsOfLoad(tables: BarTables, load: number): LoadBars {
  const found = { assetNumber: [] as number[], day: [] as number[], replaced: [] as number[] };
  for (const { firstAsset, block, closes, origins } of tables.each()) {
    for (const [cell, origin] of origins?.entries() ?? []) {
      if (Math.abs(origin) !== load || Number.isNaN(closes[cell])) continue;
      found.assetNumber.push(firstAsset + Math.floor(cell / BLOCK_DAYS));
      found.day.push(block * BLOCK_DAYS + (cell % BLOCK_DAYS));
      found.replaced.push(Number(origin < 0));
    }
  }
  return {
    assetNumber: Uint32Array.from(found.assetNumber),
    day: Int32Array.from(found.day),
    replaced: Uint8Array.from(found.replaced),
  };
}
