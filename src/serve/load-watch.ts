// Watches the loads into the store, whichever process runs them: reports those that begin and end, and counts them.

import type { ServiceEvent } from '../observe/events.ts';
import type { LoadLog, LoadOutcome, StoredLoad } from '../store/store.ts';

/** More loads than these do not end between two looks. */
const LOADS_READ = 100;

type EndState = Exclude<LoadOutcome['state'], 'running' | 'undone'>;

/** The loads of one source, as far as this server has seen them. */
export interface SourceLoads {
  readonly source: string;
  /** Since the first look. */
  readonly ended: Readonly<Record<EndState, number>>;
  readonly rejected: number;
  /** The newest in the store. */
  readonly last: StoredLoad;
}

export class LoadWatch {
  readonly #store: Pick<LoadLog, 'loads'>;
  readonly #onEvent: (event: ServiceEvent) => void;
  readonly #sources = new Map<string, SourceLoads>();
  readonly #running = new Set<number>();
  #lastLoad: number | null = null;

  constructor(store: Pick<LoadLog, 'loads'>, onEvent: (event: ServiceEvent) => void) {
    this.#store = store;
    this.#onEvent = onEvent;
  }

  get sources(): SourceLoads[] {
    return [...this.#sources.values()];
  }

  async look(): Promise<void> {
    const loads = (await this.#store.loads(LOADS_READ)).reverse();
    // What ended before this server began is none of its counts.
    const first = this.#lastLoad === null;
    for (const load of loads) {
      const isNew = load.id > (this.#lastLoad ?? 0);
      const wasRunning = this.#running.has(load.id);
      this.#keep(load);
      if (load.state === 'running') {
        this.#running.add(load.id);
        if (isNew && !first) this.#onEvent({ event: 'load_started', load: load.id, source: load.source });
      } else if (wasRunning || (isNew && !first)) this.#end(load, load.state === 'undone' ? 'done' : load.state);
      this.#lastLoad = Math.max(this.#lastLoad ?? 0, load.id);
    }
    this.#lastLoad ??= 0;
  }

  /** Loads come in the order of their ids. */
  #keep(load: StoredLoad): void {
    const name = nameOf(load.source);
    const known = this.#sources.get(name);
    const nothing = { source: name, ended: { done: 0, failed: 0, stopped: 0 }, rejected: 0 };
    if (known === undefined || load.id >= known.last.id) {
      this.#sources.set(name, { ...(known ?? nothing), last: load });
    }
  }

  #end({ id, source, read, inserted, replaced, unchanged, rejected, error }: StoredLoad, state: EndState): void {
    this.#running.delete(id);
    const name = nameOf(source);
    const known = this.#sources.get(name)!;
    const ended = { ...known.ended, [state]: known.ended[state] + 1 };
    this.#sources.set(name, { ...known, ended, rejected: known.rejected + rejected });
    const counts = { read, inserted, replaced, unchanged, rejected };
    this.#onEvent({ event: 'load_ended', load: id, source, state, ...counts, error });
  }
}

/** Without files and flags: there may be many, and the metrics need no API key. */
function nameOf(source: string): string {
  return source.split(' ', 1)[0]!;
}
