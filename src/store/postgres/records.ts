// The small tables in PostgreSQL: runs the statements of store/records/, each with one round trip.

import { nextVersion } from '../port/next-version.ts';
import type { Executor, Fields, Records, Steps } from '../records/steps.ts';
import type { AnyTable, ColumnType } from '../records/tables.ts';
import { markPending, requireAssets } from './assets.ts';
import type { Database, Sql, Value, Versions } from './database.ts';
import { readVersions } from './known-versions.ts';
import { notify } from './watch.ts';

export function postgresRecords(db: Database): Records {
  const run =
    <T>(steps: () => Steps<T>) =>
    async (sql: Sql): Promise<T> => {
      const on = executor(sql, db);
      const work = steps();
      let step = work.next();
      while (!step.done) step = work.next(await step.value(on));
      return step.value;
    };
  return {
    query: (steps, asset) => db.query(run(steps), asset),
    read: steps => db.read(run(steps)),
    readNewest: steps => db.change(run(steps)),
    change: steps => db.change(run(steps)),
    write: steps => db.write(run(steps)),
    keysVersion: async () => accepted(db, await db.versions()),
  };
}

function accepted({ seen }: Database, { keys, standby }: Versions): number {
  return seen.accept('keys', { version: keys, standby });
}

/** The names that differ from those of records/tables.ts. */
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  deliveries: { created_at: 'created_ms', entered: 'entered_rows', last_at: 'last_ms', next_at: 'next_ms' },
  usage: { usage: 'key_usage', api_key: 'key' },
  live_ticks: { tick_at: 'tick_ms' },
};

/** SQL of the portable form with the names that a table and its columns have here. */
function renamed({ name }: AnyTable, text: string): string {
  const here = text.replace(/\w+/g, word => NAMES[name]?.[word] ?? word);
  return here.replace(/(?<=\bFROM )\w+/g, table => `tidemark.${table}`);
}

function nameOf(table: AnyTable): string {
  return renamed(table, `FROM ${table.name}`).slice('FROM '.length);
}

function columnOf(table: AnyTable, field: string): string {
  return renamed(table, table.columns[field]![0]);
}

function executor(sql: Sql, db: Database): Executor {
  return {
    rows: async (table, rest, values) =>
      (await sql.run<Fields>(`${selectOf(table)} ${renamed(table, rest)}`, values)).rows,

    rowsOf: async (table, field, of, rest, values) => {
      if (of.length === 0) return [];
      const text = `${selectOf(table)} WHERE ${columnOf(table, field)} = ANY($1) ${renamed(table, rest)}`;
      return (await sql.run<Fields>(text, [of, ...values])).rows;
    },

    select: async (table, what, rest, values) => {
      const text = renamed(table, `SELECT ${what} FROM ${table.name} ${rest}`);
      return (await sql.run(text, values)).rows.map(row => Object.values(row));
    },

    add: async (table, rows) => {
      const [number = ''] = table.key;
      const fields = Object.keys(table.columns).filter(field => field !== number);
      const text = `${insertOf(table, fields)} ORDER BY ordinality RETURNING ${columnOf(table, number)} AS number`;
      const { rows: added } = await sql.run<{ number: number }>(text, [recordset(table, rows)]);
      return added.at(-1)?.number ?? 0;
    },

    put: async (table, rows) => {
      if (rows.length === 0) return;
      const fields = Object.keys(table.columns);
      const others = fields.filter(field => !table.key.includes(field)).map(field => columnOf(table, field));
      const changes = others.map(column => `${column} = excluded.${column}`).join(', ');
      await sql.run(`${insertOf(table, fields)} ${onConflict(table)} ${changes}`, [recordset(table, rows)]);
    },

    update: async (table, row, changes) => {
      const changed = Object.keys(changes);
      const fields = [...changed, ...table.key];
      const equations = fields.map((field, i) => `${columnOf(table, field)} = $${i + 1}`);
      const [set, where] = [equations.slice(0, changed.length), equations.slice(changed.length)];
      const all = { ...row, ...changes };
      const values = fields.map(field => storedValue(all[field], table.columns[field]![1]));
      await sql.run(`UPDATE ${nameOf(table)} SET ${set.join(', ')} WHERE ${where.join(' AND ')}`, values);
    },

    increase: async (table, rows, fields) => {
      if (rows.length === 0) return [];
      const columns = fields.map(field => columnOf(table, field));
      const sums = columns.map(column => `${column} = old.${column} + excluded.${column}`).join(', ');
      const text = `${insertOf(table, Object.keys(table.columns))} ORDER BY ordinality ${onConflict(table)} ${sums}
        RETURNING ${selectedOf(table)}`;
      return (await sql.run<Fields>(text, [recordset(table, rows)])).rows;
    },

    remove: async (table, rest, values) =>
      (await sql.run(renamed(table, `DELETE FROM ${table.name} ${rest}`), values)).count,

    notify: () => notify(sql),

    raiseKeysVersion: async () => {
      await sql`UPDATE tidemark.meta SET keys_version = greatest(keys_version + 1, ${nextVersion(0)})`;
      await notify(sql);
    },

    checkKeys: async () => void accepted(db, await readVersions(sql)),
    requireAssets: assets => requireAssets(sql, assets),
    markPending: assets => markPending(sql, assets),
  };
}

function selectOf(table: AnyTable): string {
  return `SELECT ${selectedOf(table)} FROM ${nameOf(table)}`;
}

function selectedOf(table: AnyTable): string {
  return Object.keys(table.columns)
    .map(field => `${columnOf(table, field)} AS "${field}"`)
    .join(', ');
}

/** Inserts the rows of `$1`, a recordset. */
function insertOf(table: AnyTable, fields: readonly string[]): string {
  // JSON as text: PostgreSQL refuses some characters in JSON within JSON.
  const isJson = (field: string) => table.columns[field]![1] === 'json';
  const types = fields.map(field => `"${field}" ${isJson(field) ? 'text' : table.columns[field]![1]}`);
  const values = fields.map(field => `"${field}"${isJson(field) ? '::json' : ''}`);
  return `INSERT INTO ${nameOf(table)} AS old (${fields.map(field => columnOf(table, field)).join(', ')})
    SELECT ${values.join(', ')} FROM ROWS FROM (json_to_recordset($1::json) AS (${types.join(', ')})) WITH ORDINALITY`;
}

function onConflict(table: AnyTable): string {
  return `ON CONFLICT (${table.key.map(field => columnOf(table, field)).join(', ')}) DO UPDATE SET`;
}

function recordset(table: AnyTable, rows: readonly Fields[]): string {
  const columns = Object.entries(table.columns);
  return JSON.stringify(
    rows.map(row => Object.fromEntries(columns.map(([field, [, type]]) => [field, storedValue(row[field], type)]))),
  );
}

function storedValue(value: unknown, type: ColumnType): Value {
  if (value === null || value === undefined) return null;
  if (type === 'json') return JSON.stringify(value);
  if (type === 'bytea') return `\\x${Buffer.from(value as Uint8Array).toString('hex')}`;
  return value as Value; // of one of the other types
}
