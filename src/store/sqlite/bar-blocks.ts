// Bars of hours and minutes in SQLite: one row per asset and 32 periods, with all numbers of these bars and their origins.
//
// Rows of one asset are neighbours: a load of its history writes each page once, and assets without such bars take no space. A field that
// no bar of a row has is left out.

import type { AssetNumber } from '../../domain/asset.ts';
import { BLOCK_DAYS, blockOf, CLOSE } from '../bars/blocks.ts';
import { type Block, emptyBlock, packBlock, UnpackedBlock } from '../bars/packed-block.ts';
import type { Origin } from '../port/origins.ts';
import type { BarReader, BarTables, BarWriter, StoredCells } from './bar-tables.ts';
import { type Blob, CheckedTable } from './checked-table.ts';
import type { Command, Connection, Query } from './connection.ts';
import type { TableName } from './layout.ts';

type BlockRow = [place: number, fields: number, data: Blob];

/** A place has 53 bits: 27 for the asset and 22 for the block. */
const BLOCK_SPACE = 2 ** 22;

function placeOf(asset: AssetNumber, block: number): number {
  return asset * BLOCK_SPACE + block;
}

export class BlockTable implements BarTables {
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

  reader(): BarReader {
    return new BlockReader(this);
  }

  writer(): BarWriter {
    return new BlockWriter(this);
  }

  groupOf(asset: AssetNumber): number {
    return asset;
  }

  hasOnlyCloses(): boolean {
    return false;
  }

  originsOf(asset: AssetNumber, days: Int32Array): Map<number, Origin> {
    const found = new Map<number, Origin>();
    const blocks = this.between(asset, blockOf(days[0] ?? 0), blockOf(days.at(-1) ?? 0));
    for (const day of days) {
      const origin = blocks.get(blockOf(day))?.loads?.[day % BLOCK_DAYS] ?? 0;
      if (origin !== 0) found.set(day, origin);
    }
    return found;
  }

  *each(): Iterable<StoredCells> {
    for (const row of this.#all.each()) {
      const [place] = row;
      const { numbers, loads } = unpacked(row);
      const closes = numbers[CLOSE];
      if (!closes) continue;
      yield { place, firstAsset: Math.floor(place / BLOCK_SPACE), block: place % BLOCK_SPACE, closes, origins: loads };
    }
  }

  read(asset: AssetNumber, block: number): Block | null {
    const row = this.#one.get(placeOf(asset, block));
    return row === undefined ? null : unpacked(row);
  }

  /** By block, from one to another, both included. */
  between(asset: AssetNumber, from: number, to: number): Map<number, Block> {
    const rows = this.#between.all(placeOf(asset, from), placeOf(asset, to));
    return new Map(rows.map(row => [row[0] % BLOCK_SPACE, unpacked(row)]));
  }

  put(asset: AssetNumber, block: number, changed: Block): void {
    const place = placeOf(asset, block);
    const packed = packBlock(changed);
    // Without a bar there is no block: blocks outside the coverage are not read.
    if (packed === null) this.#remove.run(place, place + 1);
    else this.#table.put([place, packed.fields, packed.data]);
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

const NONE_READ = [0, -1] as const;

class BlockReader implements BarReader {
  readonly #table: BlockTable;
  readonly #blocks = new Map<number, Block | null>();
  /** The first and last block that were read of each asset: what is not there then is not stored. */
  readonly #read = new Map<AssetNumber, readonly [from: number, to: number]>();
  /** What was asked for last: the same block is asked for once per field. */
  #place = -1;
  #block: Block | null = null;

  constructor(table: BlockTable) {
    this.#table = table;
  }

  readAhead(assets: readonly AssetNumber[], _fields: readonly number[], from: number, to: number): void {
    for (const asset of assets) {
      for (const [block, found] of this.#table.between(asset, from, to)) this.#blocks.set(placeOf(asset, block), found);
      this.#read.set(asset, [from, to]);
    }
  }

  hasField(field: number): boolean {
    return this.#blocks.values().some(block => (block?.numbers[field] ?? null) !== null);
  }

  cellsOf(): number {
    return 0;
  }

  find(asset: AssetNumber, field: number, block: number): Float64Array | null {
    const place = placeOf(asset, block);
    if (place !== this.#place) {
      let found = this.#blocks.get(place);
      if (found === undefined) {
        const [from, to] = this.#read.get(asset) ?? NONE_READ;
        found = block >= from && block <= to ? null : this.#table.read(asset, block);
        this.#blocks.set(place, found);
      }
      this.#place = place;
      this.#block = found;
    }
    return this.#block?.numbers[field] ?? null;
  }
}

/** Holds the blocks of one asset: turning to another one writes what was changed. */
class BlockWriter implements BarWriter {
  readonly #table: BlockTable;
  #asset: AssetNumber = -1;
  readonly #blocks = new Map<number, Block | null>();

  constructor(table: BlockTable) {
    this.#table = table;
  }

  cellsOf(): number {
    return 0;
  }

  find(asset: AssetNumber, field: number, block: number): Float64Array | null {
    return this.#at(asset, block)?.numbers[field] ?? null;
  }

  open(asset: AssetNumber, field: number, block: number): Float64Array {
    const row = this.#at(asset, block) ?? this.#add(block);
    row.isChanged = true;
    row.numbers[field] ??= new Float64Array(BLOCK_DAYS).fill(Number.NaN);
    return row.numbers[field];
  }

  originOf(asset: AssetNumber, day: number): Origin {
    return this.#at(asset, blockOf(day))?.loads?.[day % BLOCK_DAYS] ?? 0;
  }

  setOrigin(asset: AssetNumber, day: number, origin: Origin): void {
    const row = this.#at(asset, blockOf(day))!; // the close was written before
    if (row.loads === null && origin === 0) return;
    row.loads ??= new Int32Array(BLOCK_DAYS);
    row.loads[day % BLOCK_DAYS] = origin;
    row.isChanged = true;
  }

  finish(): void {
    for (const [block, row] of this.#blocks) if (row?.isChanged) this.#table.put(this.#asset, block, row);
    this.#blocks.clear();
    this.#asset = -1;
  }

  #at(asset: AssetNumber, block: number): Block | null {
    if (asset !== this.#asset) {
      this.finish();
      this.#asset = asset;
    }
    let row = this.#blocks.get(block);
    if (row === undefined) {
      row = this.#table.read(asset, block);
      this.#blocks.set(block, row);
    }
    return row;
  }

  #add(block: number): Block {
    const row = emptyBlock();
    this.#blocks.set(block, row);
    return row;
  }
}
