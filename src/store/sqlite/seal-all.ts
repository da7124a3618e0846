// Every value of numbers in a SQLite store: sealed in a store that has them without, and looked at where all are to be checked.

import type { Connection } from './connection.ts';
import { type Blob, isSealed, newNumbers, sealed, unsealed } from './sealed-numbers.ts';

const TABLES = [
  { table: 'tiles', key: 'place', value: 'numbers' },
  { table: 'current_teams', key: 'team', value: 'rows' },
] as const;
/** With all that were sealed from the first. */
const SEALED = [...TABLES, { table: 'replaced', key: 'team', value: 'closes' }];
const AT_ONCE = 256;

/** Values that are sealed stay as they are: an earlier step of the same upgrade may have written them. */
export function sealAll(db: Connection): void {
  for (const { table, key, value } of TABLES) {
    const put = db.command(`UPDATE ${table} SET ${value} = ? WHERE ${key} = ?`);
    for (const [at, bytes] of values(db, table, key, value)) {
      if (isSealed(bytes)) continue;
      const numbers = newNumbers(bytes.byteLength / 8);
      new Uint8Array(numbers.buffer).set(bytes);
      put.run(sealed(numbers), at);
    }
  }
}

/** Fails at the first one that is not what was written. */
export function checkAll(db: Connection): void {
  for (const { table, key, value } of SEALED) for (const [, bytes] of values(db, table, key, value)) unsealed(bytes);
}

function* values(db: Connection, table: string, key: string, value: string): Generator<[at: number, bytes: Blob]> {
  const after = db.query<[at: number, bytes: Blob]>(
    `SELECT ${key}, ${value} FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ${AT_ONCE}`,
  );
  for (let some = after.all(-1); some.length > 0; some = after.all(some.at(-1)![0])) yield* some;
}
