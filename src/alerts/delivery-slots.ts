// How many messages are on their way at once. Receivers that do not respond have few of the slots, so that the others do not wait for them.

/** For all receivers together. */
const MAX_AT_ONCE = 64;
/** For all receivers together that did not respond to the last message. */
const MAX_UNRESPONSIVE = 16;
/** Per receiver, by what it did with the last message. */
const PER_RECEIVER = { responded: 16, untried: 4, unresponsive: 2 } as const;

type ReceiverState = keyof typeof PER_RECEIVER;

/** A receiver is the origin of a URL: many alerts may post to one. */
export class DeliverySlots {
  readonly #states = new Map<string, ReceiverState>();
  readonly #used = new Map<string, number>();

  /** False if the message has to wait. */
  take(receiver: string): boolean {
    const state = this.#stateOf(receiver);
    const used = this.#used.get(receiver) ?? 0;
    if (used >= PER_RECEIVER[state] || this.#sum(() => true) >= MAX_AT_ONCE) return false;
    if (state === 'unresponsive' && this.#sum(each => each === 'unresponsive') >= MAX_UNRESPONSIVE) return false;
    this.#used.set(receiver, used + 1);
    return true;
  }

  release(receiver: string): void {
    const used = this.#used.get(receiver) ?? 0;
    if (used <= 1) this.#used.delete(receiver);
    else this.#used.set(receiver, used - 1);
  }

  /** Any response counts: also a refusal frees the slot soon. */
  tried(receiver: string, hasResponded: boolean): void {
    this.#states.set(receiver, hasResponded ? 'responded' : 'unresponsive');
  }

  #stateOf(receiver: string): ReceiverState {
    return this.#states.get(receiver) ?? 'untried';
  }

  #sum(counts: (state: ReceiverState) => boolean): number {
    return this.#used
      .entries()
      .reduce((sum, [receiver, used]) => (counts(this.#stateOf(receiver)) ? sum + used : sum), 0);
  }
}
