// Opens what a person names on the command line: files, folders, gzip and standard input, as chunks of plain bytes.

import { createReadStream, openSync } from 'node:fs';
import { access, constants, readdir, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { isatty, ReadStream as TerminalStream } from 'node:tty';
import { createGunzip, type Gunzip, type InflateRaw } from 'node:zlib';
import { SourceError, type SourceItem } from './source.ts';

export interface Input {
  /** How rejects name it: the path as given, or `stdin`. */
  readonly name: string;
  /** Null is standard input. */
  readonly path: string | null;
  /** Bytes as stored: compressed ones for gzip; null for a pipe, whose size shows at its end. */
  readonly size: number | null;
}

/**
 * The input cannot be read to its end. Of one that is cut, every byte before the cut was delivered, so that its last line may
 * be incomplete; damage inside gzip data also takes the last step of unpacking with it.
 */
export class DamagedInput extends Error {
  override readonly name = 'DamagedInput';
}

const READ_BYTES = 256 * 1024;
export const UNPACKED_BYTES = READ_BYTES;
// Deflate packs up to a thousandfold, so that this bounds what one step unpacks to 16 MB.
const PACKED_BYTES = 16 * 1024;

/**
 * The inputs behind `paths`, in the order given: a file whatever its name, the files of a folder (and of the folders in it)
 * that end in one of `endings` or in it and `.gz`, sorted by path, `-` for standard input. Nothing is listed twice. All are
 * looked at before the first is read, so that a misspelt name fails before anything is loaded.
 */
export async function findInputs(paths: readonly string[], endings: readonly string[]): Promise<Input[]> {
  if (paths.length === 0) throw new SourceError('no input is named', 'name a file, a folder, or - for standard input');
  const found = new Map<string, Input>();
  for (const path of paths) {
    const inputs = path === '-' ? [{ name: 'stdin', path: null, size: null }] : await inputsAt(path, endings);
    for (const input of inputs) {
      const identity = input.path === null ? '-' : resolve(input.path);
      if (!found.has(identity)) found.set(identity, input);
    }
  }
  return [...found.values()];
}

/** Bytes of all inputs together, null when one of them is a pipe. */
export function totalSize(inputs: readonly Input[]): number | null {
  let total = 0;
  for (const { size } of inputs) {
    if (size === null) return null;
    total += size;
  }
  return total;
}

/**
 * The content in chunks, unpacked if it is gzip (by its first bytes, not by its name; several members follow each
 * other). `onRead` gets the number of stored bytes of each read. Throws DamagedInput at the end of what can be read, and the
 * signal's reason when it is aborted.
 */
export async function* readInput(
  input: Input,
  signal: AbortSignal,
  onRead?: (bytes: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  const chunks = storedChunks(input, signal, { onRead });
  const first = await atLeastTwoBytes(chunks);
  const all = first === null ? chunks : prepend(first, chunks);
  const isGzip = first !== null && first[0] === 0x1f && first[1] === 0x8b;
  yield* isGzip ? unpack(all, createGunzip({ chunkSize: UNPACKED_BYTES }), 'gzip') : all;
}

/** Bytes between two reports. */
const PROGRESS_BYTES = 1024 * 1024;

/**
 * The items of each input in turn, with progress in between and at the end. `itemsOf` gives null whenever progress may be reported, and
 * passes on how many bytes were read.
 */
export async function* itemsWithProgress(
  inputs: readonly Input[],
  itemsOf: (input: Input, onRead: (bytes: number) => void) => AsyncIterable<SourceItem | null>,
  last: () => Iterable<SourceItem> = () => [],
): AsyncGenerator<SourceItem, void, undefined> {
  const total = totalSize(inputs);
  let [done, reported] = [0, 0];
  const onRead = (bytes: number): void => {
    done += bytes;
  };
  for (const input of inputs) {
    for await (const item of itemsOf(input, onRead)) {
      if (item !== null) yield item;
      if (done - reported < PROGRESS_BYTES) continue;
      reported = done;
      yield { kind: 'progress', done, total, unit: 'bytes' };
    }
  }
  yield* last();
  yield { kind: 'progress', done, total, unit: 'bytes' };
}

async function inputsAt(path: string, endings: readonly string[]): Promise<Input[]> {
  const stats = await reachable(path, () => stat(path));
  if (!stats.isDirectory()) return [await fileInput(path)];
  const inputs: Input[] = [];
  for (const file of await filesBelow(path, endings)) inputs.push(await fileInput(file));
  if (inputs.length > 0) return inputs;
  throw new SourceError(
    `the folder ${path} holds no file that ends in ${endings.join(', ')} (or one of these and .gz)`,
    'name another folder, or the files themselves, whose names may then end in anything',
  );
}

async function fileInput(path: string): Promise<Input> {
  const stats = await reachable(path, async () => {
    await access(path, constants.R_OK);
    return stat(path);
  });
  return { name: path, path, size: stats.isFile() ? stats.size : null };
}

/** Hidden files are left out: editors, sync tools and macOS leave such beside the real ones. */
async function filesBelow(folder: string, endings: readonly string[]): Promise<string[]> {
  const wanted = endings.flatMap(ending => [ending, `${ending}.gz`]);
  const below = await reachable(folder, () => readdir(folder, { withFileTypes: true }));
  const files: string[] = [];
  for (const entry of below) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) {
      for (const file of await filesBelow(path, endings)) files.push(file);
    } else if (wanted.some(ending => entry.name.toLowerCase().endsWith(ending))) files.push(path);
  }
  return files.sort();
}

