// A list of work that this thread does, for large tables together with a helper thread.

import { availableParallelism } from 'node:os';
import { doWork, type Given, type Made, type Work, type WorkKind } from './work.ts';
import { WorkHelper } from './work-helper.ts';
import { WorkMemory } from './work-memory.ts';
import { finishWork, isDone, takeWork, type WorkStates } from './work-states.ts';

/** For fewer rows, a helper is not worth its memory. */
export const HELPED_ROWS = 100_000;
/** Begun first, so that no thread waits for it in the end. */
const LONGEST: WorkKind = 'search';

interface Entry {
  readonly work: Work;
  made: unknown;
}

export class WorkList {
  readonly #rows: number;
  readonly #entries: Entry[] = [];

  /** The number of rows that most of the work is about. */
  constructor(rows: number) {
    this.#rows = rows;
  }

  /** The function gives what the work makes, once all work is done. */
  add<K extends WorkKind>(kind: K, given: Given<K>): () => Made<K> {
    const entry: Entry = { work: { kind, given }, made: null };
    if (kind === LONGEST) this.#entries.unshift(entry);
    else this.#entries.push(entry);
    return () => entry.made as Made<K>; // work of this kind makes it
  }

  /** Returns when all work is done. The helper begins at the front of the list, and this thread at the end. */
  do(): void {
    const entries = this.#entries;
    const states: WorkStates = new Int32Array(new SharedArrayBuffer(4 * entries.length));
    const isLarge = this.#rows >= HELPED_ROWS && entries.length > 1;
    const helper = isLarge && availableParallelism() > 1 ? WorkHelper.running() : null;
    helper?.begin({ works: entries.map(({ work }) => work), states, bytes: 8 * this.#rows * entries.length });
    const memory = new WorkMemory();
    for (const [i, entry] of [...entries.entries()].reverse()) {
      if (!takeWork(states, i)) continue;
      entry.made = doWork(entry.work, memory);
      finishWork(states, i);
    }
    for (const [i, made] of helper?.finish(states) ?? []) entries[i]!.made = made;
    for (const [i, entry] of entries.entries()) {
      // The helper has taken it, and failed.
      if (!isDone(states, i)) entry.made = doWork(entry.work, memory);
    }
  }
}
