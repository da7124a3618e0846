// Reads zip archives: the list of their files, and the bytes of one of them. Nothing of a damaged archive is delivered.
//
// An archive ends with a list of its files (the central directory), so that a download which broke off has none.
// Packages for zip files were considered: what is needed of the format is this file, and node:zlib does the rest.

import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { crc32, createInflateRaw } from 'node:zlib';
import { DamagedInput, storedChunks, UNPACKED_BYTES, unpack } from './inputs.ts';

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
/** The list ends with a comment of at most this length. */
const MAX_COMMENT = 0xffff;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
/** In place of a size or a position that 32 bits cannot hold. */
const ELSEWHERE = 0xffffffff;
const MAX_LIST_BYTES = 16 * 1024 * 1024;

export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  /** Where its header is in the archive. */
  readonly position: number;
}

export function isZip(path: string): boolean {
  return path.toLowerCase().endsWith('.zip');
}

/** The files in the archive, without folders. Throws DamagedInput. */
export async function zipEntries(path: string): Promise<ZipEntry[]> {
  await using file = await open(path);
  const { size } = await file.stat();
  const tail = await readAt(file, Math.max(0, size - END_BYTES - MAX_COMMENT), Math.min(size, END_BYTES + MAX_COMMENT));
  const at = endOfList(tail);
  if (at === null) throw new DamagedInput(await whyNoList(file, size));
  const count = tail.readUInt16LE(at + 10);
  const [listBytes, listAt] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  if (listAt === ELSEWHERE || listBytes === ELSEWHERE || count === 0xffff) throw tooLarge();
  if (listBytes > MAX_LIST_BYTES || listAt + listBytes > size) {
    throw new DamagedInput('the list of files in the zip archive is damaged; download it again');
  }
  return entriesOf(await readAt(file, listAt, listBytes), count).filter(({ name }) => !name.endsWith('/'));
}

/** The content of one file in chunks. `onRead` gets the number of packed bytes of each read. Throws DamagedInput. */
export async function* readEntry(
  path: string,
  entry: ZipEntry,
  signal: AbortSignal,
  onRead?: (bytes: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  const { method, packedBytes, position, bytes, crc } = entry;
  if (entry.isEncrypted) throw new DamagedInput('the zip archive has a password; unpack it first');
  if (method !== STORED && method !== DEFLATED) {
    throw new DamagedInput(`the zip archive is packed by a method that is not read (${method}); unpack it first`);
  }
  if ([packedBytes, bytes, position].includes(ELSEWHERE)) throw tooLarge();
  const start = await startOfData(path, position);
  const packed = storedChunks({ path }, signal, { onRead, start, end: start + packedBytes });
  const unpacker = () => createInflateRaw({ chunkSize: UNPACKED_BYTES });
  let [sum, length] = [0, 0];
  for await (const chunk of method === STORED ? packed : unpack(packed, unpacker(), 'zip')) {
    sum = crc32(chunk, sum);
    length += chunk.length;
    // An archive that claims little and unpacks to much is a trap.
    if (length > bytes) break;
    yield chunk;
  }
  if (length !== bytes || sum !== crc) {
    throw new DamagedInput(`${entry.name} in the zip archive does not have its checksum; download the archive again`);
  }
}

/** Reads the file to its end. Throws DamagedInput if it is not what it was when it was packed. */
export async function checkEntry(path: string, entry: ZipEntry, signal: AbortSignal): Promise<void> {
  for await (const _ of readEntry(path, entry, signal));
}

/** Compares the archive with the SHA-256 in `NAME.zip.CHECKSUM` beside it, if that is there. Throws DamagedInput. */
export async function compareChecksum(path: string, signal: AbortSignal): Promise<void> {
  const beside = await readFile(`${path}.CHECKSUM`, 'utf8').catch(() => null);
  if (beside === null) return;
  const name = basename(`${path}.CHECKSUM`);
  const expected = /^([0-9a-f]{64})\b/i.exec(beside.trim())?.[1]?.toLowerCase();
  if (expected === undefined) {
    throw new DamagedInput(`${name} does not begin with a SHA-256 checksum; download it again, or remove it`);
  }
  const hash = createHash('sha256');
  for await (const chunk of storedChunks({ path }, signal)) hash.update(chunk);
  if (hash.digest('hex') === expected) return;
  throw new DamagedInput(`the archive does not have the checksum that ${name} gives; download both again`);
}

type OpenFile = Awaited<ReturnType<typeof open>>;

async function readAt(file: OpenFile, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** The comment of an archive may hold the signature too: the one whose comment reaches the end of the file counts. */
function endOfList(tail: Buffer): number | null {
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) === END_SIGNATURE && at + END_BYTES + tail.readUInt16LE(at + 20) === tail.length)
      return at;
  }
  return null;
}

async function whyNoList(file: OpenFile, size: number): Promise<string> {
  const start = await readAt(file, 0, 4);
  if (size === 0) return 'the file is empty';
  if (start.length === 4 && start.readUInt32LE(0) === LOCAL_SIGNATURE) {
    return 'the zip archive ends in the middle; download it again';
  }
  return 'the file is named .zip and is not a zip archive';
}

function entriesOf(list: Buffer, count: number): ZipEntry[] {
  const entries: ZipEntry[] = [];
  for (let at = 0; entries.length < count; ) {
    if (at + ENTRY_BYTES > list.length || list.readUInt32LE(at) !== ENTRY_SIGNATURE) {
      throw new DamagedInput('the list of files in the zip archive is damaged; download it again');
    }
    const [name, extra, comment] = [28, 30, 32].map(offset => list.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]; // one per offset
    entries.push({
      name: list.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + name),
      method: list.readUInt16LE(at + 10),
      isEncrypted: (list.readUInt16LE(at + 8) & 1) === 1,
      crc: list.readUInt32LE(at + 16),
      packedBytes: list.readUInt32LE(at + 20),
      bytes: list.readUInt32LE(at + 24),
      position: list.readUInt32LE(at + 42),
    });
    at += ENTRY_BYTES + name + extra + comment;
  }
  return entries;
}

/** The name and the extra field of a file's own header may be longer than those of the list. */
async function startOfData(path: string, position: number): Promise<number> {
  await using file = await open(path);
  const header = await readAt(file, position, LOCAL_BYTES);
  if (header.length < LOCAL_BYTES || header.readUInt32LE(0) !== LOCAL_SIGNATURE) {
    throw new DamagedInput('the zip archive is damaged; download it again');
  }
  return position + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
}

function tooLarge(): DamagedInput {
  return new DamagedInput('the zip archive is larger than 4 GB, or holds 65,535 files; unpack it first');
}
