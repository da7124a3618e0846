// Daily bars in SQLite: one row per tile, which holds one field (the close, say) of 32 days of 32 assets.
//
// Tiles of the same days are neighbours, so that a new day of all assets is written in one place. With one row per asset the newest
// bars of 50,000 assets would be on as many pages.

import type { AssetNumber } from '../../domain/asset.ts';
import { BLOCK_DAYS, blockOf, CLOSE, FIELDS } from '../bars/blocks.ts';
import type { Origin } from '../port/origins.ts';
import { GROUP_SIZE, groupOf, memberOf } from './asset-groups.ts';
import { type OriginCells, OriginTable } from './bar-origins.ts';
import type { BarReader, BarTables, BarWriter } from './bar-tables.ts';
import { type Blob, blobOf, CheckedTable, type Numbers, numbersOf } from './checked-table.ts';
import type { Connection, Query } from './connection.ts';
import { rangesOf } from './number-ranges.ts';

const CELLS = GROUP_SIZE * BLOCK_DAYS;

const FIELD_SPACE = 8;
/** Asset numbers have 32 bits at most. */
const GROUP_SPACE = 2 ** 27;

/** By block, field and asset group, in that order. */
function placeOf(block: number, field: number, group: number): number {
  return (block * FIELD_SPACE + field) * GROUP_SPACE + group;
}

function ofPlace(place: number): { readonly block: number; readonly field: number; readonly group: number } {
  const rest = Math.floor(place / GROUP_SPACE);
  return { block: Math.floor(rest / FIELD_SPACE), field: rest % FIELD_SPACE, group: place % GROUP_SPACE };
}

type TileRow = [place: number, numbers: Blob];

interface TileTable {
  readonly read: Query<TileRow>;
  readonly readBetween: Query<TileRow>;
  /** `groups` are ranges. */
  hasOnlyCloses(groups: Iterable<readonly [first: number, last: number]>, fromBlock: number): boolean;
  put(place: number, tile: Numbers): void;
}

export function tileTables(db: Connection): BarTables {
  const table = tileTable(db);
  const origins = new OriginTable(db);
  const closes = new CheckedTable<TileRow>(db, 'tiles').select('ORDER BY place');
  return {
    reader: () => new ReadTiles(table),
    writer: () => new Tiles(table, origins),
    groupOf,
    hasOnlyCloses: (assets, from) => table.hasOnlyCloses(rangesOf(assets.map(groupOf)), from),
    originsOf: (asset, days) => origins.of(asset, days),
    *each() {
      for (const row of closes.each()) {
        const { block, field, group } = ofPlace(row[0]);
        if (field !== CLOSE) continue;
        const cells = { closes: numbersOf(row[1]), origins: origins.read(group, block) };
        yield { place: row[0], firstAsset: group * GROUP_SIZE, block, ...cells };
      }
    },
  };
}

function tileTable(db: Connection): TileTable {
  const table = new CheckedTable<TileRow>(db, 'tiles');
  const newest = db.query<[place: number | null]>('SELECT max(place) FROM tiles');
  const between = db.query<[place: number]>('SELECT place FROM tiles WHERE place BETWEEN ? AND ? LIMIT 1');
  return {
    hasOnlyCloses(groups, fromBlock) {
      const { block: lastBlock } = ofPlace(newest.get()?.[0] ?? 0);
      for (const [first, last] of groups) {
        for (let block = fromBlock; block <= lastBlock; block++) {
          for (const field of FIELDS.keys()) {
            if (field === CLOSE) continue;
            if (between.get(placeOf(block, field, first), placeOf(block, field, last)) !== undefined) return false;
          }
        }
      }
      return true;
    },
    read: table.select('WHERE place = ?'),
    readBetween: table.select('WHERE place BETWEEN ? AND ?'),
    put: (place, tile) => table.put([place, blobOf(tile)]),
  };
}

function tileOf(row: TileRow | undefined): Numbers | null {
  return row === undefined ? null : numbersOf(row[1]);
}

/** Tiles that are only read. Reading those of several groups and blocks together takes less time than one by one. */
class ReadTiles implements BarReader {
  readonly #table: TileTable;
  readonly #tiles = new Map<number, Numbers | null>();
  /** One bit per field that was found. */
  #fields = 0;

  constructor(table: TileTable) {
    this.#table = table;
  }

