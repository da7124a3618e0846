// Hashes of the values of a column, block by block.

import { hash } from 'node:crypto';
import type { ColumnData, Table } from './table.ts';

export type HashedValues = Exclude<ColumnData, { kind: 'text' }>['values'] | Table['history'];

export const BLOCK_ROWS = 2048;

/** One hash per block. */
export function blockDigests(values: HashedValues): string[] {
  return Array.from({ length: Math.ceil(values.length / BLOCK_ROWS) }, (_, block) => blockDigest(values, block));
}

export function blockDigest(values: HashedValues, block: number): string {
  return hash('sha256', values.subarray(block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS), 'base64url');
}