const HINTS: Readonly<Record<string, string>> = {
  ENOENT: 'check the spelling, and from which folder the command is started',
  ENOTDIR: 'check the spelling: a part of the path is a file',
  EACCES: 'allow reading, or run as the user who owns it',
  EPERM: 'allow reading, or run as the user who owns it',
};

async function reachable<T>(path: string, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    const code = codeOf(error);
    const problem = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    throw new SourceError(`${path} ${problem}`, HINTS[code] ?? 'see that it can be read', { cause: error });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown error';
}

interface StoredPart {
  readonly onRead?: ((bytes: number) => void) | undefined;
  /** Of a file; without them, all of it. */
  readonly start?: number;
  readonly end?: number;
}

/** The bytes as they are stored. Throws as `readInput` does. */
export async function* storedChunks(
  input: Pick<Input, 'path'>,
  signal: AbortSignal,
  { onRead, start = 0, end = Number.POSITIVE_INFINITY }: StoredPart = {},
): AsyncGenerator<Buffer, void, undefined> {
  signal.throwIfAborted();
  if (start >= end) return;
  try {
    const stream = input.path === null ? process.stdin : await openStoppable(input.path, start, end);
    addAbortSignal(signal, stream);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      onRead?.(chunk.length);
      yield chunk;
      signal.throwIfAborted();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new DamagedInput(`reading fails (${codeOf(error)})`, { cause: error });
  }
}

/**
 * A stream that an abort ends at once. Opening a FIFO without a writer blocks, and so does reading from a silent one; Node
 * cannot cancel either in its thread pool. Such files are opened without blocking and read when the kernel reports data.
 */
async function openStoppable(path: string, start: number, end: number): Promise<Readable> {
  const stats = await stat(path);
  // The stream's own end is included.
  if (stats.isFile()) return createReadStream(path, { highWaterMark: READ_BYTES, start, end: end - 1 });
  const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants;
  // Not the asynchronous form: its handle would close the descriptor when it is collected.
  const fd = openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (stats.isFIFO()) return new Socket({ fd, readable: true, writable: false });
  return isatty(fd) ? new TerminalStream(fd) : createReadStream(path, { fd, highWaterMark: READ_BYTES });
}

/** The first bytes of a stream can come one by one; null when the stream has fewer than two. */
async function atLeastTwoBytes(chunks: AsyncGenerator<Buffer, void, undefined>): Promise<Buffer | null> {
  let first: Buffer | null = null;
  while (first === null || first.length < 2) {
    const { value, done } = await chunks.next();
    if (done) return first;
    first = first === null ? value : Buffer.concat([first, value]);
  }
  return first;
}

async function* prepend(
  first: Buffer,
  rest: AsyncGenerator<Buffer, void, undefined>,
): AsyncGenerator<Buffer, void, undefined> {
  yield first;
  yield* rest;
}

/**
 * A plain pipe through zlib loses what it had unpacked when an error comes. Here each step hands over its output before the
 * next piece goes in, so that a file which breaks off gives everything up to the break. `form` names the packing for people.
 */
export async function* unpack(
  chunks: AsyncGenerator<Buffer, void, undefined>,
  unpacker: Gunzip | InflateRaw,
  form: 'gzip' | 'zip',
): AsyncGenerator<Buffer, void, undefined> {
  const output: Buffer[] = [];
  let fault: Error | null = null;
  unpacker.on('data', (chunk: Buffer) => output.push(chunk));
  unpacker.on('error', error => {
    fault = error;
  });
  const closed = new Promise<void>(done => unpacker.once('close', done));
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += PACKED_BYTES) {
        const piece = chunk.subarray(at, at + PACKED_BYTES);
        await Promise.race([new Promise<void>(done => unpacker.write(piece, () => done())), closed]);
        yield* output.splice(0);
        if (fault !== null) throw damaged(fault, form);
      }
    }
    unpacker.end();
    await closed;
    yield* output.splice(0);
    if (fault !== null) throw damaged(fault, form);
  } finally {
    unpacker.destroy();
  }
}

function damaged(fault: Error, form: string): DamagedInput {
  const cut = codeOf(fault) === 'Z_BUF_ERROR';
  const message = cut ? `the ${form} data ends in the middle` : `the ${form} data is damaged (${fault.message})`;
  return new DamagedInput(message, { cause: fault });
}
