// Origins of bars in SQLite: one row per asset group and 32 periods. A row has one number if all bars came from one load, one per period if
// those of each period did, and else one per asset and period.

import type { AssetNumber } from '../../domain/asset.ts';
import { BLOCK_DAYS, blockOf } from '../bars/blocks.ts';
import type { Origin } from '../port/origins.ts';
import { type Blob, CheckedTable, type Numbers } from './checked-table.ts';
import type { Command, Connection, Query } from './connection.ts';
import { type SeriesLayout, tileGroup } from './series-layout.ts';

export type OriginRow = [place: number, origins: Blob];
/** Per asset of a group and day of a block, in the order of a tile. */
export type OriginCells = Int32Array<ArrayBuffer>;

export class OriginTable {
  readonly #table: CheckedTable<OriginRow>;
  readonly #read: Query<OriginRow>;
  readonly #drop: Command;
  readonly #layout: SeriesLayout;

  constructor(db: Connection, layout: SeriesLayout) {
    this.#layout = layout;
    this.#table = new CheckedTable(db, layout.origins);
    this.#read = this.#table.select('WHERE place = ?');
    this.#drop = db.command(`DELETE FROM ${layout.origins} WHERE place >= ? AND place < ?`);
  }

  read(group: number, block: number): OriginCells | null {
    const row = this.#read.get(this.#layout.originPlaceOf({ group, block }));
    return row === undefined ? null : cellsOfBlob(this.#layout, row[1]);
  }

  /** `closes` are those of the same assets and days: cells without a bar may hold anything. */
  put(group: number, block: number, cells: OriginCells, closes: Numbers): void {
    const origins = perDay(cells, closes) ?? cells;
    // Rows of days keep their length, so that SQLite overwrites them in place.
    const stored = this.#layout.groupSize === 1 ? (oneOf(origins, closes) ?? origins) : origins;
    this.#table.put([this.#layout.originPlaceOf({ group, block }), new Uint8Array(stored.buffer)]);
  }

  /** Those of an asset that has rows of its own, up to a block, without it. */
  drop(asset: AssetNumber, before: number): void {
    const place = (block: number) => this.#layout.originPlaceOf({ group: asset, block });
    this.#drop.run(place(0), place(before));
  }

  /** The known origins of the closes of one asset, whose days these are, oldest first. */
  of(asset: AssetNumber, days: Int32Array): Map<number, Origin> {
    const found = new Map<number, Origin>();
    const first = (asset % this.#layout.groupSize) * BLOCK_DAYS;
    let [block, cells]: [number, OriginCells | null] = [-1, null];
    for (const day of days) {
      if (blockOf(day) !== block) {
        block = blockOf(day);
        cells = this.read(tileGroup(this.#layout, asset), block);
      }
      const origin = cells?.[first + day - block * BLOCK_DAYS] ?? 0;
      if (origin !== 0) found.set(day, origin);
    }
    return found;
  }
}

export function cellsOfBlob({ groupSize }: SeriesLayout, blob: Blob): OriginCells {
  const numbers = new Int32Array(blob.buffer, blob.byteOffset, blob.byteLength / 4);
  if (numbers.length === groupSize * BLOCK_DAYS) return numbers;
  const cells = new Int32Array(groupSize * BLOCK_DAYS);
  for (let at = 0; at < cells.length; at += numbers.length) cells.set(numbers, at);
  return cells;
}

/** One origin per day; null if the bars of some day have different ones. */
function perDay(cells: OriginCells, closes: Numbers): OriginCells | null {
  const origins = new Int32Array(BLOCK_DAYS);
  const known = new Uint8Array(BLOCK_DAYS);
  for (let cell = 0; cell < cells.length; cell++) {
    if (Number.isNaN(closes[cell])) continue;
    const day = cell % BLOCK_DAYS;
    if (known[day] === 0) {
      known[day] = 1;
      origins[day] = cells[cell]!;
    } else if (origins[day] !== cells[cell]) return null;
  }
  return origins;
}

/** The origin of all bars of one asset; null if they have different ones. */
function oneOf(origins: OriginCells, closes: Numbers): OriginCells | null {
  let one: number | null = null;
  for (let day = 0; day < BLOCK_DAYS; day++) {
    if (Number.isNaN(closes[day])) continue;
    if (one !== null && one !== origins[day]) return null;
    one = origins[day]!;
  }
  return Int32Array.of(one ?? 0);
}
