// The folder with the Parquet files that a server offers. Anything may happen to it: only plain files are read, what cannot be read or
// removed is reported per file, and a file that was changed is compared with its SHA-256 before it is offered again.
//
// The name of a file has all that a response states of it, so that a server that starts again offers the files that it finds.

import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../common/is-alive.ts';
import { openPlain } from '../common/plain-file.ts';
import type { AssetNumber } from '../domain/asset.ts';
import { DATASETS, type DatasetName } from '../domain/datasets.ts';
import { INTERVALS, type Interval } from '../domain/interval.ts';

/** What a file has all rows of. */
export interface ExportedTable {
  readonly dataset: DatasetName;
  readonly interval: Interval;
  /** The asset that prices are divided by; null for dollars. */
  readonly quote: AssetNumber | null;
}

/** Different for any two tables: `ta-cur`, or `ta-cur.1h.q17`. */
export function tableName(table: ExportedTable): string {
  return `${table.dataset}${termsOf(table)}`;
}

/** The interval and the quote, unless they are days and dollars. */
export function termsOf({ interval, quote }: Pick<ExportedTable, 'interval' | 'quote'>): string {
  return `${interval === '1d' ? '' : `.${interval}`}${quote === null ? '' : `.q${quote}`}`;
}

export interface ExportFile extends ExportedTable {
  /** What tells it from the other files of the table: the version of the publication, a hyphen and ten characters. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly rows: number;
  /** Base64url. */
  readonly sha256: string;
  /** Differs after every change of the file. */
  readonly stamp: string;
}

export type NewFile = Pick<ExportFile, keyof ExportedTable | 'name' | 'rows' | 'sha256'>;

export interface ExportFolderOptions {
  readonly folder: string;
  /** Of all files together; the newest file of each dataset with days and dollars is kept in any case. */
  readonly maxBytes: number;
  /** Why something could not be read, written or removed. */
  readonly onFailed: (error: unknown) => void;
  readonly now?: () => number;
}

/** Of each table, whether it is used or not. */
export const MAX_VERSIONS = 3;
/** A client that has the address of a version may read from it for so long after its last request. */
export const IN_USE_MS = 600_000;

interface Entry {
  file: ExportFile;
  /** Milliseconds since 1970. */
  used: number;
  madeAt: number;
  /** Whether the content is what the name says; null: not compared since the file was found or changed. */
  intact: Promise<boolean> | null;
}

const FILE = /^([a-z-]+)(?:\.(\d\w+))?(?:\.q(\d+))?\.(\d+-[\w-]{10})\.(\d+)\.([\w-]{43})\.parquet$/;
const PARTIAL = /\.(\d+)\.partial$/;

export function versionOf(name: string): number {
  return Number.parseInt(name, 10);
}

/** The same for the same content, as far as the file system tells. Removing the name changes the time of the last change of status only. */
export function stampOf({ ino, size, mtimeNs }: Pick<BigIntStats, 'ino' | 'size' | 'mtimeNs'>): string {
  return `${ino}-${size}-${mtimeNs}`;
}

export class ExportFolder {
  readonly #options: ExportFolderOptions;
  readonly #now: () => number;
  /** Newest first; null until the folder was read. */
  #entries: Promise<Entry[]> | null = null;

