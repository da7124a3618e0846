// Numbers as they lie in SQLite: doubles, and behind them a checksum. SQLite notices damage where it breaks the order of its file; a
// changed bit of a number would be served as a price.

import { crc32 } from 'node:zlib';

/** Little-endian in the database, like the memory of every machine that Node runs on. */
export type Numbers = Float64Array<ArrayBuffer>;
export type Blob = Uint8Array<ArrayBuffer>;

const NUMBER_BYTES = 8;
const SEAL_BYTES = 4;

/** What the database holds is not what was written. */
export class BrokenSeal extends Error {}

/** Zeros, in memory that has room for their seal. */
export function newNumbers(count: number): Numbers {
  return new Float64Array(new ArrayBuffer(NUMBER_BYTES * count + SEAL_BYTES), 0, count);
}

/** The bytes for the database, in the same memory. The numbers come from `newNumbers` or `unsealed`. */
export function sealed({ buffer, byteOffset, byteLength }: Numbers): Blob {
  const seal = new DataView(buffer, byteOffset + byteLength, SEAL_BYTES);
  seal.setUint32(0, crc32(new Uint8Array(buffer, byteOffset, byteLength)), true);
  return new Uint8Array(buffer, byteOffset, byteLength + SEAL_BYTES);
}

export function unsealed({ buffer, byteOffset, byteLength }: Blob): Numbers {
  const bytes = byteLength - SEAL_BYTES;
  if (bytes < 0 || bytes % NUMBER_BYTES !== 0) throw new BrokenSeal('a value is too short or too long');
  const seal = new DataView(buffer, byteOffset + bytes, SEAL_BYTES).getUint32(0, true);
  if (seal !== crc32(new Uint8Array(buffer, byteOffset, bytes))) throw new BrokenSeal('a value has changed');
  return new Float64Array(buffer, byteOffset, bytes / NUMBER_BYTES);
}

/** False for those of an older store. */
export function isSealed({ byteLength }: Blob): boolean {
  return byteLength % NUMBER_BYTES === SEAL_BYTES;
}
