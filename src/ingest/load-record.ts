// What one load has done so far: its counts, rejects and warnings, reported while it runs and saved in the store's log of loads.

import type { BaseInterval } from '../domain/interval.ts';
import { type BarChanges, type LoadLog, type LoadOutcome, type ProfileChanges, REJECTS_KEPT } from '../store/store.ts';
import type { FileReading, Reject, RejectReason } from './source.ts';

export interface LoadProgress {
  readonly phase: 'profiles' | 'bars' | 'indicators';
  readonly done: number;
  readonly total: number | null;
  readonly unit: 'bytes' | 'assets';
  readonly read: number;
  readonly rejected: number;
}

export interface LoadListeners {
  readonly onProgress?: (progress: LoadProgress) => void;
  readonly onReject?: (reject: Reject) => void;
  readonly onWarning?: (text: string) => void;
}

/** Counts are of records: bars and profiles. */
export interface RecordedLoad extends LoadOutcome {
  readonly load: number;
  /** Profiles that are new or have changed. */
  readonly profiles: number;
  readonly rejectsByReason: Readonly<Partial<Record<RejectReason, number>>>;
  readonly warnings: readonly string[];
  /** Bars that were read, by interval. */
  readonly bars: Readonly<Partial<Record<BaseInterval, number>>>;
  /** How files were read, those that were read alike together. */
  readonly readings: readonly Reading[];
}

export interface Reading extends Pick<FileReading, 'spacing' | 'interval' | 'isStated'> {
  readonly files: number;
  /** The name of one. */
  readonly example: string;
}

export class LoadRecord {
  readonly load: number;
  /** Profiles that are new or have changed. */
  profiles = 0;
  /** Assets that a list named. */
  assets = 0;
  phase: LoadProgress['phase'] = 'profiles';
  position: Pick<LoadProgress, 'done' | 'total' | 'unit'> = { done: 0, total: null, unit: 'assets' };
  readonly #log: LoadLog;
  readonly #listeners: LoadListeners;
  readonly #counts = { read: 0, inserted: 0, replaced: 0, unchanged: 0, rejected: 0 };
  readonly #reasons: Partial<Record<RejectReason, number>> = {};
  readonly #warnings: string[] = [];
  readonly #bars: Partial<Record<BaseInterval, number>> = {};
  readonly #readings = new Map<string, Reading>();
  #unsavedRejects: Reject[] = [];

  constructor(load: number, log: LoadLog, listeners: LoadListeners) {
    this.load = load;
    this.#log = log;
    this.#listeners = listeners;
  }

  /** Records that were accepted, and assets. */
  get accepted(): number {
    const { inserted, replaced, unchanged } = this.#counts;
    return inserted + replaced + unchanged + this.assets;
  }

  /** Why the load has failed if it has not loaded a single record: a wrong file, column or list. */
  nothingLoaded(): string | null {
    if (this.accepted > 0) return null;
    const { rejected } = this.#counts;
    return rejected === 0
      ? 'nothing was loaded: the source has no records'
      : `nothing was loaded: all that was read was refused (${rejected})`;
  }

  count(read: number, changes: BarChanges | ProfileChanges | null): void {
    this.#counts.read += read;
    if (changes === null) return;
    this.#counts.inserted += changes.inserted;
    this.#counts.replaced += changes.replaced;
    this.#counts.unchanged += changes.unchanged;
  }

  countBars(interval: BaseInterval, read: number): void {
    this.#bars[interval] = (this.#bars[interval] ?? 0) + read;
  }

  readFile({ name, spacing, interval, isStated }: FileReading): void {
    const key = `${interval} ${isStated} ${spacing}`;
    const { files, example } = this.#readings.get(key) ?? { files: 0, example: name };
    this.#readings.set(key, { spacing, interval, isStated, files: files + 1, example });
  }

  warn(text: string): void {
    this.#warnings.push(text);
    this.#listeners.onWarning?.(text);
  }

  reject(reject: Reject): void {
    this.#counts.rejected++;
    this.#reasons[reject.reason] = (this.#reasons[reject.reason] ?? 0) + 1;
    if (this.#counts.rejected <= REJECTS_KEPT) this.#unsavedRejects.push(reject);
    this.#listeners.onReject?.(reject);
  }

  report(): void {
    const { read, rejected } = this.#counts;
    this.#listeners.onProgress?.({ phase: this.phase, ...this.position, read, rejected });
  }

  /** Once there are at least so many. */
  async saveRejects(atLeast = 1): Promise<void> {
    const rejects = this.#unsavedRejects;
    if (rejects.length < atLeast) return;
    this.#unsavedRejects = [];
    await this.#log.addRejects(this.load, rejects);
  }

  /** Saves how the load has ended. */
  async close(state: LoadOutcome['state'], error: string | null): Promise<RecordedLoad> {
    const outcome: LoadOutcome = { ...this.#counts, state, error };
    await this.saveRejects();
    await this.#log.updateLoad(this.load, outcome);
    const { load, profiles } = this;
    const readings = [...this.#readings.values()];
    return {
      ...outcome,
      load,
      profiles,
      rejectsByReason: this.#reasons,
      warnings: this.#warnings,
      bars: this.#bars,
      readings,
    };
  }
}
