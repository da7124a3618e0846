// A list of work that this thread does, for large tables together with a helper thread.

import { availableParallelism } from 'node:os';
import { WorkMemory } from '../columns/work-memory.ts';
import { doWork, type Work, type WorkInput, type WorkKind, type WorkOutput } from './work.ts';
import { WorkHelper } from './work-helper.ts';
import { finishWork, isDone, statesOf, takeWork, type WorkStates } from './work-states.ts';

/** For fewer rows, a helper is not worth its memory. */
export const HELPED_ROWS = 100_000;
/** Begun first, so that no thread waits for it in the end. */
const LONGEST: WorkKind = 'search';

interface Entry {
  readonly work: Work;
  output: unknown;
}

export class WorkList {
  readonly #rows: number;
  readonly #entries: Entry[] = [];
  #batch: { readonly helper: WorkHelper; readonly number: number; readonly states: WorkStates } | null = null;

  /** The number of rows that most of the work is about. */
  constructor(rows: number) {
    this.#rows = rows;
  }

  /** The function returns the output, once all work is done. */
  add<K extends WorkKind>(kind: K, input: WorkInput<K>): () => WorkOutput<K> {
    const entry: Entry = { work: { kind, input }, output: null };
    if (kind === LONGEST) this.#entries.unshift(entry);
    else this.#entries.push(entry);
    return () => entry.output as WorkOutput<K>; // the output of this kind of work
  }

  /** Lets the helper begin with what is in the list, at its front. Nothing can be added any more. */
  begin(): void {
    if (this.#batch !== null || this.#rows < HELPED_ROWS || this.#entries.length < 2 || availableParallelism() === 1)
      return;
    const works = this.#entries.map(({ work }) => work);
    const states = statesOf(works.length);
    const helper = WorkHelper.running();
    const number = helper.begin({ works, states, bytes: 8 * this.#rows * works.length });
    this.#batch = { helper, number, states };
  }

  /** Returns when all work is done. This thread begins at the end of the list. */
  do(): void {
    this.begin();
    const entries = this.#entries;
    const { helper = null, number = 0, states = statesOf(entries.length) } = this.#batch ?? {};
    const memory = new WorkMemory();
    for (const [i, entry] of [...entries.entries()].reverse()) {
      if (!takeWork(states, i)) continue;
      entry.output = doWork(entry.work, memory);
      finishWork(states, i);
    }
    for (const [i, output] of helper?.finish(number, states) ?? []) entries[i]!.output = output;
    for (const [i, entry] of entries.entries()) {
      // The helper has taken it, and failed.
      if (!isDone(states, i)) entry.output = doWork(entry.work, memory);
    }
  }
}
