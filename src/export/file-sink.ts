// Writes a file in large pieces, and computes its SHA-256 on the way.

import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Sink } from './parquet/parquet-writer.ts';

const PIECE_BYTES = 2 ** 20;
/** Only its owner may read it: data that may have been paid for. */
const PRIVATE = 0o600;

export class FileSink implements Sink {
  /** Bytes so far. */
  bytes = 0;
  readonly #file: FileHandle;
  readonly #hash = createHash('sha256');
  #parts: Buffer[] = [];
  #pending = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(path: string, mode: number = PRIVATE): Promise<FileSink> {
    return new FileSink(await open(path, 'w', mode));
  }

  /** The bytes must not change afterwards. */
  async write(bytes: Buffer): Promise<void> {
    this.#hash.update(bytes);
    this.bytes += bytes.length;
    this.#parts.push(bytes);
    this.#pending += bytes.length;
    if (this.#pending >= PIECE_BYTES) await this.#flush();
  }

  /** Returns the SHA-256 once all bytes are on the disk. */
  async finish(): Promise<Buffer> {
    await this.#flush();
    await this.#file.sync();
    await this.#file.close();
    return this.#hash.digest();
  }

  /** After an error. */
  async abandon(): Promise<void> {
    await this.#file.close();
  }

  async #flush(): Promise<void> {
    const parts = this.#parts;
    [this.#parts, this.#pending] = [[], 0];
    for (let left = parts; left.length > 0; ) {
      const { bytesWritten } = await this.#file.writev(left);
      left = after(left, bytesWritten);
    }
  }
}

/** What is left of the parts; a disk that is nearly full takes only some of the bytes. */
function after(parts: readonly Buffer[], written: number): Buffer[] {
  let skipped = written;
  return parts.flatMap(part => {
    const left = part.subarray(Math.min(skipped, part.length));
    skipped -= part.length - left.length;
    return left.length > 0 ? [left] : [];
  });
}
