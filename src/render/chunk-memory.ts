// A pool of buffers for the chunks of long responses. Without it, every download would leave all of its bytes to the garbage collector,
// and between two collections that is many times the memory in use.

export class ChunkMemory {
  /** The size of every buffer. */
  readonly bytes: number;
  readonly #mostSpare: number;
  readonly #spare: Buffer[] = [];
  readonly #lent = new WeakSet<ArrayBufferLike>();

  constructor(bytes: number, mostSpare: number) {
    this.bytes = bytes;
    this.#mostSpare = mostSpare;
  }

  /** A buffer with arbitrary content. */
  take(): Buffer {
    const buffer = this.#spare.pop() ?? Buffer.allocUnsafeSlow(this.bytes);
    this.#lent.add(buffer.buffer);
    return buffer;
  }

  /** Returns a buffer, or a part of one, to the pool. A buffer from elsewhere is ignored. */
  giveBack({ buffer }: Buffer): void {
    if (this.#lent.delete(buffer) && this.#spare.length < this.#mostSpare) this.#spare.push(Buffer.from(buffer));
  }
}
