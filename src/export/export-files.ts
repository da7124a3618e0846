// The Parquet files that a server offers: made once per publication when the first client asks, and kept on disk within a bound.
//
// The name of a file has all that a response states of it, so that a server that starts again serves the files that it finds. It
// compares such a file with its SHA-256 once: the server before did not wait until the file was on the disk.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../common/is-alive.ts';
import { SNAPSHOT_DATASETS, type SnapshotDatasetName } from '../domain/datasets.ts';
import type { Snapshot } from '../snapshot/table.ts';

export interface ExportFile {
  readonly dataset: SnapshotDatasetName;
  /** What tells it from the other files of the dataset: `VERSION-FINGERPRINT`. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly rows: number;
  /** Base64url. */
  readonly sha256: string;
}

/** `name`: null for the file of the current publication. */
export interface ExportRequest {
  readonly dataset: SnapshotDatasetName;
  readonly name: string | null;
}

/** Why there is no file: it was removed or never made; too many are being made; it could not be written. */
export type ExportFailure = 'gone' | 'busy' | 'failed';

export type MadeFile = Pick<ExportFile, 'rows' | 'sha256'>;

export interface ExportFilesOptions<S> {
  readonly folder: string;
  /** Of all files together; the newest file of each dataset is kept in any case. */
  readonly maxBytes: number;
  /** Writes a table of the snapshot into a file. */
  readonly make: (snapshot: S, dataset: SnapshotDatasetName, path: string) => Promise<MadeFile>;
}

/** Of each dataset. */
export const MAX_VERSIONS = 3;
/** Files that wait while another one is made. */
const MAX_WAITING = 3;

type Identity = Pick<Snapshot, 'version' | 'fingerprint'>;

export function exportName({ version, fingerprint }: Identity): string {
  // 60 bits: files of one version differ only if a day has begun, which changes what is new and active.
  return `${version}-${fingerprint.slice(0, 10)}`;
}

export function versionOf(name: string): number {
  return Number.parseInt(name, 10);
}

const FILE = /^([a-z-]+)\.(\d+-[\w-]{10})\.(\d+)\.([\w-]{43})\.parquet$/;
const PARTIAL = /\.(\d+)\.partial$/;

export class ExportFiles<S extends Identity> {
  readonly #options: ExportFilesOptions<S>;
  readonly #making = new Map<string, Promise<ExportFile | ExportFailure>>();
  #last: Promise<unknown> = Promise.resolve();
  /** Newest first; null until the folder was read. */
  #files: ExportFile[] | null = null;
  /** By path, the files that another server has made: whether they are intact; null if not checked yet. */
  readonly #checks = new Map<string, Promise<boolean> | null>();

  constructor(options: ExportFilesOptions<S>) {
    this.#options = options;
  }

  async find(current: S, { dataset, name }: ExportRequest): Promise<ExportFile | ExportFailure> {
    const currentName = exportName(current);
    const wanted = name ?? currentName;
    const files = await this.#found();
    const known = files.find(file => file.dataset === dataset && file.name === wanted);
    if (known !== undefined && (await this.#isIntact(known))) return known;
    const key = `${dataset} ${wanted}`;
    const making = this.#making.get(key);
    if (making !== undefined) return making;
    if (wanted !== currentName) return 'gone';
    if (this.#making.size > MAX_WAITING) return 'busy';
    const made = this.#last.then(() => this.#make(current, dataset, wanted)).finally(() => this.#making.delete(key));
    this.#making.set(key, made);
    this.#last = made;
    return made;
  }

  /** A file that is no longer in the folder: another program may have removed it. */
  lost(path: string): void {
    this.#files = this.#files?.filter(file => file.path !== path) ?? null;
  }

  /** Removes the file if it is not. */
  #isIntact({ path, sha256 }: ExportFile): Promise<boolean> | true {
    const known = this.#checks.get(path);
    if (known === undefined) return true;
    const check = known ?? hasDigest(path, sha256).then(isIntact => isIntact || this.#remove(path));
    this.#checks.set(path, check);
    return check;
  }

  async #remove(path: string): Promise<false> {
    await rm(path, { force: true });
    this.lost(path);
    this.#checks.delete(path);
    return false;
  }

  async #make(snapshot: S, dataset: SnapshotDatasetName, name: string): Promise<ExportFile | ExportFailure> {
    const { folder, make } = this.#options;
    const partial = join(folder, `${dataset}.${name}.${process.pid}.partial`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const { rows, sha256 } = await make(snapshot, dataset, partial);
      const path = join(folder, `${dataset}.${name}.${rows}.${sha256}.parquet`);
      const { size: bytes } = await stat(partial);
      await rename(partial, path);
      const file = { dataset, name, path, bytes, rows, sha256 };
      this.#files = newestFirst([...(this.#files ?? []), file]);
      await this.#evict();
      return file;
    } catch {
      await rm(partial, { force: true });
      return 'failed';
    }
  }

  async #evict(): Promise<void> {
    const kept: ExportFile[] = [];
    let bytes = 0;
    for (const file of this.#files ?? []) {
      const newer = kept.filter(({ dataset }) => dataset === file.dataset).length;
      const fits = bytes + file.bytes <= this.#options.maxBytes && newer < MAX_VERSIONS;
      if (newer > 0 && !fits) {
        // A response in progress has it open, and is sent to its end.
        await rm(file.path, { force: true });
      } else {
        kept.push(file);
        bytes += file.bytes;
      }
    }
    this.#files = kept;
  }

  async #found(): Promise<readonly ExportFile[]> {
    if (this.#files !== null) return this.#files;
    const { folder } = this.#options;
    const names = await readdir(folder).catch(() => []);
    const found: ExportFile[] = [];
    for (const each of names) {
      const pid = PARTIAL.exec(each)?.[1];
      // A server that was killed while it wrote has left its unfinished file behind.
      if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, each), { force: true });
      const [, text, name = '', rows, sha256 = ''] = FILE.exec(each) ?? [];
      const dataset = SNAPSHOT_DATASETS.find(known => known.name === text)?.name;
      if (dataset === undefined) continue;
      const path = join(folder, each);
      const { size } = await stat(path);
      found.push({ dataset, name, path, bytes: size, rows: Number(rows), sha256 });
    }
    if (this.#files === null) for (const { path } of found) this.#checks.set(path, null);
    this.#files ??= newestFirst(found);
    return this.#files;
  }
}

async function hasDigest(path: string, sha256: string): Promise<boolean> {
  const hash = createHash('sha256');
  try {
    for await (const bytes of createReadStream(path)) hash.update(bytes);
    return hash.digest('base64url') === sha256;
  } catch {
    return false; // it was removed, or cannot be read
  }
}

function newestFirst(files: readonly ExportFile[]): ExportFile[] {
  return files.toSorted((a, b) => versionOf(b.name) - versionOf(a.name));
}
