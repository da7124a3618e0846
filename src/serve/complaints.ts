// Tells once when something that is tried over and over begins to fail, and once when it works again.

import { StoreError } from '../store/store.ts';

export class Complaints {
  readonly #say: (text: string) => void;
  readonly #failing = new Set<string>();

  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  /** `what` is a sentence without its end, such as 'the store cannot be used'. */
  failed(what: string, error: unknown): void {
    if (this.#failing.has(what)) return;
    this.#failing.add(what);
    this.#say(`${what}: ${reasonOf(error)}`);
  }

  worked(what: string, back: string): void {
    if (this.#failing.delete(what)) this.#say(back);
  }
}

/** With what to do about it, where that is known. */
function reasonOf(error: unknown): string {
  if (error instanceof StoreError) return `${error.message}; ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}
