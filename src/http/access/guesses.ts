// Slows down guessing: an address that brings many bad keys is told to wait. What makes guessing hopeless is the length of a key
// (190 random bits); this keeps a guesser, or a client gone wrong, from filling logs and counts. Good keys are always heard, because
// many clients can share an address.

/** Bad keys an address may bring at once, and how fast that allowance grows back. */
const BURST = 20;
const PER_SECOND = 1;
/** Addresses remembered; the one that was quiet longest is forgotten first. */
const ADDRESSES = 10_000;

export class Guesses {
  /** When the allowance of an address is full again, in milliseconds. */
  readonly #fullAt = new Map<string, number>();

  /** Milliseconds to wait before the address is heard again; 0 when it is heard. */
  wait(address: string, now: number): number {
    const ahead = (this.#fullAt.get(address) ?? now) - now;
    return Math.max(0, ahead - ((BURST - 1) * 1000) / PER_SECOND);
  }

  failed(address: string, now: number): void {
    const fullAt = Math.max(now, this.#fullAt.get(address) ?? now) + 1000 / PER_SECOND;
    this.#fullAt.delete(address);
    this.#fullAt.set(address, fullAt);
    if (this.#fullAt.size <= ADDRESSES) return;
    const [oldest] = this.#fullAt.keys();
    if (oldest !== undefined) this.#fullAt.delete(oldest);
  }
}
