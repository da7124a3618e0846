// Hashes of the values of a column, block by block.

import { hash } from 'node:crypto';
import type { ColumnData, Table } from '../table.ts';

export type HashedValues = Exclude<ColumnData, { kind: 'text' }>['values'] | Table['history'];

export const BLOCK_ROWS = 1024;
const DIGEST_BYTES = 32;

/** The hashes one after the other. */
export function blockDigests(values: HashedValues): Uint8Array {
  const blocks = Math.ceil(values.length / BLOCK_ROWS);
  const digests = new Uint8Array(DIGEST_BYTES * blocks);
  for (let block = 0; block < blocks; block++) putBlockDigest(digests, values, block);
  return digests;
}

export function putBlockDigest(digests: Uint8Array, values: HashedValues, block: number): void {
  const rows = values.subarray(block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS);
  digests.set(hash('sha256', rows, 'buffer'), DIGEST_BYTES * block);
}
