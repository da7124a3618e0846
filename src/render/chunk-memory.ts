// Memory for pieces of long answers, used again and again. Otherwise every download would leave all of its bytes to be collected, and
// between two collections they are many times what is in use.

export class ChunkMemory {
  /** Of every buffer. */
  readonly bytes: number;
  readonly #mostSpare: number;
  readonly #spare: Buffer[] = [];
  readonly #lent = new WeakSet<ArrayBufferLike>();

  constructor(bytes: number, mostSpare: number) {
    this.bytes = bytes;
    this.#mostSpare = mostSpare;
  }

  /** With anything in it. */
  take(): Buffer {
    const buffer = this.#spare.pop() ?? Buffer.allocUnsafeSlow(this.bytes);
    this.#lent.add(buffer.buffer);
    return buffer;
  }

  /** To be told of any piece that nobody needs any more, a part of a buffer too; what is not from here is ignored. */
  giveBack({ buffer }: Buffer): void {
    if (this.#lent.delete(buffer) && this.#spare.length < this.#mostSpare) this.#spare.push(Buffer.from(buffer));
  }
}
