// Keeps the newest snapshot and API keys in two files, so that the next start has something to serve even when the store is
// unreachable.
//
// Each file is replaced in one step, seconds after a change at most. How current they are is written into the snapshot's file every few
// seconds.

import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { NotPlain, openPlain, readPlain } from '../common/plain-file.ts';
import type { ServiceEvent } from '../observe/events.ts';
import {
  CONFIRMED_AT,
  HEAD_BYTES,
  type KeptSnapshot,
  keptPieces,
  NotKept,
  readHead,
  readKept,
} from '../snapshot/build/kept-snapshot.ts';
import type { SharedSnapshot } from '../snapshot/build/share.ts';
import type { KeepPlace } from './keep-place.ts';
import type { AssignedKey } from './key-slots.ts';
import { replaceFile } from './replace-file.ts';
import { reasonOf } from './store-watch.ts';

export interface Kept extends KeptSnapshot {
  readonly keys: readonly AssignedKey[];
}

/** What an earlier server kept: null when there is nothing, `NotKept` when it cannot be used. */
export async function findKept({ path, store }: KeepPlace): Promise<Kept | NotKept | null> {
  try {
    const snapshot = readKept(await readPlain(path), store);
    const keys = await readKeptKeys(keysPath(path), store);
    return keys === null ? new NotKept(`has no usable ${keysPath(path)} beside it`) : { ...snapshot, keys };
  } catch (error) {
    if (error instanceof NotKept) return error;
    if (error instanceof NotPlain) return new NotKept('is not a file');
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return missing ? null : new NotKept(`cannot be read (${reason(error)})`);
  }
}

export class SnapshotKeeper {
  readonly #place: KeepPlace;
  #snapshot: SharedSnapshot | null = null;
  #keys: readonly AssignedKey[] | null = null;
  #confirmedAt = 0;
  #snapshotChanged = false;
  #keysChanged = false;
  #isFailing = false;

  constructor(place: KeepPlace) {
    this.#place = place;
  }

  takeSnapshot(snapshot: SharedSnapshot): void {
    this.#snapshot = snapshot;
    this.#snapshotChanged = true;
  }

  takeKeys(keys: readonly AssignedKey[]): void {
    this.#keys = keys;
    this.#keysChanged = true;
  }

  confirm(at: number): void {
    this.#confirmedAt = at;
  }

  /** As `save`, but does not fail: reports the first failure, and the first success after it. */
  async saveOrReport(onEvent: (event: ServiceEvent) => void): Promise<void> {
    const { path } = this.#place;
    try {
      await this.save();
      if (this.#isFailing) onEvent({ event: 'keep_restored', path });
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) onEvent({ event: 'keep_failed', path, reason: reasonOf(error) });
      this.#isFailing = true;
    }
  }

  /** Brings the files up to date. To be called every few seconds, never twice at once, and at the end. */
  async save(): Promise<void> {
    const [snapshot, keys, confirmedAt] = [this.#snapshot, this.#keys, this.#confirmedAt];
    // Before both were read from the store there is nothing that would be newer than the files.
    if (snapshot === null || keys === null) return;
    if (!this.#snapshotChanged && !this.#keysChanged) return this.#renew(confirmedAt);
    const [withSnapshot, withKeys] = [this.#snapshotChanged, this.#keysChanged];
    [this.#snapshotChanged, this.#keysChanged] = [false, false];
    const { path, store } = this.#place;
    try {
      if (await this.#isNewerThan(confirmedAt)) return;
      if (withKeys) await writeKeptKeys(keysPath(path), store, keys);
      if (withSnapshot) await replaceFile(path, keptPieces({ store, snapshot, confirmedAt }));
      else await this.#renew(confirmedAt);
    } catch (error) {
      this.#writeAnew();
      throw error;
    }
  }

  #writeAnew(): void {
    [this.#snapshotChanged, this.#keysChanged] = [true, true];
  }

  /** Another server of the same store may have written since; it will go on doing so. */
  async #isNewerThan(confirmedAt: number): Promise<boolean> {
    const head = await this.#readHead().catch(() => null);
    return head !== null && head.store === this.#place.store && head.confirmedAt > confirmedAt;
  }

  async #readHead(): Promise<{ confirmedAt: number; store: string }> {
    const file = await openPlain(this.#place.path);
    try {
      const head = Buffer.alloc(HEAD_BYTES + START_BYTES);
      await file.read(head, 0, head.length, 0);
      const store = /^\{"store":"([0-9a-f]+)"/.exec(head.toString('latin1', HEAD_BYTES))?.[1] ?? '';
      return { confirmedAt: readHead(head).confirmedAt, store };
    } finally {
      await file.close();
    }
  }

  /** Eight bytes in place: the hash does not cover them. */
  async #renew(confirmedAt: number): Promise<void> {
    const before = await this.#readHead().catch(() => null);
    // The file was deleted: the next call writes a new one.
    if (before === null) this.#writeAnew();
    else if (before.store === this.#place.store && before.confirmedAt < confirmedAt) await this.#writeTime(confirmedAt);
  }

  async #writeTime(confirmedAt: number): Promise<void> {
    const time = Buffer.alloc(8);
    time.writeDoubleLE(confirmedAt);
    const file = await open(this.#place.path, 'r+');
    await file.write(time, 0, time.length, CONFIRMED_AT).finally(() => file.close());
  }
}

/** Enough of the description to see the name of the store, which stands first. */
const START_BYTES = 64;

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Of the file beside the snapshot with the hashes, tiers and expiry of the API keys, never the keys themselves. */
function keysPath(snapshotPath: string): string {
  return `${snapshotPath}.keys`;
}

function writeKeptKeys(path: string, store: string, keys: readonly AssignedKey[]): Promise<void> {
  const list = keys.map(({ id, hash, tier, expires, revokedAt }) => {
    return { id, hash: Buffer.from(hash).toString('hex'), tier, expires, revokedAt };
  });
  const text = JSON.stringify({ store, keys: list });
  return replaceFile(path, `${text}\n${checksumOf(text)}\n`);
}

/** Null when the file is missing, damaged or of another store. */
async function readKeptKeys(path: string, store: string): Promise<AssignedKey[] | null> {
  const content = await readPlain(path).then(String, () => '');
  const [text = '', checksum] = content.split('\n');
  if (checksumOf(text) !== checksum) return null;
  // The checksum says that `writeKeptKeys` has written it.
  const found = JSON.parse(text) as { store: string; keys: (Omit<AssignedKey, 'hash'> & { hash: string })[] };
  if (found.store !== store) return null;
  return found.keys.map(key => ({ ...key, hash: Buffer.from(key.hash, 'hex') }));
}

function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
