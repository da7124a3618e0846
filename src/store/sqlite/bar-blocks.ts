// Bars of hours and minutes in SQLite: one row per asset and 32 periods, with all numbers of these bars and their origins.
//
// Rows of one asset are neighbours: a load of its history writes each page once, and assets without such bars take no space. A field that
// no bar of a row has is left out.

import type { AssetNumber } from '../../domain/asset.ts';
import { BLOCK_DAYS, blockOf, CLOSE, FIELDS } from '../bars/blocks.ts';
import type { Origin } from '../port/origins.ts';
import type { BarReader, BarTables, BarWriter, StoredCells } from './bar-tables.ts';
import { type Blob, CheckedTable } from './checked-table.ts';
import type { Command, Connection, Query } from './connection.ts';
import type { TableName } from './layout.ts';

type BlockRow = [place: number, fields: number, data: Blob];

/** A place has 53 bits: 27 for the asset and 22 for the block. */
const BLOCK_SPACE = 2 ** 22;
const FIELD_BYTES = 8 * BLOCK_DAYS;

function placeOf(asset: AssetNumber, block: number): number {
  return asset * BLOCK_SPACE + block;
}

/** By place in FIELDS; null if no bar has the number. */
type Numbers = (Float64Array<ArrayBuffer> | null)[];

interface Block {
  readonly numbers: Numbers;
  /** The origins of the closes; null if none is known. */
  loads: Int32Array | null;
  isChanged: boolean;
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
      const { numbers, loads } = new StoredBlock(row);
      const closes = numbers[CLOSE];
      if (!closes) continue;
      yield { place, firstAsset: Math.floor(place / BLOCK_SPACE), block: place % BLOCK_SPACE, closes, origins: loads };
    }
  }

  read(asset: AssetNumber, block: number): Block | null {
    const row = this.#one.get(placeOf(asset, block));
    return row === undefined ? null : new StoredBlock(row);
  }

  /** By block, from one to another, both included. */
  between(asset: AssetNumber, from: number, to: number): Map<number, Block> {
    const rows = this.#between.all(placeOf(asset, from), placeOf(asset, to));
    return new Map(rows.map(row => [row[0] % BLOCK_SPACE, new StoredBlock(row)]));
  }

  put(asset: AssetNumber, block: number, { numbers, loads }: Block): void {
    let fields = 0;
    for (let field = 0; field < FIELDS.length; field++) if (hasNumber(numbers[field])) fields |= 1 << field;
    const place = placeOf(asset, block);
    // Without a bar there is no block: blocks outside the coverage are not read.
    if ((fields & (1 << CLOSE)) === 0) {
      this.#remove.run(place, place + 1);
      return;
    }
    const known = numbers.filter((_, field) => (fields & (1 << field)) !== 0) as Float64Array<ArrayBuffer>[]; // those with a bit
    const origins = storedLoads(loads, numbers[CLOSE]!);
    const data = new Uint8Array(known.length * FIELD_BYTES + origins.byteLength);
    for (const [i, own] of known.entries()) new Float64Array(data.buffer, i * FIELD_BYTES, BLOCK_DAYS).set(own);
    new Int32Array(data.buffer, known.length * FIELD_BYTES).set(origins);
    this.#table.put([place, fields, data]);
  }

  /** Removes the blocks of an asset before this one; returns how many bars they had. */
  drop(asset: AssetNumber, before: number): number {
    let bars = 0;
    // Row by row: years of minutes do not fit into memory.
    for (const row of this.#between.each(placeOf(asset, 0), placeOf(asset, before - 1))) {
      for (const close of new StoredBlock(row).numbers[CLOSE] ?? []) bars += Number(!Number.isNaN(close));
    }
    this.#remove.run(placeOf(asset, 0), placeOf(asset, before));
    return bars;
  }
}

function hasNumber(numbers: Float64Array | null | undefined): boolean {
  if (!numbers) return false;
  for (let i = 0; i < BLOCK_DAYS; i++) if (!Number.isNaN(numbers[i])) return true;
  return false;
}

/** A block as it was stored. Most readers want the closes alone. */
class StoredBlock implements Block {
  readonly numbers: Numbers = [];
  isChanged = false;
  readonly #stored: Int32Array;
  #loads: Int32Array | null | undefined;

  constructor([, fields, { buffer, byteOffset, byteLength }]: BlockRow) {
    let at = byteOffset;
    for (let field = 0; field < FIELDS.length; field++) {
      const isKnown = (fields & (1 << field)) !== 0;
      this.numbers.push(isKnown ? new Float64Array(buffer, at, BLOCK_DAYS) : null);
      if (isKnown) at += FIELD_BYTES;
    }
    this.#stored = new Int32Array(buffer, at, (byteOffset + byteLength - at) / 4);
  }

  get loads(): Int32Array | null {
    if (this.#loads === undefined) {
      const stored = this.#stored;
      this.#loads =
        stored.length === 1 ? new Int32Array(BLOCK_DAYS).fill(stored[0]!) : stored.length > 0 ? stored : null;
    }
    return this.#loads;
  }

  set loads(loads: Int32Array | null) {
    this.#loads = loads;
  }
}

/** None if none is known, one if all bars have the same, and else one per bar. */
function storedLoads(loads: Int32Array | null, closes: Float64Array): Int32Array {
  if (loads === null) return new Int32Array(0);
  let one: number | null = null;
  for (let i = 0; i < BLOCK_DAYS; i++) {
    if (Number.isNaN(closes[i])) continue;
    if (one !== null && one !== loads[i]) return loads;
    one = loads[i]!;
  }
  return one === null || one === 0 ? new Int32Array(0) : Int32Array.of(one);
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
    const row: Block = { numbers: FIELDS.map(() => null), loads: null, isChanged: true };
    this.#blocks.set(block, row);
    return row;
  }
}
