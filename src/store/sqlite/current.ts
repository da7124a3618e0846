// Current rows, pending marks and the version in SQLite.

import type { AssetNumber } from '../../domain/asset.ts';
import { unknownAsset } from '../faults.ts';
import { nextVersion, PUBLICATIONS_KEPT } from '../next-version.ts';
import { storable } from '../records.ts';
import type { CurrentRow, PublicationStore } from '../store.ts';
import type { Connection } from './connection.ts';
import { runsOf } from './key-runs.ts';
import { manyRows } from './many-rows.ts';
import { replacedStore } from './replaced.ts';
import { addRowsSince, TeamRows, WaitingRows } from './row-teams.ts';
import type { Blob } from './sealed-numbers.ts';

export function currentStore(db: Connection): PublicationStore {
  const meta = db.query<[version: number, columns: string | null, allSince: number]>(
    'SELECT version, columns, all_since FROM meta',
  );
  const putMeta = db.command('UPDATE meta SET version = ?, columns = ?, all_since = ?');
  const version = db.query<[number]>('SELECT version FROM meta');
  const note = db.command('INSERT INTO publications VALUES (?)');
  const forget = db.command(
    `DELETE FROM publications
     WHERE version <= (SELECT version FROM publications ORDER BY version DESC LIMIT 1 OFFSET ${PUBLICATIONS_KEPT})`,
  );
  const noted = db.query<[number]>('SELECT 1 FROM publications WHERE version = ?');
  const pending = db.query<[number]>('SELECT asset FROM pending ORDER BY asset');
  const everyAsset = db.query<[number]>('SELECT key FROM assets ORDER BY key');
  const known = db.query<[number]>('SELECT count(*) FROM coverage WHERE asset BETWEEN ? AND ?');
  const mark = manyRows(db, 'INSERT OR IGNORE INTO pending VALUES', 1);
  const unmark = db.command('DELETE FROM pending WHERE asset BETWEEN ? AND ?');
  const replaced = replacedStore(db);
  const team = db.query<[Blob]>('SELECT rows FROM current_teams WHERE team = ?');
  const putTeam = db.command('REPLACE INTO current_teams VALUES (?, ?, ?)');
  const removeAll = db.command('DELETE FROM current_teams');
  // The inner query reads nothing but the index.
  const teamsSince = db.query<[Blob]>(
    'SELECT rows FROM current_teams WHERE team IN (SELECT team FROM current_teams WHERE version > ?) ORDER BY team',
  );

  /** Whether a row was removed. */
  function put({ byTeam, written, removed }: WaitingRows, version: number): boolean {
    let lost = false;
    for (const [number, waiting] of byTeam) {
      const rows = new TeamRows(team.get(number)?.[0]);
      if (rows.apply(waiting, version)) lost = true;
      putTeam.run(number, version, rows.bytes);
    }
    requireAssets(written);
    const published = [...written, ...removed];
    for (const run of runsOf(published)) unmark.run(...run);
    replaced.forget(published);
    return lost;
  }

  function requireAssets(keys: readonly AssetNumber[]): void {
    for (const [first, last] of runsOf(keys)) {
      if (known.get(first, last)![0] === last - first + 1) continue;
      for (let key = first; ; key++) if (known.get(key, key)![0] === 0) throw unknownAsset(key);
    }
  }

  function rowsSince(version: number): CurrentRow[] {
    const rows: CurrentRow[] = [];
    for (const [bytes] of teamsSince.all(version)) addRowsSince(bytes, version, rows);
    return rows;
  }

  return {
    pending: async columns =>
      db.read(() => {
        const stale = columns !== undefined && meta.get()![1] !== columns;
        return (stale ? everyAsset : pending).all().map(([key]) => key);
      }),

    publish: async (columns, parts) => {
      const waiting = new WaitingRows();
      for await (const part of parts) waiting.add(part);
      return db.write(() => {
        const [before, oldColumns, lastAll] = meta.get()!;
        const next = nextVersion(before);
        let removed = false;
        if (oldColumns !== storable(columns)) {
          mark(rowsSince(-1).map(({ key }) => [key]));
          removed = removeAll.run() > 0;
        }
        if (put(waiting, next)) removed = true;
        putMeta.run(next, storable(columns), removed ? next : lastAll);
        note.run(next);
        forget.run();
        return next;
      });
    },

    version: async () => db.read(() => version.get()![0]),

    currentSince: async seen =>
      db.read(() => {
        const [latest, columns, allSince] = meta.get()!;
        const all = seen < allSince || noted.get(seen) === undefined;
        return { version: latest, columns, all, rows: rowsSince(all ? -1 : seen) };
      }),
  };
}
