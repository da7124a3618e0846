// The closes that were replaced and not yet published, in SQLite: of each asset the days and the closes, one pair after the other.

import type { AssetKey } from '../../domain/asset.ts';
import type { ReplacedCloses } from '../replaced-closes.ts';
import type { Connection } from './connection.ts';
import { type Blob, newNumbers, sealed, unsealed } from './sealed-numbers.ts';

export interface ReplacedStore {
  of(key: AssetKey): ReplacedCloses;
  /** A day that is there already stays as it is: it was replaced twice. */
  add(key: AssetKey, closes: ReplacedCloses): void;
}

export function replacedStore(db: Connection): ReplacedStore {
  const found = db.query<[Blob]>('SELECT closes FROM replaced WHERE asset = ?');
  const put = db.command('REPLACE INTO replaced VALUES (?, ?)');

  function of(key: AssetKey): ReplacedCloses {
    const row = found.get(key);
    const pairs = row === undefined ? newNumbers(0) : unsealed(row[0]);
    const closes = new Map<number, number>();
    for (let at = 0; at < pairs.length; at += 2) closes.set(pairs[at]!, pairs[at + 1]!);
    return closes;
  }

  return {
    of,
    add(key, closes) {
      const all = [...new Map([...closes, ...of(key)])];
      const pairs = newNumbers(2 * all.length);
      pairs.set(all.flat());
      put.run(key, sealed(pairs));
    },
  };
}
