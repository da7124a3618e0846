// Bars in SQLite: one row per tile, which holds one field (the close, say) of 32 periods of one asset or of 32 assets, see
// series-layout.ts.

import type { AssetNumber } from '../../domain/asset.ts';
import { BLOCK_DAYS, type Blocks, blockOf, CLOSE, type WritableBlocks } from '../bars/blocks.ts';
import type { Origin } from '../port/origins.ts';
import type { OriginCells, OriginTable } from './bar-origins.ts';
import { type Blob, blobOf, CheckedTable, type Numbers, numbersOf } from './checked-table.ts';
import type { Connection } from './connection.ts';
import { rangesOf } from './number-ranges.ts';
import { type SeriesLayout, tileGroup } from './series-layout.ts';

export type TileRow = [place: number, numbers: Blob];

export interface TileTable {
  readonly layout: SeriesLayout;
  read(place: number): Numbers | null;
  /** The tiles of a field, from one place to another, both included. */
  readBetween(field: number, first: number, last: number): readonly (readonly [place: number, tile: Numbers])[];
  put(place: number, tile: Numbers): void;
  /** Those of an asset that has tiles of its own, up to a block, without it; returns how many closes they had. */
  drop(asset: AssetNumber, before: number): number;
}

export function tileTable(db: Connection, layout: SeriesLayout): TileTable {
  const table = new CheckedTable<TileRow>(db, layout.tiles);
  const one = table.select('WHERE place = ?');
  const all = table.select('WHERE place BETWEEN ? AND ?');
  const ofField = table.select('WHERE place BETWEEN ? AND ? AND place & 7 = ?');
  const remove = db.command(`DELETE FROM ${layout.tiles} WHERE place >= ? AND place < ?`);
  const isByAsset = layout.groupSize === 1;
  const read = (field: number, first: number, last: number) =>
    (isByAsset ? ofField.all(first, last, field) : all.all(first, last)).map(
      row => [row[0], numbersOf(row[1])] as const,
    );
  return {
    layout,
    read: place => {
      const row = one.get(place);
      return row === undefined ? null : numbersOf(row[1]);
    },
    readBetween: read,
    put: (place, tile) => table.put([place, blobOf(tile)]),
    drop: (asset, before) => {
      const first = layout.placeOf({ group: asset, block: 0, field: 0 });
      const end = layout.placeOf({ group: asset, block: before, field: 0 });
      let closes = 0;
      for (const [, tile] of read(CLOSE, first, end - 1))
        for (const close of tile) closes += Number(!Number.isNaN(close));
      remove.run(first, end);
      return closes;
    },
  };
}

/** Where the 32 periods of an asset begin in its tiles. */
function firstCell({ groupSize }: SeriesLayout, asset: AssetNumber): number {
  return (asset % groupSize) * BLOCK_DAYS;
}

/** Tiles that are only read. Reading those of several groups and blocks together takes less time than one by one. */
export class ReadTiles implements Blocks {
  readonly #table: TileTable;
  readonly #tiles = new Map<number, Numbers | null>();

  constructor(table: TileTable) {
    this.#table = table;
  }

  /** Reads the tiles of these assets from a block to another, both included. */
  readAhead(assets: readonly AssetNumber[], field: number, from: number, to: number): void {
    const { layout } = this.#table;
    const place = (group: number, block: number) => layout.placeOf({ group, block, field });
    const groups = rangesOf(assets.map(asset => tileGroup(layout, asset)));
    for (const [first, last] of groups) {
      for (let group = first; group <= last; group++) {
        for (let block = from; block <= to; block++) this.#tiles.set(place(group, block), null);
        if (layout.groupSize === 1) this.#take(field, place(group, from), place(group, to));
      }
      if (layout.groupSize === 1) continue;
      for (let block = from; block <= to; block++) this.#take(field, place(first, block), place(last, block));
    }
  }

  cellsOf(asset: AssetNumber): number {
    return firstCell(this.#table.layout, asset);
  }

  find(asset: AssetNumber, field: number, block: number): Numbers | null {
    const { layout } = this.#table;
    const place = layout.placeOf({ group: tileGroup(layout, asset), block, field });
    let tile = this.#tiles.get(place);
    if (tile === undefined) {
      tile = this.#table.read(place);
      this.#tiles.set(place, tile);
    }
    return tile;
  }

  #take(field: number, first: number, last: number): void {
    for (const [place, tile] of this.#table.readBetween(field, first, last)) this.#tiles.set(place, tile);
  }
}

/** The tiles of one transaction. It holds those of one asset group: turning to another group writes what was changed. */
export class Tiles implements WritableBlocks {
  readonly #table: TileTable;
  readonly #layout: SeriesLayout;
  #group = -1;
  readonly #tiles = new Map<number, Numbers | null>();
  readonly #changed = new Set<number>();
  /** By block. */
  readonly #origins = new Map<number, OriginCells | null>();
  readonly #changedOrigins = new Set<number>();
  readonly #originTable: OriginTable;

  constructor(table: TileTable, origins: OriginTable) {
    this.#table = table;
    this.#layout = table.layout;
    this.#originTable = origins;
  }

  cellsOf(asset: AssetNumber): number {
    return firstCell(this.#layout, asset);
  }

  originOf(asset: AssetNumber, day: number): Origin {
    const block = blockOf(day);
    return this.#originsOf(asset, block)?.[this.cellsOf(asset) + day - block * BLOCK_DAYS] ?? 0;
  }

  setOrigin(asset: AssetNumber, day: number, origin: Origin): void {
    const block = blockOf(day);
    let cells = this.#originsOf(asset, block);
    if (cells === null) {
      if (origin === 0) return;
      cells = new Int32Array(this.#layout.groupSize * BLOCK_DAYS);
      this.#origins.set(block, cells);
    }
    cells[this.cellsOf(asset) + day - block * BLOCK_DAYS] = origin;
    this.#changedOrigins.add(block);
  }

  find(asset: AssetNumber, field: number, block: number): Numbers | null {
    this.#turnTo(tileGroup(this.#layout, asset));
    const place = this.#placeOf(block, field);
    const known = this.#tiles.get(place);
    if (known !== undefined) return known;
    const tile = this.#table.read(place);
    this.#tiles.set(place, tile);
    return tile;
  }

  open(asset: AssetNumber, field: number, block: number): Numbers {
    const tile =
      this.find(asset, field, block) ?? new Float64Array(this.#layout.groupSize * BLOCK_DAYS).fill(Number.NaN);
    const place = this.#placeOf(block, field);
    this.#tiles.set(place, tile);
    this.#changed.add(place);
    return tile;
  }

  /** Writes what was changed last. */
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

  #placeOf(block: number, field: number): number {
    return this.#layout.placeOf({ block, field, group: this.#group });
  }

  #turnTo(group: number): void {
    if (group === this.#group) return;
    for (const place of this.#changed) {
      // Of the same length as before, so SQLite overwrites it in place, and only the pages that differ.
      this.#table.put(place, this.#tiles.get(place)!);
    }
    for (const block of this.#changedOrigins) {
      const closes = this.#tiles.get(this.#placeOf(block, CLOSE))!; // read when the origin was set
      this.#originTable.put(this.#group, block, this.#origins.get(block)!, closes);
    }
    this.#changed.clear();
    this.#changedOrigins.clear();
    this.#origins.clear();
    this.#tiles.clear();
    this.#group = group;
  }
}
