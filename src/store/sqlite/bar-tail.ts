// The newest bars of hours and minutes in SQLite: one row per asset group and 8 periods, with all numbers of these bars and their origins.
//
// A new minute of many assets changes one row per 32 of them. Bars that are no longer among the newest move to the rows of their assets
// (bar-rows.ts), 32 periods at a time. A tail has all bars of its group from its first block of 32 periods on.

import { BLOCK_DAYS, CLOSE, FIELDS } from '../bars/blocks.ts';
import { type PackedBlock, packBlock, UnpackedBlock } from '../bars/packed-block.ts';
import { GROUP_SIZE } from './asset-groups.ts';
import { type Blob, CheckedTable, type Numbers } from './checked-table.ts';
import type { Command, Connection, Query } from './connection.ts';
import type { TableName } from './layout.ts';

type PartRow = [place: number, fields: number, data: Blob];

/** Periods of one row. */
export const PART_PERIODS = 8;
const PARTS = BLOCK_DAYS / PART_PERIODS;
const PART_CELLS = GROUP_SIZE * PART_PERIODS;
/** Asset groups have 22 bits, and parts 24: a period has 27. */
const PART_SPACE = 2 ** 24;

function placeOf(group: number, part: number): number {
  return group * PART_SPACE + part;
}

/** The bars of 32 periods of an asset group: of each asset, 32 cells one after the other. */
export class TailBlock {
  readonly #stored: (PackedBlock | null)[] = Array.from({ length: PARTS }, () => null);
  /** By field; undefined until it is asked for. */
  readonly #numbers: (Numbers | null | undefined)[] = [];
  #loads: Int32Array<ArrayBuffer> | null | undefined;

  /** A part that the store has. */
  add(part: number, packed: PackedBlock): void {
    this.#stored[part] = packed;
  }

  /** Null if no bar has the number. */
  numbers(field: number): Numbers | null {
    const known = this.#numbers[field];
    if (known !== undefined) return known;
    let numbers: Numbers | null = null;
    for (const [part, packed] of this.#stored.entries()) {
      const own = packed && new UnpackedBlock(packed, PART_CELLS).numbers[field];
      if (!own) continue;
      numbers ??= new Float64Array(GROUP_SIZE * BLOCK_DAYS).fill(Number.NaN);
      copyCells(own, numbers, part, 'into block');
    }
    this.#numbers[field] = numbers;
    return numbers;
  }

  /** For writing. */
  open(field: number): Numbers {
    const numbers = this.numbers(field) ?? new Float64Array(GROUP_SIZE * BLOCK_DAYS).fill(Number.NaN);
    this.#numbers[field] = numbers;
    return numbers;
  }

