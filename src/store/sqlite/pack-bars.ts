// Moves the bars of an older store, which had a row for each, into tiles.

import { BLOCK_DAYS, blockOf } from '../bar-blocks.ts';
import { Tiles, tileTable } from './bar-tiles.ts';
import type { Connection } from './connection.ts';

type BarRow = [day: number, ...numbers: (number | null)[]];

export function packBars(db: Connection): void {
  const tiles = new Tiles(tileTable(db));
  const assets = db.query<[number]>('SELECT asset FROM coverage WHERE bars > 0 ORDER BY asset');
  // In the order of FIELDS.
  const bars = db.query<BarRow>('SELECT day, close, open, high, low, volume FROM bars WHERE asset = ? ORDER BY day');
  for (const [asset] of assets.all()) {
    for (const [day, ...numbers] of bars.all(asset)) {
      const block = blockOf(day);
      for (let field = 0; field < numbers.length; field++) {
        const value = numbers[field] ?? null;
        if (value === null) continue;
        tiles.open(asset, field, block)[tiles.cellsOf(asset) + day - block * BLOCK_DAYS] = value;
      }
    }
  }
  tiles.finish();
  db.exec('DROP TABLE bars');
}
