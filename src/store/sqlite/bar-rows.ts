// Bars of hours and minutes in SQLite: one row per asset and 32 periods, with all numbers of these bars and their origins.
//
// Rows of one asset are neighbours: a load of its history writes each page once, and assets without such bars take no space. A field that
// no bar of a row has is left out.

import type { AssetNumber } from '../../domain/asset.ts';
import { CLOSE } from '../bars/blocks.ts';
import { type Block, packBlock, UnpackedBlock } from '../bars/packed-block.ts';
import { type Blob, CheckedTable } from './checked-table.ts';
import type { Command, Connection, Query } from './connection.ts';
import type { TableName } from './layout.ts';

type BlockRow = [place: number, fields: number, data: Blob];

/** A place has 53 bits: 27 for the asset and 22 for the block. */
const BLOCK_SPACE = 2 ** 22;

function placeOf(asset: AssetNumber, block: number): number {
  return asset * BLOCK_SPACE + block;
}

export class BlockRows {
  readonly #table: CheckedTable<BlockRow>;
  readonly #one: Query<BlockRow>;
  readonly #between: Query<BlockRow>;
  readonly #all: Query<BlockRow>;
  readonly #remove: Command;

  constructor(db: Connection, name: TableName) {
    this.#table = new CheckedTable(db, name);
    this.#one = this.#table.select('WHERE place = ?');
    this.#between = this.#table.select('WHERE place BETWEEN ? AND ?');
    this.#all = this.#table.select('ORDER BY place');
    this.#remove = db.command(`DELETE FROM ${name} WHERE place >= ? AND place < ?`);
  }

  read(asset: AssetNumber, block: number): Block | null {
    const row = this.#one.get(placeOf(asset, block));
    return row === undefined ? null : unpacked(row);
  }

  /** By block, from one to another, both included. */
  between(asset: AssetNumber, from: number, to: number): Map<number, Block> {
    if (to < from) return new Map();
    const rows = this.#between.all(placeOf(asset, from), placeOf(asset, Math.min(to, BLOCK_SPACE - 1)));
    return new Map(rows.map(row => [row[0] % BLOCK_SPACE, unpacked(row)]));
  }

  *each(): Iterable<{ readonly place: number; readonly asset: AssetNumber; readonly block: number } & Block> {
    for (const row of this.#all.each()) {
      const [place] = row;
      const { numbers, loads } = unpacked(row);
      yield {
        place,
        asset: Math.floor(place / BLOCK_SPACE),
        block: place % BLOCK_SPACE,
        numbers,
        loads,
        isChanged: false,
      };
    }
  }

  put(asset: AssetNumber, block: number, changed: Block): void {
    const place = placeOf(asset, block);
    const packed = packBlock(changed);
    // Without a bar there is no block: blocks outside the coverage are not read.
    if (packed === null) this.#remove.run(place, place + 1);
    else this.#table.put([place, packed.fields, packed.data]);
  }

  /** Removes the blocks of an asset from one on. */
  removeFrom(asset: AssetNumber, block: number): void {
    this.#remove.run(placeOf(asset, block), placeOf(asset + 1, 0));
  }

  /** Removes the blocks of an asset before this one; returns how many bars they had. */
  drop(asset: AssetNumber, before: number): number {
    let bars = 0;
    // Row by row: years of minutes do not fit into memory.
    for (const row of this.#between.each(placeOf(asset, 0), placeOf(asset, before - 1))) {
      for (const close of unpacked(row).numbers[CLOSE] ?? []) bars += Number(!Number.isNaN(close));
    }
    this.#remove.run(placeOf(asset, 0), placeOf(asset, before));
    return bars;
  }
}

function unpacked([, fields, data]: BlockRow): Block {
  return new UnpackedBlock({ fields, data });
}
