// The tables of `findings` and `actions` for all serving threads: each is read once per publication, in a thread of low priority.

import { SharedWork } from '../common/shared-work.ts';
import type { TaskThread } from '../common/task-thread.ts';
import type { ReviewName, SharedReviews } from '../history/review-table.ts';

/** `fingerprint` and `version` of the snapshot that the serving thread has. */
export interface ReviewRequest {
  readonly name: ReviewName;
  readonly fingerprint: string;
  readonly version: number;
}

export class ReviewTables {
  readonly #thread: Pick<TaskThread<ReviewName, SharedReviews>, 'run' | 'stop'>;
  readonly #work = new SharedWork<SharedReviews>();
  readonly #kept = new Map<ReviewName, { readonly fingerprint: string; readonly found: SharedReviews }>();

  constructor(thread: Pick<TaskThread<ReviewName, SharedReviews>, 'run' | 'stop'>) {
    this.#thread = thread;
  }

  /** Of the version of the snapshot, or of a newer one that the store has already. */
  async get({ name, fingerprint, version }: ReviewRequest): Promise<SharedReviews | 'unavailable'> {
    const kept = this.#kept.get(name);
    if (kept?.fingerprint === fingerprint && kept.found.version === version) return kept.found;
    try {
      const found = await this.#work.get(name, () => this.#thread.run(name));
      this.#kept.set(name, { fingerprint, found });
      return found;
    } catch {
      // The thread has reported why; the next request tries again.
      return 'unavailable';
    }
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }
}