  constructor(options: ExportFolderOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** The newest file of the table that is meant and intact. */
  async find(table: string, isMeant: (file: ExportFile, madeAt: number) => boolean): Promise<ExportFile | null> {
    for (const entry of [...(await this.#found())]) {
      if (tableName(entry.file) !== table || !isMeant(entry.file, entry.madeAt)) continue;
      if (!(await this.#isIntact(entry))) continue;
      entry.used = this.#now();
      return entry.file;
    }
    return null;
  }

  /** A path to write to, at which there is nothing. */
  async partial(table: string): Promise<string> {
    const { folder } = this.#options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${table}.${process.pid}.partial`);
    await rm(path, { force: true });
    return path;
  }

  /** Gives what was written its name, and removes older files. */
  async add(partial: string, made: NewFile): Promise<ExportFile> {
    const { name, rows, sha256 } = made;
    const path = join(this.#options.folder, `${tableName(made)}.${name}.${rows}.${sha256}.parquet`);
    await rename(partial, path);
    const stats = await lstat(path, { bigint: true });
    const file = { ...made, path, bytes: Number(stats.size), stamp: stampOf(stats) };
    const entries = await this.#found();
    const [used, madeAt] = [this.#now(), this.#now()];
    const others = entries.filter(({ file: { path: other } }) => other !== path);
    // In place, so that everything that reads the folder at the same time has the same list.
    entries.splice(
      0,
      entries.length,
      ...newestFirst([...others, { file, used, madeAt, intact: Promise.resolve(true) }]),
    );
    await this.#evict(entries);
    return file;
  }

  async abandon(partial: string): Promise<void> {
    await rm(partial, { force: true }).catch(this.#options.onFailed);
  }

  /** Bytes that a new file of the table may have, beside those that are kept in any case. */
  async room(table: string): Promise<number> {
    const entries = await this.#found();
    const others = DATASETS.filter(({ name }) => name !== table);
    const newest = others.map(({ name }) => entries.find(({ file }) => tableName(file) === name)?.file.bytes ?? 0);
    return this.#options.maxBytes - newest.reduce((sum, bytes) => sum + bytes, 0);
  }

  /** A file that is not in the folder any more: another program may have removed it. */
  async lost(path: string): Promise<void> {
    this.#forget(await this.#found(), path);
  }

  #forget(entries: Entry[], path: string): void {
    const at = entries.findIndex(({ file }) => file.path === path);
    if (at >= 0) entries.splice(at, 1);
  }

  async #isIntact(entry: Entry): Promise<boolean> {
    const { path } = entry.file;
    const stats = await lstat(path, { bigint: true }).catch(() => null);
    if (stats?.isFile() !== true) {
      await this.lost(path);
      return false;
    }
    const stamp = stampOf(stats);
    if (stamp !== entry.file.stamp) {
      entry.file = { ...entry.file, stamp, bytes: Number(stats.size) };
      entry.intact = null;
    }
    entry.intact ??= this.#compare(entry.file);
    return entry.intact;
  }

  /** A file that is not what its name says is removed. */
  async #compare({ path, sha256 }: ExportFile): Promise<boolean> {
    if (await hasDigest(path, sha256)) return true;
    await this.#remove(await this.#found(), path);
    return false;
  }

  /** False if it is still there. */
  async #remove(entries: Entry[], path: string): Promise<boolean> {
    try {
      await rm(path, { force: true });
    } catch (error) {
      this.#options.onFailed(error);
      return false;
    }
    this.#forget(entries, path);
    return true;
  }

  /** Removes what is neither of the latest versions nor in use; then what was used longest ago, until the rest is within the bound. */
  async #evict(entries: Entry[]): Promise<void> {
    let bytes = entries.reduce((sum, { file }) => sum + file.bytes, 0);
    for (const { entry, isUnneeded } of this.#older(entries)) {
      if (!isUnneeded && bytes <= this.#options.maxBytes) continue;
      // A response in progress has it open, and is sent to its end.
      if (await this.#remove(entries, entry.file.path)) bytes -= entry.file.bytes;
    }
  }

  /** All but those that are kept in any case, the one that was used longest ago first. */
  #older(entries: readonly Entry[]): { readonly entry: Entry; readonly isUnneeded: boolean }[] {
    const oldest = this.#now() - IN_USE_MS;
    const versions = new Map<string, number>();
    const older = entries.flatMap(entry => {
      const table = tableName(entry.file);
      const newer = versions.get(table) ?? 0;
      versions.set(table, newer + 1);
      return newer === 0 && termsOf(entry.file) === ''
        ? []
        : [{ entry, isUnneeded: newer >= MAX_VERSIONS && entry.used < oldest }];
    });
    const age = ({ entry }: (typeof older)[number]) => entry.used;
    return older.toSorted((a, b) => age(a) - age(b) || versionOf(a.entry.file.name) - versionOf(b.entry.file.name));
  }

  /** For a disk that is full: whether there was anything to remove. */
  async removeOlder(): Promise<boolean> {
    const entries = await this.#found();
    const older = this.#older(entries);
    for (const { entry } of older) await this.#remove(entries, entry.file.path);
    return older.length > 0;
  }

  #found(): Promise<Entry[]> {
    this.#entries ??= this.#read();
    return this.#entries;
  }

  async #read(): Promise<Entry[]> {
    const { folder, onFailed } = this.#options;
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') onFailed(error);
      return [];
    });
    const entries = names.map(name =>
      this.#entryOf(name).catch((error: unknown) => {
        onFailed(error);
        return null;
      }),
    );
    return newestFirst((await Promise.all(entries)).filter(entry => entry !== null));
  }

  /** Null for anything that is not one of the files. */
  async #entryOf(name: string): Promise<Entry | null> {
    const path = join(this.#options.folder, name);
    const pid = PARTIAL.exec(name)?.[1];
    // A server that was killed while it wrote has left its unfinished file behind.
    if (pid !== undefined && !isAlive(Number(pid))) await rm(path, { force: true });
    const [, text, written = '1d', quote, version = '', rows, sha256 = ''] = FILE.exec(name) ?? [];
    const dataset = DATASETS.find(known => known.name === text)?.name;
    const interval = INTERVALS.find(known => known === written);
    if (dataset === undefined || interval === undefined) return null;
    const stats = await lstat(path, { bigint: true });
    if (!stats.isFile()) return null;
    const file = {
      ...{ dataset, interval, quote: quote === undefined ? null : Number(quote) },
      name: version,
      path,
      bytes: Number(stats.size),
      rows: Number(rows),
      sha256,
      stamp: stampOf(stats),
    };
    // The server before did not wait until the file was on the disk: it is compared before it is offered.
    const madeAt = Number(stats.mtimeNs / 1_000_000n);
    return { file, used: madeAt, madeAt, intact: null };
  }
}

async function hasDigest(path: string, sha256: string): Promise<boolean> {
  const hash = createHash('sha256');
  try {
    const file = await openPlain(path);
    // The stream closes the file.
    for await (const bytes of file.createReadStream()) hash.update(bytes);
    return hash.digest('base64url') === sha256;
  } catch {
    return false; // it was removed, or cannot be read
  }
}

function newestFirst(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => versionOf(b.file.name) - versionOf(a.file.name));
}
