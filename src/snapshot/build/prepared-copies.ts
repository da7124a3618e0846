// Copies of the arrays that a snapshot changed, made once it is published: the next snapshot will probably change the same arrays. One
// close changes a value in nearly every column, and copying all columns takes longer than everything else that it causes.

import { WorkList } from './work-list.ts';

/** Copied at a time, so that a helper thread can take its part. */
const SLICE_BYTES = 4 * 2 ** 20;

export interface NextMemory {
  readonly memory: SharedArrayBuffer;
  /** The memory holds what the source holds; otherwise zeros. */
  readonly isCopied: boolean;
}

export class PreparedCopies {
  /** By what they are copies of. Nothing else refers to them. */
  readonly #ready = new Map<SharedArrayBuffer, SharedArrayBuffer>();
  /** The memory that the newest snapshot got. */
  #taken: SharedArrayBuffer[] = [];
  #rows = 0;

  get isReady(): boolean {
    return this.#ready.size > 0;
  }

  /** To be called before a snapshot with about so many rows is built. */
  begin(rows: number): void {
    this.#taken = [];
    this.#rows = rows;
  }

  /** As many bytes for the caller alone, to be changed and then published. */
  take(source: SharedArrayBuffer): NextMemory {
    const copy = this.#ready.get(source);
    this.#ready.delete(source);
    const memory = copy ?? new SharedArrayBuffer(source.byteLength);
    this.#taken.push(memory);
    return { memory, isCopied: copy !== undefined };
  }

  /** The same, and in any case a copy. */
  copy(source: SharedArrayBuffer): SharedArrayBuffer {
    const { memory, isCopied } = this.take(source);
    if (!isCopied) this.#copyAll([[source, memory]]);
    return memory;
  }

  /** To be called when the snapshot is built. `again`: the next one will probably change as little. */
  end(again: boolean): void {
    this.#ready.clear();
    if (!again) this.#taken = [];
  }

  /** Copies what the newest snapshot changed; without effect if that is done. */
  prepare(): void {
    const pairs = this.#taken.map(source => [source, new SharedArrayBuffer(source.byteLength)] as const);
    this.#copyAll(pairs);
    for (const [source, copy] of pairs) this.#ready.set(source, copy);
    this.#taken = [];
  }

  #copyAll(pairs: readonly (readonly [from: SharedArrayBuffer, to: SharedArrayBuffer])[]): void {
    const works = new WorkList(this.#rows);
    for (const [from, to] of pairs) {
      for (let at = 0; at < from.byteLength; at += SLICE_BYTES) {
        const length = Math.min(SLICE_BYTES, from.byteLength - at);
        works.add('copy', { from: new Uint8Array(from, at, length), to: new Uint8Array(to, at, length) });
      }
    }
    works.do();
  }
}
