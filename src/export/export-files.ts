// The Parquet files that a server offers: made once per publication when the first client asks, one at a time, and kept in a folder
// within a bound.
//
// The listings are in memory, and their files are made in a moment. A history of all assets is read from the store, which may take
// minutes: its file may be older than the newest publication for ten times as long as it took, so that making it takes at most a tenth
// of one core, however often data is published.

import { isHistory } from '../domain/datasets.ts';
import type { QuoteAsset } from '../domain/quote.ts';
import type { Snapshot } from '../snapshot/table.ts';
import {
  type ExportedTable,
  type ExportFile,
  ExportFolder,
  type ExportFolderOptions,
  tableName,
  versionOf,
} from './export-folder.ts';

/** The asset of the quote, if a file is to be made. */
export interface TableRequest extends ExportedTable {
  readonly quoteAsset?: Pick<QuoteAsset, 'assetNumber' | 'id' | 'symbol'>;
}

/** `name`: null for the file of the current publication. */
export interface ExportRequest extends TableRequest {
  readonly name: string | null;
}

/** Why there is no file: removed or never made; too many are being made; could not be written; larger than all files together may be. */
export type ExportFailure = 'gone' | 'busy' | 'failed' | 'too large';

export interface MadeFile extends Pick<ExportFile, 'rows' | 'sha256'> {
  /** Of the publication that it was made from. */
  readonly version: number;
}

export interface ExportFilesOptions<S> extends ExportFolderOptions {
  /** Writes a table into a file of at most `maxBytes`, where there is none yet. It reports why it failed. */
  readonly make: (snapshot: S, table: TableRequest, path: string, maxBytes: number) => Promise<MadeFile | 'too large'>;
}

/** Files that wait while another one is made. */
const MAX_WAITING = 3;
/** A history is made again once its file is this many times as old as making it took. */
const REST = 10;

type Identity = Pick<Snapshot, 'version' | 'fingerprint'>;
type Found = ExportFile | ExportFailure;

/** Histories do not depend on the fingerprint, and are named by their content. */
function exportName({ version, fingerprint }: Identity): string {
  // 60 bits: files of one version differ only if a day has begun, which changes what is new and active.
  return `${version}-${fingerprint.slice(0, 10)}`;
}

export class ExportFiles<S extends Identity> {
  readonly #options: ExportFilesOptions<S>;
  readonly #folder: ExportFolder;
  readonly #making = new Map<string, Promise<Found>>();
  /** The last file that is being made, from memory and from the store: a listing does not wait for a history. */
  readonly #last = { listing: Promise.resolve<unknown>(null), history: Promise.resolve<unknown>(null) };
  /** Of each history: how long its last file took, and if none could be made, until when that stands. */
  readonly #tookMs = new Map<string, number>();
  readonly #refused = new Map<string, { readonly until: number; readonly failure: ExportFailure }>();
  readonly #now: () => number;
  #stopped = false;

  constructor(options: ExportFilesOptions<S>) {
    this.#options = options;
    this.#folder = new ExportFolder(options);
    this.#now = options.now ?? Date.now;
  }

  /** Never rejects. Without `current`, only a file that is there or being made. */
  async find(current: S | null, request: ExportRequest): Promise<Found> {
    try {
      return await this.#find(current, request);
    } catch (error) {
      this.#options.onFailed(error);
      return 'failed';
    }
  }

  /** A file that is no longer in the folder. */
  lost(path: string): void {
    void this.#folder.lost(path);
  }

  /** No file is begun any more. */
  stop(): void {
    this.#stopped = true;
  }

  async #find(current: S | null, { name, ...table }: ExportRequest): Promise<Found> {
    const tableKey = tableName(table);
    const ofHistory = isHistory(table.dataset);
    const ofListing = ofHistory || current === null ? null : exportName(current);
    const wanted = name ?? ofListing;
    const oldest = this.#now() - REST * (this.#tookMs.get(tableKey) ?? 0);
    const isNewEnough = (file: ExportFile, madeAt: number) =>
      versionOf(file.name) >= (current?.version ?? 0) || (madeAt > oldest && madeAt <= this.#now());
    const isMeant = wanted === null ? isNewEnough : (file: ExportFile) => file.name === wanted;
    const known = await this.#folder.find(tableKey, isMeant);
    if (known !== null) return known;
    const key = wanted === null ? tableKey : `${tableKey} ${wanted}`;
    const making = this.#making.get(key);
    if (making !== undefined) return making;
    if (wanted !== ofListing || current === null) return 'gone';
    const refused = this.#refused.get(tableKey);
    if (refused !== undefined && this.#now() < refused.until) return refused.failure;
    if (this.#making.size > MAX_WAITING) return 'busy';
    const lane = ofHistory ? 'history' : 'listing';
    const made = this.#last[lane].then(() => this.#make(current, table)).finally(() => this.#making.delete(key));
    this.#making.set(key, made);
    this.#last[lane] = made;
    return made;
  }

  async #make(snapshot: S, table: TableRequest): Promise<Found> {
    if (this.#stopped) return 'failed';
    const began = this.#now();
    const found = await this.#write(snapshot, table);
    if (!isHistory(table.dataset)) return found;
    const [tookMs, key] = [this.#now() - began, tableName(table)];
    this.#tookMs.set(key, tookMs);
    if (typeof found === 'string') this.#refused.set(key, { until: this.#now() + REST * tookMs, failure: found });
    else this.#refused.delete(key);
    return found;
  }

  async #write(snapshot: S, table: TableRequest, again = false): Promise<Found> {
    const { make, onFailed } = this.#options;
    const [key, ofHistory] = [tableName(table), isHistory(table.dataset)];
    let partial: string | null = null;
    try {
      partial = await this.#folder.partial(key);
      // A listing is written whatever its size: it has one row per asset.
      const room = ofHistory ? await this.#folder.room(key) : Number.POSITIVE_INFINITY;
      // What fails in there was reported.
      const made = await make(snapshot, table, partial, room).catch((error: unknown) =>
        isDiskFull(error) ? ('disk full' as const) : ('failed' as const),
      );
      if (typeof made !== 'string') {
        const { rows, sha256, version } = made;
        const name = ofHistory ? `${version}-${sha256.slice(0, 10)}` : exportName(snapshot);
        return await this.#folder.add(partial, { ...table, name, rows, sha256 });
      }
      await this.#folder.abandon(partial);
      if (made === 'too large') {
        onFailed(new Error(`${key}.parquet needs more than ${room} bytes, which --exports-size leaves`));
      }
      if (made !== 'disk full') return made;
      // A disk that is smaller than the bound: older versions go before the newest one cannot be had.
      return !again && (await this.#folder.removeOlder()) ? await this.#write(snapshot, table, true) : 'failed';
    } catch (error) {
      onFailed(error);
      if (partial !== null) await this.#folder.abandon(partial);
      return 'failed';
    }
  }
}

/** The error of a thread has the stack of its own. */
function isDiskFull(error: unknown): boolean {
  return /\b(ENOSPC|EDQUOT)\b/.test(String(error));
}
