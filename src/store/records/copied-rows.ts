// The rows of tables that a backup has as they are: whatever a table holds, in a form that JSON has.

import type { CopiedRow } from '../port/backups.ts';
import type { Column, Fields, Records, RecordTable, Steps, Value } from './steps.ts';
import { run } from './steps.ts';
import { COPIED_TABLES } from './tables.ts';

/** Rows in memory at a time. */
const ROWS_AT_ONCE = 1000;

export async function* copiedRows(db: Records): AsyncGenerator<CopiedRow> {
  for (const table of COPIED_TABLES) {
    for (let last: Fields | null = null; ; ) {
      const part = await db.query(() => rowsAfter(table, last));
      for (const row of part) yield { table: table.name, row: recordOf(table, row) };
      if (part.length < ROWS_AT_ONCE) break;
      last = part.at(-1)!;
    }
  }
}

export function putCopiedRows(db: Records, rows: readonly CopiedRow[]): Promise<void> {
  return db.write(function* () {
    for (const [name, own] of Map.groupBy(rows, ({ table }) => table)) {
      const table = COPIED_TABLES.find(each => each.name === name);
      if (table === undefined) throw new Error(`a backup has rows of the unknown table ${name}`);
      yield* run(on =>
        on.put(
          table,
          own.map(({ row }) => fieldsOf(table, row)),
        ),
      );
    }
  });
}

function rowsAfter(table: RecordTable, last: Fields | null): Steps<readonly Fields[]> {
  const names = table.key.map(({ name }) => name).join(', ');
  const order = `ORDER BY ${names} LIMIT ${ROWS_AT_ONCE}`;
  if (last === null) return run(on => on.rows(table, order, []));
  const places = table.key.map((_, i) => `$${i + 1}`).join(', ');
  const values = table.key.map(({ field }) => last[field] as Value); // a key has no other values
  return run(on => on.rows(table, `WHERE (${names}) > (${places}) ${order}`, values));
}

function recordOf({ columns }: RecordTable, row: Fields): Fields {
  return mapped(columns, row, value => Buffer.from(value as Uint8Array).toString('base64'));
}

function fieldsOf({ columns }: RecordTable, record: Fields): Fields {
  return mapped(columns, record, value => new Uint8Array(Buffer.from(String(value), 'base64')));
}

function mapped(columns: readonly Column[], row: Fields, bytes: (value: unknown) => unknown): Fields {
  return Object.fromEntries(
    columns.map(({ field, type }) => [field, type === 'bytea' ? bytes(row[field]) : row[field]]),
  );
}
