// Rows of the table of bar blocks: reading and writing them.

import type { AssetNumber } from '../../domain/asset.ts';
import type { Day } from '../../domain/day.ts';
import { BLOCK_DAYS, blockOf, FIELDS, type WritableBlocks } from '../bars/blocks.ts';
import type { Origin } from '../port/origins.ts';
import { CopyWriter } from './copy.ts';
import { arrayText, type Sql } from './database.ts';

export interface BlockPlace {
  readonly assetNumber: AssetNumber;
  readonly block: number;
}

/** One block of one asset: a row of the table. */
interface Block extends BlockPlace {
  /** In the order of FIELDS. */
  readonly numbers: (Float64Array | null)[];
  /** Of the closes, see `Origin`; null if none is known. */
  loads: Int32Array | null;
  /** Whether the table has it. */
  readonly isStored: boolean;
}

const COLUMNS = `asset, block, ${FIELDS.join(', ')}, loads`;

/** Blocks read from the table, and those to be written to it. */
export class BlockRows implements WritableBlocks {
  /** By `placeOf`: a map per asset would take as long to make as the rest of it. */
  readonly #blocks = new Map<number, Block>();
  readonly #changed = new Set<Block>();
  /** The one that was asked for last: the same one is asked for once per field. */
  #last: Block | undefined;

  /** The rows of these places, as far as there are some. */
  async read(sql: Sql, places: readonly BlockPlace[]): Promise<void> {
    if (places.length === 0) return;
    await this.#read(
      sql,
      `FROM ${placesText(places)} AS wanted (asset, block) JOIN tidemark.bar_blocks USING (asset, block)`,
    );
  }

  async readAll(sql: Sql, assetNumber: AssetNumber, from: number, to: number): Promise<void> {
    await this.#read(sql, `FROM tidemark.bar_blocks WHERE asset = ${assetNumber} AND block BETWEEN ${from} AND ${to}`);
  }

  find(assetNumber: AssetNumber, field: number, block: number): Float64Array | null {
    return this.#at(assetNumber, block)?.numbers[field] ?? null;
  }

  cellsOf(): number {
    return 0;
  }

  open(assetNumber: AssetNumber, field: number, block: number): Float64Array {
    const row =
      this.#at(assetNumber, block) ?? this.#put({ assetNumber, block, numbers: [], loads: null, isStored: false });
    this.#changed.add(row);
    row.numbers[field] ??= new Float64Array(BLOCK_DAYS).fill(Number.NaN);
    return row.numbers[field];
  }

  setOrigin(assetNumber: AssetNumber, day: number, origin: Origin): void {
    const row = this.#at(assetNumber, blockOf(day))!; // the close was written before
    if (row.loads === null && origin === 0) return;
    this.#changed.add(row);
    row.loads ??= new Int32Array(BLOCK_DAYS);
    row.loads[day % BLOCK_DAYS] = origin;
  }

  /** The known origins of one asset, by day, from and to included. */
  originsOf(assetNumber: AssetNumber, from: Day, to: Day): Map<number, Origin> {
    const found = new Map<number, Origin>();
    for (const { assetNumber: asset, block, loads } of this.#blocks.values()) {
      if (asset !== assetNumber) continue;
      for (const [i, origin] of loads?.entries() ?? []) {
        const day = block * BLOCK_DAYS + i;
        if (origin !== 0 && day >= from && day <= to) found.set(day, origin);
      }
    }
    return found;
  }

  /** Writes what was changed. */
  async write(sql: Sql): Promise<void> {
    if (this.#changed.size === 0) return;
    const rows = [...this.#changed];
    const stored = rows.filter(row => row.isStored);
    if (stored.length > 0) {
      await sql.script(`
        DELETE FROM tidemark.bar_blocks USING ${placesText(stored)} AS old (asset, block)
        WHERE bar_blocks.asset = old.asset AND bar_blocks.block = old.block`);
    }
    const target = new CopyWriter();
    for (const { assetNumber, block, numbers, loads } of rows) {
      target.row(3 + FIELDS.length);
      target.integer(assetNumber);
      target.integer(block);
      for (let field = 0; field < FIELDS.length; field++) target.array(numbers[field] ?? null);
      target.integers(loads);
    }
    await sql.copyInto(`tidemark.bar_blocks (${COLUMNS})`, target);
    this.#changed.clear();
  }

  async #read(sql: Sql, from: string): Promise<void> {
    await sql.copyOut(`SELECT ${COLUMNS} ${from}`, row => {
      const [assetNumber, block] = [row.integer(), row.integer()];
      const numbers = [row.array(), row.array(), row.array(), row.array(), row.array()]; // one per field
      this.#put({ assetNumber, block, numbers, loads: row.integers(), isStored: true });
    });
  }

  #at(assetNumber: AssetNumber, block: number): Block | undefined {
    if (this.#last?.assetNumber === assetNumber && this.#last.block === block) return this.#last;
    this.#last = this.#blocks.get(placeOf(assetNumber, block));
    return this.#last;
  }

  #put(row: Block): Block {
    this.#blocks.set(placeOf(row.assetNumber, row.block), row);
    this.#last = row;
    return row;
  }
}

/** Fewer blocks than this fit between the first and the last day. */
const BLOCKS = 2 ** 18;

function placeOf(assetNumber: AssetNumber, block: number): number {
  return assetNumber * BLOCKS + block;
}

function placesText(places: readonly BlockPlace[]): string {
  const [numbers, blocks] = [arrayText(places.map(one => one.assetNumber)), arrayText(places.map(one => one.block))];
  return `unnest('${numbers}'::int[], '${blocks}'::int[])`;
}