  /** The origins of the closes; null if none is known. */
  get loads(): Int32Array<ArrayBuffer> | null {
    if (this.#loads !== undefined) return this.#loads;
    let loads: Int32Array<ArrayBuffer> | null = null;
    for (const [part, packed] of this.#stored.entries()) {
      const own = packed && new UnpackedBlock(packed, PART_CELLS).loads;
      if (!own) continue;
      loads ??= new Int32Array(GROUP_SIZE * BLOCK_DAYS);
      copyCells(own, loads, part, 'into block');
    }
    this.#loads = loads;
    return loads;
  }

  openLoads(): Int32Array {
    this.#loads = this.loads ?? new Int32Array(GROUP_SIZE * BLOCK_DAYS);
    return this.#loads;
  }

  /** The parts that differ from what is stored; null for one that has no bar any more. */
  changedParts(): Map<number, PackedBlock | null> {
    const changed = new Map<number, PackedBlock | null>();
    for (const [part, stored] of this.#stored.entries())
      if (!this.#isAs(stored, part)) changed.set(part, this.#packed(part));
    return changed;
  }

  /** Whether a part is as it is stored: most of a block stays so when a period is added, and need not be packed to know that. */
  #isAs(stored: PackedBlock | null, part: number): boolean {
    const own = stored && new UnpackedBlock(stored, PART_CELLS);
    for (let field = 0; field < FIELDS.length; field++) {
      if (!areSameCells(own?.numbers[field] ?? null, this.numbers(field), part, Number.NaN)) return false;
    }
    return areSameCells(own?.loads ?? null, this.loads, part, 0);
  }

  #packed(part: number): PackedBlock | null {
    const numbers = Array.from(FIELDS, (_, field) => {
      const own = this.numbers(field);
      return own && copyCells(new Float64Array(PART_CELLS), own, part, 'out of block');
    });
    if (numbers[CLOSE] === null) return null;
    const loads = this.loads && copyCells(new Int32Array(PART_CELLS), this.loads, part, 'out of block');
    return packBlock({ numbers, loads, isChanged: true });
  }
}

/** Between the cells of a part and its places in a block. */
function copyCells<Cells extends Numbers | Int32Array<ArrayBuffer>>(
  cells: Cells,
  block: Cells,
  part: number,
  direction: 'into block' | 'out of block',
): Cells {
  const first = part * PART_PERIODS;
  for (let member = 0; member < GROUP_SIZE; member++) {
    const [own, inBlock] = [member * PART_PERIODS, member * BLOCK_DAYS + first];
    for (let i = 0; i < PART_PERIODS; i++) {
      if (direction === 'into block') block[inBlock + i] = cells[own + i]!;
      else cells[own + i] = block[inBlock + i]!;
    }
  }
  return cells;
}

/** Whether the cells of a part are those in a block; without any, all are `none`. */
function areSameCells(
  cells: Numbers | Int32Array | null,
  block: Numbers | Int32Array | null,
  part: number,
  none: number,
): boolean {
  if (cells === null && block === null) return true;
  const first = part * PART_PERIODS;
  for (let member = 0; member < GROUP_SIZE; member++) {
    const [own, inBlock] = [member * PART_PERIODS, member * BLOCK_DAYS + first];
    for (let i = 0; i < PART_PERIODS; i++) {
      const [a, b] = [cells === null ? none : cells[own + i]!, block === null ? none : block[inBlock + i]!];
      if (a !== b && !(Number.isNaN(a) && Number.isNaN(b))) return false;
    }
  }
  return true;
}

export class TailTable {
  readonly #table: CheckedTable<PartRow>;
  readonly #first: Query<[place: number]>;
  readonly #between: Query<PartRow>;
  readonly #all: Query<PartRow>;
  readonly #remove: Command;

  constructor(db: Connection, name: TableName) {
    this.#table = new CheckedTable(db, name);
    this.#first = db.query(`SELECT place FROM ${name} WHERE place >= ? AND place < ? ORDER BY place LIMIT 1`);
    this.#between = this.#table.select('WHERE place BETWEEN ? AND ? ORDER BY place');
    this.#all = this.#table.select('ORDER BY place');
    this.#remove = db.command(`DELETE FROM ${name} WHERE place >= ? AND place < ?`);
  }

  /** The first block of the tail of a group; infinite if it has none. */
  startOf(group: number): number {
    const place = this.#first.get(placeOf(group, 0), placeOf(group + 1, 0))?.[0];
    return place === undefined ? Number.POSITIVE_INFINITY : Math.floor((place % PART_SPACE) / PARTS);
  }

  /** By block, from one to another, both included. */
  read(group: number, from: number, to: number): Map<number, TailBlock> {
    const found = new Map<number, TailBlock>();
    if (to < from) return found;
    for (const row of this.#between.each(placeOf(group, from * PARTS), placeOf(group, (to + 1) * PARTS - 1)))
      addTo(found, row);
    return found;
  }

  put(group: number, block: number, changed: TailBlock): void {
    for (const [part, packed] of changed.changedParts()) {
      const place = placeOf(group, block * PARTS + part);
      if (packed === null) this.#remove.run(place, place + 1);
      else this.#table.put([place, packed.fields, packed.data]);
    }
  }

  /** Removes the blocks of a group before this one. */
  removeBefore(group: number, block: number): void {
    this.#remove.run(placeOf(group, 0), placeOf(group, block * PARTS));
  }

  /** All of it, for each group the oldest first. */
  *each(): Iterable<{ readonly group: number; readonly block: number; readonly bars: TailBlock }> {
    let [group, blocks] = [-1, new Map<number, TailBlock>()];
    const known = function* () {
      for (const [block, bars] of blocks) yield { group, block, bars };
    };
    for (const row of this.#all.each()) {
      const own = Math.floor(row[0] / PART_SPACE);
      if (own !== group) {
        yield* known();
        [group, blocks] = [own, new Map()];
      }
      addTo(blocks, row);
    }
    yield* known();
  }
}

function addTo(blocks: Map<number, TailBlock>, [place, fields, data]: PartRow): void {
  const part = place % PART_SPACE;
  const block = Math.floor(part / PARTS);
  const bars = blocks.get(block) ?? new TailBlock();
  blocks.set(block, bars);
  bars.add(part % PARTS, { fields, data });
}
