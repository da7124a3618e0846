// Origins of bars in SQLite: one row per asset group and 32 days. A row has one number per day if all bars of a day came from one load,
// as those of most loads do, and else one number per asset and day. It has 128 bytes then, or 4 kB.

import type { AssetNumber } from '../../domain/asset.ts';
import { BLOCK_DAYS, blockOf } from '../bars/blocks.ts';
import type { Origin } from '../port/origins.ts';
import { GROUP_SIZE, groupOf, memberOf } from './asset-groups.ts';
import { type Blob, CheckedTable, type Numbers } from './checked-table.ts';
import type { Connection, Query } from './connection.ts';

const CELLS = GROUP_SIZE * BLOCK_DAYS;
/** Asset numbers have 32 bits at most. */
const GROUP_SPACE = 2 ** 27;

type OriginRow = [place: number, origins: Blob];
/** Per asset of a group and day of a block, in the order of a tile. */
export type OriginCells = Int32Array<ArrayBuffer>;

export class OriginTable {
  readonly #table: CheckedTable<OriginRow>;
  readonly #read: Query<OriginRow>;

  constructor(db: Connection) {
    this.#table = new CheckedTable(db, 'origins');
    this.#read = this.#table.select('WHERE place = ?');
  }

  read(group: number, block: number): OriginCells | null {
    const row = this.#read.get(placeOf(group, block));
    return row === undefined ? null : cellsOfBlob(row[1]);
  }

  /** `closes` are those of the same assets and days: cells without a bar may hold anything. */
  put(group: number, block: number, cells: OriginCells, closes: Numbers): void {
    const origins = perDay(cells, closes) ?? cells;
    this.#table.put([placeOf(group, block), new Uint8Array(origins.buffer)]);
  }

  /** The known origins of the closes of one asset, whose days these are, oldest first. */
  of(asset: AssetNumber, days: Int32Array): Map<number, Origin> {
    const found = new Map<number, Origin>();
    const first = memberOf(asset) * BLOCK_DAYS;
    let [block, cells]: [number, OriginCells | null] = [-1, null];
    for (const day of days) {
      if (blockOf(day) !== block) {
        block = blockOf(day);
        cells = this.read(groupOf(asset), block);
      }
      const origin = cells?.[first + day - block * BLOCK_DAYS] ?? 0;
      if (origin !== 0) found.set(day, origin);
    }
    return found;
  }
}

function placeOf(group: number, block: number): number {
  return block * GROUP_SPACE + group;
}

function cellsOfBlob(blob: Blob): OriginCells {
  const numbers = new Int32Array(blob.buffer, blob.byteOffset, blob.byteLength / 4);
  if (numbers.length === CELLS) return numbers;
  const cells = new Int32Array(CELLS);
  for (let member = 0; member < GROUP_SIZE; member++) cells.set(numbers, member * BLOCK_DAYS);
  return cells;
}

/** One origin per day; null if the bars of some day have different ones. */
function perDay(cells: OriginCells, closes: Numbers): OriginCells | null {
  const origins = new Int32Array(BLOCK_DAYS);
  const known = new Uint8Array(BLOCK_DAYS);
  for (let cell = 0; cell < CELLS; cell++) {
    if (Number.isNaN(closes[cell])) continue;
    const day = cell % BLOCK_DAYS;
    if (known[day] === 0) {
      known[day] = 1;
      origins[day] = cells[cell]!;
    } else if (origins[day] !== cells[cell]) return null;
  }
  return origins;
}
