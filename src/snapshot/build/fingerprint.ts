// The fingerprint of a snapshot: a hash of everything that a response can contain.
//
// Columns are hashed in blocks of rows, and the hash of each block is cached with its column. After an update, only the blocks with
// changed rows are hashed again.

import { createHash } from 'node:crypto';
import type { ColumnData, Table, TextData } from '../table.ts';
import { BLOCK_ROWS, blockDigests, type HashedValues, putBlockDigest } from './block-digests.ts';
import type { WorkList } from './work-list.ts';

/** The table before, when every row is where it was and only the touched rows may have other values. */
export interface FingerprintBefore {
  readonly table: Table;
  readonly touched: Uint32Array;
}

/** The hashes of the blocks of a column of values; of a column of texts, its hash. */
const digests = new WeakMap<object, Uint8Array>();

/** Lists the work of hashing whole columns. The function that it returns is called once the work is done. */
export function planDigests({ columns, history }: Pick<Table, 'columns' | 'history'>, works: WorkList): () => void {
  const values = new Set([history, ...columns.flatMap(column => (column.kind === 'text' ? [] : [column.values]))]);
  const unknown = [...values].filter(each => !digests.has(each));
  const made = unknown.map(each => [each, works.add('digests', each)] as const);
  return () => {
    for (const [each, digest] of made) digests.set(each, digest());
  };
}

/**
 * The version is part of the hash because profiles are not in the snapshot: a changed profile raises the version and must change the
 * fingerprint.
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
          : digestOf(column.values, valuesOf(before?.table.columns[i]), stale),
      );
    }
    all.update(digestOf(table.history, before?.table.history, stale));
  }
  return all.digest('base64url').slice(0, 22); // 132 bits
}

/** The blocks that have any of these rows. */
function blocksWith(rows: Uint32Array, count: number): number[] {
  const marked = new Uint8Array(Math.ceil(count / BLOCK_ROWS));
  for (let i = 0; i < rows.length; i++) marked[Math.floor(rows[i]! / BLOCK_ROWS)] = 1;
  return [...marked.keys()].filter(block => marked[block] === 1);
}

function digestOfText(column: TextData): Uint8Array {
  const known = digests.get(column);
  if (known !== undefined) return known;
  // The number of rows is hashed already, so the fixed-size parts cannot run into each other.
  const whole = createHash('sha256').update(column.offsets).update(column.missing).update(column.bytes);
  const digest = whole.digest();
  digests.set(column, digest);
  return digest;
}

/** `stale` lists the blocks that may differ from `old`; null: all of them. */
function digestOf(values: HashedValues, old: HashedValues | undefined, stale: readonly number[] | null): Uint8Array {
  const known = digests.get(values);
  if (known) return known;
  const before = old && stale && digests.get(old);
  const digest = before ?? blockDigests(values);
  if (before) {
    // Only the newest snapshot is compared with the next one.
    digests.delete(old);
    // A table without histories has no values in any block.
    if (values.length > 0) for (const block of stale) putBlockDigest(digest, values, block);
  }
  digests.set(values, digest);
  return digest;
}

function valuesOf(column: ColumnData | undefined): HashedValues | undefined {
  return column === undefined || column.kind === 'text' ? undefined : column.values;
}
