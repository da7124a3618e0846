// Keeps the newest snapshot and keys in a file, so that the next start has something to serve even when the store is away.
//
// The file is replaced in one step, seconds after a change at most; how current it is, is written into it every few seconds.

import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { SharedSnapshot } from '../snapshot/builder.ts';
import {
  CONFIRMED_AT,
  HEAD_BYTES,
  type KeptKey,
  type KeptSnapshot,
  keptPieces,
  NotKept,
  readHead,
  readKept,
} from '../snapshot/kept-snapshot.ts';
import type { StoredKey } from '../store/store.ts';
import type { KeepPlace } from './keep-place.ts';

/** The hashes of keys are nobody else's business. */
const MODE = 0o600;

/** What lies at the place: null when there is nothing, `NotKept` when it cannot be used. */
export async function findKept({ path, store }: KeepPlace): Promise<KeptSnapshot | NotKept | null> {
  try {
    return readKept(await readFile(path), store);
  } catch (error) {
    if (error instanceof NotKept) return error;
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return missing ? null : new NotKept(`cannot be read (${reason(error)})`);
  }
}

export class SnapshotKeeper {
  readonly #place: KeepPlace;
  #snapshot: SharedSnapshot | null = null;
  #keys: readonly KeptKey[] | null = null;
  #confirmedAt = 0;
  #changed = false;
  #tidied = false;

  constructor(place: KeepPlace) {
    this.#place = place;
  }

  takeSnapshot(snapshot: SharedSnapshot): void {
    this.#snapshot = snapshot;
    this.#changed = true;
  }

  takeKeys(keys: readonly StoredKey[]): void {
    this.#keys = keys.map(({ id, hash, tier, expires, revokedAt }) => {
      return { id, hash: Buffer.from(hash).toString('hex'), tier, expires, revokedAt };
    });
    this.#changed = true;
  }

  confirm(at: number): void {
    this.#confirmedAt = at;
  }

  /** Brings the file up to date. To be called every few seconds, never twice at once, and at the end. */
  async save(): Promise<void> {
    const [snapshot, keys, confirmedAt] = [this.#snapshot, this.#keys, this.#confirmedAt];
    // Before both were read from the store there is nothing that would be newer than the file.
    if (snapshot === null || keys === null) return;
    if (!this.#changed) return this.#renew(confirmedAt);
    this.#changed = false;
    try {
      if (await this.#isNewerThan(confirmedAt)) return;
      await this.#replace({ store: this.#place.store, snapshot, keys, confirmedAt });
    } catch (error) {
      this.#changed = true;
      throw error;
    }
  }

  /** Another server of the same store may have written since; it will go on doing so. */
  async #isNewerThan(confirmedAt: number): Promise<boolean> {
    const head = await this.#readHead().catch(() => null);
    return head !== null && head.store === this.#place.store && head.confirmedAt > confirmedAt;
  }

  async #readHead(): Promise<{ confirmedAt: number; store: string }> {
    const file = await open(this.#place.path, 'r');
    try {
      const head = Buffer.alloc(HEAD_BYTES + START_BYTES);
      await file.read(head, 0, head.length, 0);
      const store = /^\{"store":"([0-9a-f]+)"/.exec(head.toString('latin1', HEAD_BYTES))?.[1] ?? '';
      return { confirmedAt: readHead(head).confirmedAt, store };
    } finally {
      await file.close();
    }
  }

  async #replace(kept: KeptSnapshot): Promise<void> {
    const { path } = this.#place;
    const aside = `${path}.${process.pid}.partial`;
    await mkdir(dirname(path), { recursive: true });
    if (!this.#tidied) await removeLeftOvers(path);
    this.#tidied = true;
    const file = await open(aside, 'w', MODE);
    try {
      await file.writeFile(keptPieces(kept));
      await file.sync();
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    await rename(aside, path);
    const folder = await open(dirname(path), 'r');
    await folder.sync().finally(() => folder.close());
  }

  /** Eight bytes in place: the hash does not cover them. */
  async #renew(confirmedAt: number): Promise<void> {
    const before = await this.#readHead().catch(() => null);
    // Somebody has taken it away: next time a new one is written.
    if (before === null) this.#changed = true;
    else if (before.store === this.#place.store && before.confirmedAt < confirmedAt) await this.#writeTime(confirmedAt);
  }

  async #writeTime(confirmedAt: number): Promise<void> {
    const time = Buffer.alloc(8);
    time.writeDoubleLE(confirmedAt);
    const file = await open(this.#place.path, 'r+');
    await file.write(time, 0, time.length, CONFIRMED_AT).finally(() => file.close());
  }
}

/** A server that was killed while it wrote has left its unfinished file behind. */
async function removeLeftOvers(path: string): Promise<void> {
  const folder = dirname(path);
  const start = `${basename(path)}.`;
  for (const name of await readdir(folder)) {
    const pid = name.startsWith(start) ? /^(\d+)\.partial$/.exec(name.slice(start.length))?.[1] : undefined;
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    // Sends nothing.
    return process.kill(pid, 0);
  } catch (error) {
    // That it is not ours to signal says that it lives.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Enough of the description to see the name of the store, which stands first. */
const START_BYTES = 64;

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
