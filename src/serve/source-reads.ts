// Reads what the sources of assets say for all serving threads, a few assets at a time: each holds the bars of all sources of one asset.

import { SharedWork } from '../common/shared-work.ts';
import { Slots } from '../common/slots.ts';
import type { ReadSources, SourcesRead, SourcesTask } from '../history/source-reads.ts';

/** `fingerprint` of the snapshot that the serving thread has. */
export interface SourcesRequest extends SourcesTask {
  readonly fingerprint: string;
}

/** Too many are requested at once; the store could not be read. */
export type SourcesFailure = 'busy' | 'unavailable';

const AT_ONCE = 2;
/** In progress and waiting. */
export const MOST_SOURCES = 32;

export class SourceReads {
  readonly #read: ReadSources;
  readonly #slots = new Slots(AT_ONCE);
  readonly #work = new SharedWork<SourcesRead>();
  #requests = 0;

  constructor(read: ReadSources) {
    this.#read = read;
  }

  async get({ fingerprint, ...task }: SourcesRequest): Promise<SourcesRead | SourcesFailure> {
    if (this.#requests >= MOST_SOURCES) return 'busy';
    this.#requests++;
    try {
      const name = JSON.stringify([fingerprint, task]);
      return await this.#work.get(name, () => this.#slots.run(() => this.#read(task)));
    } catch {
      // The thread has reported why.
      return 'unavailable';
    } finally {
      this.#requests--;
    }
  }
}
