// Work for which several requests wait is done once. If it ends for a reason that concerns only the request that began it, the next one
// does it again.

import { StepsEnded } from './steps.ts';

export class SharedWork<T> {
  readonly #inProgress = new Map<string, Promise<T>>();

  async get(name: string, work: () => Promise<T>): Promise<T> {
    for (;;) {
      const other = this.#inProgress.get(name);
      if (other === undefined) break;
      try {
        return await other;
      } catch (error) {
        if (!(error instanceof StepsEnded)) throw error;
      }
    }
    const own = work().finally(() => this.#inProgress.delete(name));
    this.#inProgress.set(name, own);
    return own;
  }
}
