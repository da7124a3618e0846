// The error of a store that cannot be used, or not in the way that was asked for.

import { HintedError } from '../../common/hinted-error.ts';

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
