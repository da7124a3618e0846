// Moves the current rows of an older store, which had a row of the table for each, into teams.

import type { Day } from '../../domain/day.ts';
import type { CurrentRow } from '../store.ts';
import { valuesOfBytes } from '../values-blob.ts';
import type { Connection } from './connection.ts';
import { TeamRows, WaitingRows } from './row-teams.ts';

type OldRow = [key: number, day: number, history: number, price: number, indicators: Uint8Array<ArrayBuffer>];

const ROWS_AT_ONCE = 4096;

/** All get the latest version: who has seen an older one reads some rows once more. */
export function packRows(db: Connection): void {
  const part = db.query<OldRow>(
    `SELECT asset, day, history, price, indicators FROM current WHERE asset > ? ORDER BY asset LIMIT ${ROWS_AT_ONCE}`,
  );
  const version = db.query<[number]>('SELECT version FROM meta').get()![0];
  const put = db.command('INSERT INTO current_teams VALUES (?, ?, ?)');
  const waiting = new WaitingRows();
  for (let rows = part.all(-1); rows.length > 0; rows = part.all(rows.at(-1)![0])) {
    waiting.add({ rows: rows.map(rowOf), removed: [] });
  }
  for (const [number, numbers] of waiting.byTeam) {
    const team = new TeamRows(undefined);
    team.apply(numbers, version);
    put.run(number, version, team.bytes);
  }
  db.exec('DROP TABLE current');
}

function rowOf([key, day, history, price, indicators]: OldRow): CurrentRow {
  // Only days from the domain are ever stored.
  return { key, day: day as Day, history, price, values: valuesOfBytes(indicators) };
}
