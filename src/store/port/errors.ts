// The error of a store that cannot be used, or not in the way that was asked for.

/** A store that cannot be used, or not in this way: told to a person in one line, with what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreFault;
  readonly hint: string;

  constructor(code: StoreFault, message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.hint = hint;
  }
}

export type StoreFault =
  | 'bad_url'
  /** Nothing is there, and nothing was to be made. */
  | 'missing'
  | 'unreachable'
  /** There are standbys only: what needs a primary fails, or what needs newer data than theirs; the rest works. */
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
  /** To be filled, yet it holds something. */
  | 'not_empty'
  /** Another process wrote for longer than one waits. */
  | 'busy'
  | 'id_taken'
  | 'key_taken'
  | 'unknown_asset'
  | 'unknown_load';
