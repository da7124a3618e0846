// Rows of the table of blocks: reading and writing them, and their bytes.

import type { AssetNumber } from '../../domain/asset.ts';
import { BLOCK_DAYS, FIELDS, type WritableBlocks } from '../bar-blocks.ts';
import { arrayText, type Transaction } from './connection.ts';
import { CopyRows, copyInto, copyOut } from './copy.ts';

/** From so many rows on COPY is faster than INSERT, although a COPY ends with a packet that waits for an acknowledgement (40 ms). */
const COPY_FROM = 1000;

export interface BlockPlace {
  readonly key: AssetNumber;
  readonly block: number;
}

/** One block of one asset: a row of the table. */
interface Block extends BlockPlace {
  /** In the order of FIELDS. */
  readonly numbers: (Float64Array | null)[];
  /** Whether the table has it. */
  readonly isStored: boolean;
}

/** Blocks read from the table, and those to be written to it. */
export class BlockRows implements WritableBlocks {
  readonly #blocks = new Map<AssetNumber, Map<number, Block>>();
  readonly #changed = new Set<Block>();

  /** The rows of these places, as far as there are some. */
  async read(sql: Transaction, places: readonly BlockPlace[]): Promise<void> {
    if (places.length === 0) return;
    const [keys, blocks] = [arrayText(places.map(one => one.key)), arrayText(places.map(one => one.block))];
    await this.#read(
      sql,
      `FROM unnest('${keys}'::int[], '${blocks}'::int[]) AS wanted (asset, block) JOIN tidemark.blocks USING (asset, block)`,
    );
  }

  async readAll(sql: Transaction, key: AssetNumber, from: number, to: number): Promise<void> {
    await this.#read(sql, `FROM tidemark.blocks WHERE asset = ${key} AND block BETWEEN ${from} AND ${to}`);
  }

  find(key: AssetNumber, field: number, block: number): Float64Array | null {
    return this.#blocks.get(key)?.get(block)?.numbers[field] ?? null;
  }

  cellsOf(): number {
    return 0;
  }

  open(key: AssetNumber, field: number, block: number): Float64Array {
    const row = this.#blocks.get(key)?.get(block) ?? this.#put({ key, block, numbers: [], isStored: false });
    this.#changed.add(row);
    row.numbers[field] ??= new Float64Array(BLOCK_DAYS).fill(Number.NaN);
    return row.numbers[field];
  }

  /** Writes what was changed. */
  async write(sql: Transaction): Promise<void> {
    const rows = [...this.#changed];
    if (rows.length < COPY_FROM) {
      await insert(sql, rows);
    } else {
      await remove(
        sql,
        rows.filter(row => row.isStored),
      );
      await copy(sql, rows);
    }
    this.#changed.clear();
  }

  async #read(sql: Transaction, from: string): Promise<void> {
    await copyOut(sql, `SELECT asset, block, ${FIELDS.join(', ')} ${from}`, row => {
      const [key, block] = [row.integer(), row.integer()];
      const numbers = FIELDS.map(() => {
        const bytes = row.bytes();
        return bytes && numbersOf(bytes);
      });
      this.#put({ key, block, numbers, isStored: true });
    });
  }

  #put(row: Block): Block {
    const blocks = this.#blocks.get(row.key) ?? new Map<number, Block>();
    this.#blocks.set(row.key, blocks.set(row.block, row));
    return row;
  }
}

async function insert(sql: Transaction, rows: readonly Block[]): Promise<void> {
  if (rows.length === 0) return;
  const hex = (field: number) => {
    const texts = rows.map(({ numbers }) =>
      numbers[field] ? `"\\\\x${bytesOf(numbers[field]).toString('hex')}"` : 'NULL',
    );
    return `{${texts.join(',')}}`;
  };
  await sql`
    INSERT INTO tidemark.blocks (asset, block, close, open, high, low, volume)
    SELECT * FROM unnest(
      ${arrayText(rows.map(row => row.key))}::int[], ${arrayText(rows.map(row => row.block))}::int[],
      ${hex(0)}::bytea[], ${hex(1)}::bytea[], ${hex(2)}::bytea[], ${hex(3)}::bytea[], ${hex(4)}::bytea[])
    ON CONFLICT (asset, block) DO UPDATE
    SET close = excluded.close, open = excluded.open, high = excluded.high, low = excluded.low, volume = excluded.volume`;
}

async function remove(sql: Transaction, places: readonly BlockPlace[]): Promise<void> {
  if (places.length === 0) return;
  await sql`
    DELETE FROM tidemark.blocks
    USING unnest(${arrayText(places.map(one => one.key))}::int[], ${arrayText(places.map(one => one.block))}::int[])
      AS old (asset, block)
    WHERE blocks.asset = old.asset AND blocks.block = old.block`;
}

async function copy(sql: Transaction, rows: readonly Block[]): Promise<void> {
  const target = new CopyRows();
  for (const { key, block, numbers } of rows) {
    target.row(2 + FIELDS.length);
    target.integer(key);
    target.integer(block);
    for (let field = 0; field < FIELDS.length; field++) {
      const own = numbers[field];
      target.bytes(own ? bytesOf(own) : null);
    }
  }
  await copyInto(sql, 'tidemark.blocks (asset, block, close, open, high, low, volume)', target);
}

/** Big-endian, as PostgreSQL sends doubles itself. */
function bytesOf(numbers: Float64Array): Buffer {
  return Buffer.from(numbers.slice().buffer).swap64();
}

/** In memory of its own, because doubles must lie at multiples of their size. */
export function numbersOf(bytes: Buffer): Float64Array {
  const numbers = new Float64Array(bytes.length / 8);
  const copied = Buffer.from(numbers.buffer);
  copied.set(bytes);
  copied.swap64();
  return numbers;
}
