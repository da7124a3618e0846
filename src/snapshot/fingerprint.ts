// What tells two snapshots apart: a hash of everything that an answer can be made of.
//
// Columns are hashed in blocks of rows, and the hashes of the blocks are kept with their column: after an update, only the
// blocks with rows that differ are hashed again.

import { createHash, hash } from 'node:crypto';
import type { ColumnData, Table } from './table.ts';

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
    for (const [i, column] of table.columns.entries()) {
      all.update(digestOf(column, before?.table.columns[i], before?.touched).join());
    }
    all.update(digestOfValues(table.history, before?.table.history, before?.touched).join());
  }
  return all.digest('base64url').slice(0, 22); // 132 bits
}

function digestOf(column: ColumnData, old: ColumnData | undefined, touched: Uint32Array | undefined) {
  if (column.kind !== 'text') return digestOfValues(column.values, valuesOf(old), touched);
  const known = digests.get(column);
  if (known) return known;
  // The number of rows is hashed already, so the fixed-size parts cannot run into each other.
  const whole = createHash('sha256').update(column.offsets).update(column.missing).update(column.bytes);
  const digest = [whole.digest('base64url')];
  digests.set(column, digest);
  return digest;
}

function digestOfValues(values: Values, old: Values | undefined, touched: Uint32Array | undefined): readonly string[] {
  const known = digests.get(values);
  if (known) return known;
  const before = old && digests.get(old);
  const digest = before && touched ? before.slice() : new Array<string>(Math.ceil(values.length / BLOCK_ROWS));
  const stale = before && touched ? new Set(touched.map(row => Math.floor(row / BLOCK_ROWS))) : digest.keys();
  for (const block of stale) {
    const part = values.subarray(block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS);
    if (part.length > 0) digest[block] = hash('sha256', part, 'base64url');
  }
  digests.set(values, digest);
  return digest;
}

function valuesOf(column: ColumnData | undefined): Values | undefined {
  return column === undefined || column.kind === 'text' ? undefined : column.values;
}