  readAhead(assets: readonly AssetNumber[], fields: readonly number[], from: number, to: number): void {
    for (const [first, last] of rangesOf(assets.map(groupOf))) {
      for (const field of fields) for (let block = from; block <= to; block++) this.#read(field, block, first, last);
    }
  }

  hasField(field: number): boolean {
    return (this.#fields & (1 << field)) !== 0;
  }

  #read(field: number, block: number, first: number, last: number): void {
    for (let group = first; group <= last; group++) this.#tiles.set(placeOf(block, field, group), null);
    const found = this.#table.readBetween.all(placeOf(block, field, first), placeOf(block, field, last));
    if (found.length > 0) this.#fields |= 1 << field;
    for (const row of found) this.#tiles.set(row[0], tileOf(row));
  }

  cellsOf(asset: AssetNumber): number {
    return cellsOf(asset);
  }

  find(asset: AssetNumber, field: number, block: number): Numbers | null {
    const place = placeOf(block, field, groupOf(asset));
    let tile = this.#tiles.get(place);
    if (tile === undefined) {
      tile = tileOf(this.#table.read.get(place));
      this.#tiles.set(place, tile);
    }
    return tile;
  }
}

function cellsOf(asset: AssetNumber): number {
  return memberOf(asset) * BLOCK_DAYS;
}

/** The tiles of one transaction. It holds those of one asset group: turning to another group writes what was changed. */
class Tiles implements BarWriter {
  readonly #table: TileTable;
  #group = -1;
  readonly #tiles = new Map<number, Numbers | null>();
  readonly #changed = new Set<number>();
  /** By block. */
  readonly #origins = new Map<number, OriginCells | null>();
  readonly #changedOrigins = new Set<number>();
  readonly #originTable: OriginTable;

  constructor(table: TileTable, origins: OriginTable) {
    this.#table = table;
    this.#originTable = origins;
  }

  cellsOf(asset: AssetNumber): number {
    return cellsOf(asset);
  }

  originOf(asset: AssetNumber, day: number): Origin {
    const block = blockOf(day);
    return this.#originsOf(asset, block)?.[cellsOf(asset) + day - block * BLOCK_DAYS] ?? 0;
  }

  setOrigin(asset: AssetNumber, day: number, origin: Origin): void {
    const block = blockOf(day);
    let cells = this.#originsOf(asset, block);
    if (cells === null) {
      if (origin === 0) return;
      cells = new Int32Array(CELLS);
      this.#origins.set(block, cells);
    }
    cells[cellsOf(asset) + day - block * BLOCK_DAYS] = origin;
    this.#changedOrigins.add(block);
  }

  find(asset: AssetNumber, field: number, block: number): Numbers | null {
    const group = groupOf(asset);
    if (group !== this.#group) this.#turnTo(group);
    const place = placeOf(block, field, group);
    const known = this.#tiles.get(place);
    if (known !== undefined) return known;
    const tile = tileOf(this.#table.read.get(place));
    this.#tiles.set(place, tile);
    return tile;
  }

  open(asset: AssetNumber, field: number, block: number): Numbers {
    const tile = this.find(asset, field, block) ?? new Float64Array(CELLS).fill(Number.NaN);
    const place = placeOf(block, field, this.#group);
    this.#tiles.set(place, tile);
    this.#changed.add(place);
    return tile;
  }

  finish(): void {
    this.#turnTo(-1);
  }

  #originsOf(asset: AssetNumber, block: number): OriginCells | null {
    this.find(asset, CLOSE, block); // turns to the group of the asset, whose closes `OriginTable.put` needs
    let cells = this.#origins.get(block);
    if (cells === undefined) {
      cells = this.#originTable.read(this.#group, block);
      this.#origins.set(block, cells);
    }
    return cells;
  }

  #turnTo(group: number): void {
    for (const place of this.#changed) {
      // Of the same length as before, so SQLite overwrites it in place, and only the pages that differ.
      this.#table.put(place, this.#tiles.get(place)!);
    }
    for (const block of this.#changedOrigins) {
      const closes = this.#tiles.get(placeOf(block, CLOSE, this.#group))!; // read when the origin was set
      this.#originTable.put(this.#group, block, this.#origins.get(block)!, closes);
    }
    this.#changed.clear();
    this.#changedOrigins.clear();
    this.#origins.clear();
    this.#tiles.clear();
    this.#group = group;
  }
}
