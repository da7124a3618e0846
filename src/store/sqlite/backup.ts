// What only a restored backup writes into SQLite: loads, keys and replaced closes as they were, and where the store stands.

import { notEmpty } from '../faults.ts';
import type { FillTarget } from '../store.ts';
import type { Connection } from './connection.ts';
import { replacedStore } from './replaced.ts';

export function requireEmpty(db: Connection): void {
  const found = db.query('SELECT 1 FROM assets UNION ALL SELECT 1 FROM loads UNION ALL SELECT 1 FROM keys LIMIT 1');
  if (found.get() !== undefined) throw notEmpty(db.path);
}

export function fillStore(db: Connection): Pick<FillTarget, 'putLoads' | 'putKeys' | 'putReplaced' | 'settle'> {
  const putLoad = db.command(
    `INSERT INTO loads (id, source, started_at, ended_at, state, error, read, inserted, replaced, unchanged, rejected)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const putKey = db.command(
    'INSERT INTO keys (id, hash, tier, name, expires, created_at, revoked_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const unmark = db.command('DELETE FROM pending');
  const mark = db.command('INSERT INTO pending SELECT value FROM json_each(?)');
  const putMeta = db.command('UPDATE meta SET version = ?1, all_since = ?1, keys_version = ?2');
  const note = db.command('INSERT OR IGNORE INTO publications VALUES (?)');

  const replaced = replacedStore(db);

  return {
    putLoads: async loads =>
      db.write(() => {
        for (const { id, source, startedAt, endedAt, state, error, read, inserted, ...more } of loads) {
          const { replaced, unchanged, rejected } = more;
          putLoad.run(id, source, startedAt, endedAt, state, error, read, inserted, replaced, unchanged, rejected);
        }
      }),

    putKeys: async keys =>
      db.write(() => {
        for (const { id, hash, tier, name, expires, createdAt, revokedAt } of keys) {
          putKey.run(id, hash, tier, name, expires, createdAt, revokedAt);
        }
      }),

    putReplaced: async batch => db.write(() => replaced.add(batch)),

    settle: async ({ pending, version, keysVersion }) =>
      db.write(() => {
        unmark.run();
        mark.run(JSON.stringify(pending));
        putMeta.run(version, keysVersion);
        if (version > 0) note.run(version);
      }),
  };
}
