// Watches the loads into the store, whichever process runs them: tells of those that begin and end, and counts them.

import type { ServiceEvent } from '../observe/events.ts';
import type { LoadLog, Run, RunOutcome } from '../store/store.ts';

/** More loads than these do not end between two looks. */
const RUNS_READ = 100;

type EndState = Exclude<RunOutcome['state'], 'running'>;

/** The loads of one source, as far as this server has seen them. */
export interface SourceLoads {
  readonly source: string;
  /** Since the first look. */
  readonly ended: Readonly<Record<EndState, number>>;
  readonly rejected: number;
  /** The newest in the store. */
  readonly last: Run;
}

export class LoadWatch {
  readonly #store: Pick<LoadLog, 'runs'>;
  readonly #tell: (event: ServiceEvent) => void;
  readonly #sources = new Map<string, SourceLoads>();
  readonly #running = new Set<number>();
  #lastRun: number | null = null;

  constructor(store: Pick<LoadLog, 'runs'>, tell: (event: ServiceEvent) => void) {
    this.#store = store;
    this.#tell = tell;
  }

  get sources(): SourceLoads[] {
    return [...this.#sources.values()];
  }

  async look(): Promise<void> {
    const runs = (await this.#store.runs(RUNS_READ)).reverse();
    // What ended before this server began is none of its counts.
    const first = this.#lastRun === null;
    for (const run of runs) {
      const isNew = run.id > (this.#lastRun ?? 0);
      const wasRunning = this.#running.has(run.id);
      this.#keep(run);
      if (run.state === 'running') {
        this.#running.add(run.id);
        if (isNew && !first) this.#tell({ event: 'load_began', run: run.id, source: run.source });
      } else if (wasRunning || (isNew && !first)) this.#end(run, run.state);
      this.#lastRun = Math.max(this.#lastRun ?? 0, run.id);
    }
    this.#lastRun ??= 0;
  }

  /** Runs come in the order of their ids. */
  #keep(run: Run): void {
    const name = nameOf(run.source);
    const known = this.#sources.get(name);
    const nothing = { source: name, ended: { done: 0, failed: 0, stopped: 0 }, rejected: 0 };
    if (known === undefined || run.id >= known.last.id) {
      this.#sources.set(name, { ...(known ?? nothing), last: run });
    }
  }

  #end({ id, source, read, inserted, replaced, unchanged, rejected, error }: Run, state: EndState): void {
    this.#running.delete(id);
    const name = nameOf(source);
    const known = this.#sources.get(name)!;
    const ended = { ...known.ended, [state]: known.ended[state] + 1 };
    this.#sources.set(name, { ...known, ended, rejected: known.rejected + rejected });
    const counts = { read, inserted, replaced, unchanged, rejected };
    this.#tell({ event: 'load_ended', run: id, source, state, ...counts, error });
  }
}

/** Without the files and flags that follow it: they may be many, and everybody can read the metrics. */
function nameOf(source: string): string {
  return source.split(' ', 1)[0]!;
}
