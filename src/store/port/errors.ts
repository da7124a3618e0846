// The error of a store that cannot be used, or not in the way that was asked for, and the errors that both adapters raise.

import { HintedError } from '../../common/hinted-error.ts';
import type { AssetNumber } from '../../domain/asset.ts';

/** For people: one line on what is wrong, and a hint on what to do. */
export class StoreError extends HintedError {
  override readonly name = 'StoreError';
  readonly code: StoreFault;

  constructor(code: StoreFault, message: string, hint: string, options?: ErrorOptions) {
    super(message, hint, options);
    this.code = code;
  }
}

export type StoreFault =
  | 'bad_url'
  /** It does not exist and was not to be created. */
  | 'missing'
  | 'unreachable'
  /** A node of a distributed database: what the other nodes hold can be used. */
  | 'node_unreachable'
  /** A connection pooler in front of the database works in a way that breaks locks. */
  | 'pooler'
  /** Only standbys can be reached: writes fail, and reads that need newer data than theirs; other reads work. */
  | 'no_primary'
  | 'newer_version'
  | 'older_version'
  /** Of the database's own software. */
  | 'old_server'
  /** The database cannot be read, or not as a whole. */
  | 'corrupt'
  /** A row is not what was written; others can be read. */
  | 'checksum_mismatch'
  | 'not_a_store'
  | 'full'
  | 'read_only'
  /** The role of the connection lacks a right. */
  | 'forbidden'
  /** A backup can be restored into an empty store only. */
  | 'not_empty'
  /** Another process wrote for longer than this one waits. */
  | 'busy'
  | 'id_taken'
  | 'key_taken'
  | 'alert_taken'
  | 'unknown_asset'
  | 'unknown_load';

export function unknownAsset(assetNumber: AssetNumber): StoreError {
  return new StoreError(
    'unknown_asset',
    `the store has no asset ${assetNumber}`,
    'put the asset first and use the number it gets',
  );
}

export function unknownLoad(load: number): StoreError {
  return new StoreError(
    'unknown_load',
    `the store has no load ${load}`,
    'begin the load first and use the number it gets',
  );
}

export function idTaken(id: string): StoreError {
  return new StoreError('id_taken', `another asset already has the id ${id}`, 'use that asset instead');
}

export function keyTaken(id: string): StoreError {
  return new StoreError(
    'key_taken',
    `an API key with the id ${id}, or with the same hash, exists already`,
    'create another API key',
  );
}

export function alertTaken(name: string): StoreError {
  return new StoreError('alert_taken', `there is already an alert named ${name}`, 'choose another name');
}

export function newerVersion(where: string, found: number, known: number): StoreError {
  return new StoreError(
    'newer_version',
    `${where} was written by a newer Tidemark (layout ${found}; this one knows up to ${known})`,
    'use the newer Tidemark, or another store',
  );
}

export function olderVersion(where: string, found: number, known: number): StoreError {
  return new StoreError(
    'older_version',
    `${where} was written by an older Tidemark (layout ${found}; this one reads layout ${known})`,
    "Write a backup with the older Tidemark ('tidemark backup FILE') and restore it into a new store with this one " +
      "('tidemark restore FILE'). A store of the demo can be deleted: the demo creates it again.",
  );
}

export function notEmpty(where: string): StoreError {
  return new StoreError(
    'not_empty',
    `${where} holds data already`,
    'Restore into a store that is new or empty: name one with --store, or move this one away first.',
  );
}

/** Somebody has taken it away, and it was opened anew: what was read before is better than nothing. */
export function emptied(): StoreError {
  return new StoreError('missing', 'the store is empty, and was not before', "'tidemark restore' or a load fills it");
}
