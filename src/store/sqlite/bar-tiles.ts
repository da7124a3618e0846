// How bars lie in SQLite: the blocks of 32 assets together, as a tile.
//
// Tiles of the same days lie side by side, so that a new day of all assets is written in one place. With a row for each asset
// the newest bars of 50,000 of them would lie on as many pages.

import type { AssetNumber } from '../../domain/asset.ts';
import { BLOCK_DAYS, type Blocks, type WritableBlocks } from '../bar-blocks.ts';
import type { Command, Connection, Query } from './connection.ts';
import { runsOf } from './key-runs.ts';
import { type Blob, BrokenSeal, type Numbers, newNumbers, sealed, unsealed } from './sealed-numbers.ts';

/** Assets whose keys have the same quotient by this are a team and share their tiles. */
export const TEAM_SIZE = 32;
const CELLS = TEAM_SIZE * BLOCK_DAYS;

const FIELD_SPACE = 8;
/** Keys of assets have 32 bits at most. */
const TEAM_SPACE = 2 ** 27;

export function teamOf(key: AssetNumber): number {
  return Math.floor(key / TEAM_SIZE);
}

/** By block, field and team, in that order. */
function placeOf(block: number, field: number, team: number): number {
  return (block * FIELD_SPACE + field) * TEAM_SPACE + team;
}

type TileRow = [place: number, numbers: Blob];

export interface TileTable {
  readonly read: Query<TileRow>;
  readonly readBetween: Query<TileRow>;
  readonly write: Command;
}

export function tileTable(db: Connection): TileTable {
  return {
    read: db.query('SELECT place, numbers FROM tiles WHERE place = ?'),
    readBetween: db.query('SELECT place, numbers FROM tiles WHERE place BETWEEN ? AND ?'),
    write: db.command('REPLACE INTO tiles VALUES (?, ?)'),
  };
}

function tileOf(row: TileRow | undefined): Numbers | null {
  if (row === undefined) return null;
  const tile = unsealed(row[1]);
  if (tile.length !== CELLS) throw new BrokenSeal('a tile is too short or too long');
  return tile;
}

/** Tiles that are only read. Those of several teams and blocks are had together in less time than one by one. */
export class ReadTiles implements Blocks {
  readonly #table: TileTable;
  readonly #tiles = new Map<number, Numbers | null>();

  constructor(table: TileTable) {
    this.#table = table;
  }

  /** Reads the tiles of these assets from a block to another, both included. */
  readAhead(keys: readonly AssetNumber[], field: number, from: number, to: number): void {
    for (const [first, last] of runsOf(keys.map(teamOf))) {
      for (let block = from; block <= to; block++) {
        for (let team = first; team <= last; team++) this.#tiles.set(placeOf(block, field, team), null);
        const found = this.#table.readBetween.all(placeOf(block, field, first), placeOf(block, field, last));
        for (const row of found) this.#tiles.set(row[0], tileOf(row));
      }
    }
  }

  cellsOf(key: AssetNumber): number {
    return cellsOf(key);
  }

  find(key: AssetNumber, field: number, block: number): Numbers | null {
    const place = placeOf(block, field, teamOf(key));
    let tile = this.#tiles.get(place);
    if (tile === undefined) {
      tile = tileOf(this.#table.read.get(place));
      this.#tiles.set(place, tile);
    }
    return tile;
  }
}

function cellsOf(key: AssetNumber): number {
  return (key % TEAM_SIZE) * BLOCK_DAYS;
}

/** The tiles of one transaction. Those of one team at a time are kept: turning to another writes what was changed. */
export class Tiles implements WritableBlocks {
  readonly #table: TileTable;
  #team = -1;
  readonly #tiles = new Map<number, Numbers | null>();
  readonly #changed = new Set<number>();

  constructor(table: TileTable) {
    this.#table = table;
  }

  cellsOf(key: AssetNumber): number {
    return cellsOf(key);
  }

  find(key: AssetNumber, field: number, block: number): Numbers | null {
    const team = teamOf(key);
    if (team !== this.#team) this.#turnTo(team);
    const place = placeOf(block, field, team);
    const known = this.#tiles.get(place);
    if (known !== undefined) return known;
    const tile = tileOf(this.#table.read.get(place));
    this.#tiles.set(place, tile);
    return tile;
  }

  open(key: AssetNumber, field: number, block: number): Numbers {
    const tile = this.find(key, field, block) ?? newNumbers(CELLS).fill(Number.NaN);
    const place = placeOf(block, field, this.#team);
    this.#tiles.set(place, tile);
    this.#changed.add(place);
    return tile;
  }

  /** Writes what was changed last. */
  finish(): void {
    this.#turnTo(-1);
  }

  #turnTo(team: number): void {
    for (const place of this.#changed) {
      // Of the same length as before, it is written over in place, and only the pages that differ.
      this.#table.write.run(place, sealed(this.#tiles.get(place)!));
    }
    this.#changed.clear();
    this.#tiles.clear();
    this.#team = team;
  }
}
