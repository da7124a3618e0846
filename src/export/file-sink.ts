// Writes a file in large pieces, and computes its SHA-256 on the way. For a thread that has nothing else to do: it waits for the disk.

import { createHash } from 'node:crypto';
import { writevSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { fileFault } from '../common/file-fault.ts';
import type { Sink } from './parquet/parquet-writer.ts';

/** Fewer bytes are copied and written with the next ones. */
const PIECE_BYTES = 2 ** 16;
/** Only its owner may read it: data that may have been paid for. */
const PRIVATE = 0o600;

export class FileSink implements Sink {
  /** Bytes so far. */
  bytes = 0;
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #hash = createHash('sha256');
  #parts: Buffer[] = [];
  #pending = 0;

  private constructor(file: FileHandle, path: string) {
    this.#file = file;
    this.#path = path;
  }

  /** `wx` fails if there is anything at the path: another program may have put a FIFO there. */
  static async create(
    path: string,
    { mode = PRIVATE, flags = 'w' }: { mode?: number; flags?: 'w' | 'wx' } = {},
  ): Promise<FileSink> {
    return new FileSink(await open(path, flags, mode), path);
  }

  write(bytes: Buffer): void {
    this.#hash.update(bytes);
    this.bytes += bytes.length;
    this.#pending += bytes.length;
    const isLarge = this.#pending >= PIECE_BYTES;
    this.#parts.push(isLarge ? bytes : Buffer.from(bytes));
    if (isLarge) this.#flush();
  }

  /** Returns the SHA-256 once all bytes are on the disk. */
  async finish(): Promise<Buffer> {
    this.#flush();
    await this.#file.sync();
    return this.close();
  }

  /** Returns the SHA-256; the bytes may not be on the disk yet. */
  async close(): Promise<Buffer> {
    this.#flush();
    await this.#file.close();
    return this.#hash.digest();
  }

  /** After an error. */
  async abandon(): Promise<void> {
    await this.#file.close();
  }

  #flush(): void {
    try {
      for (let left = this.#parts; left.length > 0; ) left = behind(left, writevSync(this.#file.fd, left));
    } catch (error) {
      throw fileFault(error, this.#path) ?? error;
    }
    [this.#parts, this.#pending] = [[], 0];
  }
}

/** What is left of the parts; a disk that is nearly full takes only some of the bytes. */
function behind(parts: readonly Buffer[], written: number): Buffer[] {
  let skipped = written;
  return parts.flatMap(part => {
    const left = part.subarray(Math.min(skipped, part.length));
    skipped -= part.length - left.length;
    return left.length > 0 ? [left] : [];
  });
}
