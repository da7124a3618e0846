// Rows of the table of bar blocks of an interval: reading and writing them.

import type { AssetNumber } from '../../domain/asset.ts';
import { BLOCK_DAYS, blockOf, FIELDS, type WritableBlocks } from '../bars/blocks.ts';
import type { Origin } from '../port/origins.ts';
import { CopyWriter } from './copy.ts';
import { arrayText, type Sql } from './database.ts';
import type { SeriesLayout } from './series-layout.ts';

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

const COLUMNS = ['asset', 'block', ...FIELDS, 'loads'];

/** Blocks read from the table, and those to be written to it. */
export class BlockRows implements WritableBlocks {
  readonly #table: string;
  /** By `placeOf`: a map per asset would take as long to make as the rest of it. */
  readonly #blocks = new Map<number, Block>();
  readonly #changed = new Set<Block>();
  /** The one that was asked for last: the same one is asked for once per field. */
  #last: Block | undefined;

  constructor({ blocks }: SeriesLayout) {
    this.#table = blocks;
  }

  /** The rows of these places, as far as there are some. */
  async read(sql: Sql, places: readonly BlockPlace[]): Promise<void> {
    if (places.length === 0) return;
    await this.#read(
      sql,
      `FROM ${placesText(places)} AS wanted (asset, block) JOIN ${this.#table} USING (asset, block)`,
    );
  }

  async readAll(sql: Sql, assetNumber: AssetNumber, from: number, to: number): Promise<void> {
    await this.#read(sql, `FROM ${this.#table} WHERE asset = ${assetNumber} AND block BETWEEN ${from} AND ${to}`);
  }

  /** The newest block of each asset before `block`, an expression over the row `covered` of its coverage: Citus cannot look up a list of them. */
  async readBefore(sql: Sql, assets: readonly AssetNumber[], block: string, { coverage }: SeriesLayout): Promise<void> {
    if (assets.length === 0) return;
    await this.#read(
      sql,
      `FROM ${coverage} AS covered CROSS JOIN LATERAL (
         SELECT * FROM ${this.#table} AS stored WHERE stored.asset = covered.asset AND stored.block < ${block}
         ORDER BY stored.block DESC LIMIT 1
       ) AS before WHERE covered.asset = ANY('${arrayText(assets)}'::int[])`,
      'before',
    );
  }

  find(assetNumber: AssetNumber, field: number, block: number): Float64Array | null {
    return this.#at(assetNumber, block)?.numbers[field] ?? null;
  }

  /** Whether a block has a number of this field. */
  hasField(field: number): boolean {
    return this.#blocks.values().some(({ numbers }) => (numbers[field] ?? null) !== null);
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

  originOf(assetNumber: AssetNumber, day: number): Origin {
    return this.#at(assetNumber, blockOf(day))?.loads?.[day % BLOCK_DAYS] ?? 0;
  }

  setOrigin(assetNumber: AssetNumber, day: number, origin: Origin): void {
    const row = this.#at(assetNumber, blockOf(day))!; // the close was written before
    if (row.loads === null && origin === 0) return;
    this.#changed.add(row);
    row.loads ??= new Int32Array(BLOCK_DAYS);
    row.loads[day % BLOCK_DAYS] = origin;
  }

  /** The known origins of one asset, by day, from and to included. */
  originsOf(assetNumber: AssetNumber, from: number, to: number): Map<number, Origin> {
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
        DELETE FROM ${this.#table} AS stored USING ${placesText(stored)} AS old (asset, block)
        WHERE stored.asset = old.asset AND stored.block = old.block`);
    }
    const target = new CopyWriter();
    for (const { assetNumber, block, numbers, loads } of rows) {
      target.row(3 + FIELDS.length);
      target.integer(assetNumber);
      target.integer(block);
      for (let field = 0; field < FIELDS.length; field++) target.array(numbers[field] ?? null);
      target.integers(loads);
    }
    await sql.copyInto(`${this.#table} (${COLUMNS.join(', ')})`, target);
    this.#changed.clear();
  }

  /** `table`: the one of `from` that has the columns, if it is not the only one. */
  async #read(sql: Sql, from: string, table?: string): Promise<void> {
    const columns = COLUMNS.map(name => (table === undefined ? name : `${table}.${name}`));
    await sql.copyOut(`SELECT ${columns.join(', ')} ${from}`, row => {
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

/** Fewer blocks than this fit between the first and the last period. */
const BLOCKS = 2 ** 22;

function placeOf(assetNumber: AssetNumber, block: number): number {
  return assetNumber * BLOCKS + block;
}

function placesText(places: readonly BlockPlace[]): string {
  const [numbers, blocks] = [arrayText(places.map(one => one.assetNumber)), arrayText(places.map(one => one.block))];
  return `unnest('${numbers}'::int[], '${blocks}'::int[])`;
}
