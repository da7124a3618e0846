// Finds the bars in SQLite that a load delivered.

import { BLOCK_DAYS, CLOSE } from '../bars/blocks.ts';
import type { LoadBars } from '../port/corrections.ts';
import { cellsOfBlob, type OriginRow } from './bar-origins.ts';
import type { TileTable } from './bar-tiles.ts';
import { CheckedTable } from './checked-table.ts';
import type { Connection } from './connection.ts';

export function barsOfLoad(db: Connection, table: TileTable, load: number): LoadBars {
  const { layout } = table;
  const found = { assetNumber: [] as number[], day: [] as number[], replaced: [] as number[] };
  for (const [place, blob] of new CheckedTable<OriginRow>(db, layout.origins).select('').each()) {
    const cells = cellsOfBlob(layout, blob);
    if (!cells.some(origin => Math.abs(origin) === load)) continue;
    const { group, block } = layout.originsAt(place);
    // Of an asset or day without a bar, the origin means nothing.
    const closes = table.read(layout.placeOf({ group, block, field: CLOSE }));
    for (const [cell, origin] of cells.entries()) {
      if (Math.abs(origin) !== load || closes === null || Number.isNaN(closes[cell])) continue;
      found.assetNumber.push(group * layout.groupSize + Math.floor(cell / BLOCK_DAYS));
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
