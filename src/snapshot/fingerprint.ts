// What tells two snapshots apart: a hash of everything that an answer can be made of.
//
// Columns are hashed in blocks of rows, and the hashes of the blocks are kept with their column: after an update, only the
// blocks with rows that differ are hashed again.

import { createHash, hash } from 'node:crypto';
import type { ColumnData, Table, TextData } from './table.ts';

const BLOCK_ROWS = 2048;

/** The table before, when every row is where it was and only these may have other values. */
export interface FingerprintBefore {
  readonly table: Table;
  readonly touched: Uint32Array;
}

type Values = Exclude<ColumnData, { kind: 'text' }>['values'] | Table['history'];

/** One for each block. */
const digests = new WeakMap<object, readonly string[]>();

/**
 * The version is part of it although the columns already tell two stores apart: profiles are not in the snapshot, and a
 * change of one raises the version.
 */
export function fingerprintOf(
  version: number,
  tables: readonly { readonly table: Table; readonly before: FingerprintBefore | null }[],
): string {
  const all = createHash('sha256').update(`${version}`);
  for (const { table, before } of tables) {
    all.update(`\n${table.dataset.name} ${table.rows} ${table.dataset.columns.map(column => column.name).join()}\n`);
    const stale = before && blocksWith(before.touched, table.rows);
    for (const [i, column] of table.columns.entries()) {
      all.update(
        column.kind === 'text'
          ? digestOfText(column)
          : digestOf(column.values, valuesOf(before?.table.columns[i]), stale).join(),
      );
    }
    all.update(digestOf(table.history, before?.table.history, stale).join());
  }
  return all.digest('base64url').slice(0, 22); // 132 bits
}

/** The blocks that have any of these rows. */
function blocksWith(rows: Uint32Array, count: number): number[] {
  const marked = new Uint8Array(Math.ceil(count / BLOCK_ROWS));
  for (let i = 0; i < rows.length; i++) marked[Math.floor(rows[i]! / BLOCK_ROWS)] = 1;
  return [...marked.keys()].filter(block => marked[block] === 1);
}

function digestOfText(column: TextData): string {
  const known = digests.get(column)?.[0];
  if (known !== undefined) return known;
  // The number of rows is hashed already, so the fixed-size parts cannot run into each other.
  const whole = createHash('sha256').update(column.offsets).update(column.missing).update(column.bytes);
  const digest = whole.digest('base64url');
  digests.set(column, [digest]);
  return digest;
}

/** `stale` are the blocks that differ from `old`; null when there is nothing to compare with. */
function digestOf(values: Values, old: Values | undefined, stale: readonly number[] | null): readonly string[] {
  const known = digests.get(values);
  if (known) return known;
  const before = old && digests.get(old);
  const digest = before && stale ? before.slice() : new Array<string>(Math.ceil(values.length / BLOCK_ROWS));
  for (const block of before && stale ? stale : digest.keys()) {
    const part = values.subarray(block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS);
    // A table that does not know its histories has no values in any block.
    if (part.length > 0) digest[block] = hash('sha256', part, 'base64url');
  }
  digests.set(values, digest);
  return digest;
}

function valuesOf(column: ColumnData | undefined): Values | undefined {
  return column === undefined || column.kind === 'text' ? undefined : column.values;
}
