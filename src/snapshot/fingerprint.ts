// What tells two snapshots apart: a hash of everything that an answer can be made of.

import { createHash, type Hash } from 'node:crypto';
import type { ColumnData, Table } from './table.ts';

/**
 * The version is part of it although the columns already tell two stores apart: profiles are not in the snapshot, and a
 * change of one raises the version.
 */
export function fingerprintOf(version: number, tables: readonly Table[]): string {
  const hash = createHash('sha256').update(`${version}`);
  for (const table of tables) {
    hash.update(`\n${table.dataset.name} ${table.rows} ${table.dataset.columns.map(column => column.name).join()}\n`);
    for (const column of table.columns) addColumn(hash, column);
    hash.update(table.history);
  }
  return hash.digest('base64url').slice(0, 22); // 132 bits
}

function addColumn(hash: Hash, column: ColumnData): void {
  // The number of rows is hashed already, so the fixed-size parts cannot run into each other.
  if (column.kind === 'text') hash.update(column.offsets).update(column.missing).update(column.bytes);
  else hash.update(column.values);
}
