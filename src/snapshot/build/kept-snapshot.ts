// A snapshot as the bytes of a file: what a server can serve while its store is unreachable.
//
//   0   'TIDEMARK'
//   8   number of this layout, length of the description (two integers of 32 bits)
//   16  when the store last confirmed that this is what it holds, milliseconds since 1970; renewed in place
//   24  the description: JSON in which `{"array": TYPE, "length": N}` stands for an array, then zeros up to a multiple of 8
//       the arrays, one after the other, each up to a multiple of 8
//       SHA-256 of all of this but the time at 16
//
// Numbers are little-endian, as on every machine that Node supports. Orders and most indexes are not in the file: they are rebuilt.

import { createHash } from 'node:crypto';
import { type Column, ownPlace } from '../../domain/columns.ts';
import { SNAPSHOT_DATASETS } from '../../domain/datasets.ts';
import { sharedBytes, sharedCounts, sharedDoubles, sharedIntegers } from '../columns/shared-memory.ts';
import { bufferOf } from '../columns/texts.ts';
import { type AssetIndexData, SharedAssetIndex } from '../indexes/shared-asset-index.ts';
import { type ByDataset, byDataset } from '../table.ts';
import type { SharedSnapshot } from './share.ts';
import { planTable, type TableDescriptor } from './shared-table.ts';
import { WorkList } from './work-list.ts';

export interface KeptSnapshot {
  /** Identifies the store that the snapshot is of. */
  readonly store: string;
  readonly snapshot: SharedSnapshot;
  readonly confirmedAt: number;
}

const MAGIC = 'TIDEMARK';
const LAYOUT = 7;
export const CONFIRMED_AT = 16;
export const HEAD_BYTES = 24;
const HASH_BYTES = 32;

/** A file with other columns cannot be used. */
const COLUMNS = SNAPSHOT_DATASETS.map(({ name, columns }) => [name, ...columns.map(identityOf)].join());

/** Of a column of the settings file, its definition too. */
function identityOf(column: Column): string {
  return ownPlace(column) === null || !('formula' in column) ? column.name : `${column.name}=${column.formula}`;
}

interface Description
  extends Pick<SharedSnapshot, 'version' | 'fingerprint' | 'builtAt' | 'listed' | 'benchmark' | 'fiats'> {
  readonly store: string;
  readonly columns: readonly string[];
  readonly assetNumbers: AssetIndexData['assetNumbers'];
  readonly tables: ByDataset<PlainTable>;
}

type PlainTable = Pick<TableDescriptor, 'rows' | 'columns' | 'history' | 'profileIndex'>;

const ARRAYS = {
  Float64Array: sharedDoubles,
  Int32Array: sharedIntegers,
  Uint32Array: sharedCounts,
  Uint8Array: sharedBytes,
};
type AnyArray = ReturnType<(typeof ARRAYS)[keyof typeof ARRAYS]>;

/** The file in pieces to be written one after the other, so that columns are not copied. */
export function keptPieces({ store, snapshot, confirmedAt }: KeptSnapshot): Buffer[] {
  const { version, fingerprint, builtAt, indexData, listed, benchmark, fiats } = snapshot;
  const tables = byDataset((name): PlainTable => {
    const { rows, columns, history, profileIndex } = snapshot.tables[name].descriptor;
    return { rows, columns, history, profileIndex };
  });
  const assetNumbers = indexData.assetNumbers;
  const facts = { store, version, fingerprint, builtAt, benchmark, fiats };
  const described: Description = { ...facts, columns: COLUMNS, assetNumbers, listed, tables };
  const arrays: AnyArray[] = [];
  const text = JSON.stringify(described, (_, value: unknown) => {
    if (!isArray(value)) return value;
    arrays.push(value);
    return { array: value.constructor.name, length: value.length };
  });
  const description = Buffer.from(text);
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(MAGIC, 'latin1');
  head.writeUInt32LE(LAYOUT, 8);
  head.writeUInt32LE(description.length, 12);
  head.writeDoubleLE(confirmedAt, CONFIRMED_AT);
  const bodies = [description, ...arrays.map(bytesOf)].flatMap(bytes => [bytes, Buffer.alloc(padding(bytes.length))]);
  const hash = hashOf(head, bodies);
  return [head, ...bodies, hash];
}

/** Why the bytes cannot be used. The message continues a sentence that begins with the name of the file. */
export class NotKept extends Error {
  override readonly name = 'NotKept';
}

/** Throws `NotKept` unless the bytes are complete, of this layout and of this store. */
export function readKept(bytes: Buffer, store: string): KeptSnapshot {
  const { described, confirmedAt } = readHead(bytes);
  const [end, body] = [bytes.length - HASH_BYTES, HEAD_BYTES + described];
  const whole = body <= end && hashOf(bytes, [bytes.subarray(HEAD_BYTES, end)]).equals(bytes.subarray(end));
  if (!whole) throw new NotKept('is damaged');
  let at = body + padding(described);
  const take = (_: string, value: unknown): unknown => {
    const [make, length] = arrayPlace(value);
    if (make === null) return value;
    const array = make(length);
    bytesOf(array).set(bytes.subarray(at, at + array.byteLength));
    at += array.byteLength + padding(array.byteLength);
    return array;
  };
  // The hash proves that `keptPieces` wrote it. Of a file by another version, only these two members are read.
  const found = JSON.parse(bytes.toString('utf8', HEAD_BYTES, body), take) as Description;
  if (found.store !== store) throw new NotKept('is of another store');
  if (found.columns.join('\n') !== COLUMNS.join('\n')) throw new NotKept('was written by another version of Tidemark');
  return { store, snapshot: rebuilt(found), confirmedAt };
}

export function readHead(bytes: Buffer): { readonly described: number; readonly confirmedAt: number } {
  if (bytes.length < HEAD_BYTES || bytes.toString('latin1', 0, 8) !== MAGIC)
    throw new NotKept('is not a kept snapshot');
  if (bytes.readUInt32LE(8) !== LAYOUT) throw new NotKept('was written by another version of Tidemark');
  return { described: bytes.readUInt32LE(12), confirmedAt: bytes.readDoubleLE(CONFIRMED_AT) };
}

function rebuilt({ store: _, columns: __, assetNumbers, tables: plain, ...described }: Description): SharedSnapshot {
  const works = new WorkList(plain.assets.rows);
  const planned = byDataset((name, dataset) => {
    const { profileIndex: profiles, ...columns } = plain[name];
    return planTable({ dataset, ...columns, profiles }, null, works);
  });
  works.do();
  const tables = byDataset(name => planned[name]());
  const indexData = { assetNumbers };
  return { ...described, indexData, tables, assetIndex: new SharedAssetIndex(indexData, tables.assets) };
}

function hashOf(head: Buffer, bodies: readonly Buffer[]): Buffer {
  const hash = createHash('sha256').update(head.subarray(0, CONFIRMED_AT));
  for (const bytes of bodies) hash.update(bytes);
  return hash.digest();
}

function padding(length: number): number {
  return -length & 7;
}

function isArray(value: unknown): value is AnyArray {
  return ArrayBuffer.isView(value) && value.constructor.name in ARRAYS;
}

function bytesOf(array: AnyArray): Buffer {
  return bufferOf(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
}

/** The constructor of the array that the value stands for; null for any other value. */
function arrayPlace(value: unknown): [((length: number) => AnyArray) | null, number] {
  if (typeof value !== 'object' || value === null || !('array' in value) || !('length' in value)) return [null, 0];
  const make = Object.entries(ARRAYS).find(([name]) => name === value.array)?.[1] ?? null;
  return [make, Number(value.length)];
}
