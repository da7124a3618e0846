// The small tables in PostgreSQL: runs the statements of store/records/, each with one round trip.

import { nextVersion } from '../port/next-version.ts';
import type { Column, CurrentFacts, Executor, Fields, Records, RecordTable, Steps } from '../records/steps.ts';
import type { Database, Sql, Value, Versions } from './database.ts';
import { markPending, requireAssets } from './known-assets.ts';
import { readVersions } from './known-versions.ts';
import { notify } from './watch.ts';

export function postgresRecords(db: Database): Records {
  const run =
    <T>(steps: () => Steps<T>) =>
    (sql: Sql): Promise<T> =>
      runSteps(sql, db, steps);
  return {
    query: (steps, asset) => db.query(run(steps), asset),
    read: steps => db.read(run(steps)),
    readNewest: steps => db.change(run(steps)),
    change: steps => db.change(run(steps)),
    write: steps => db.write(run(steps)),
    keysVersion: async () => accepted(db, await db.versions()),
  };
}

/** Runs them in the transaction of `sql`. */
export async function runSteps<T>(sql: Sql, db: Database, steps: () => Steps<T>): Promise<T> {
  const on = executor(sql, db);
  const work = steps();
  let step = work.next();
  while (!step.done) step = work.next(await step.value(on));
  return step.value;
}

function accepted({ seen }: Database, { keys, standby }: Versions): number {
  return seen.accept('keys', { version: keys, standby });
}

/** The names of columns and tables that differ from those of records/tables.ts. */
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  deliveries: { created_at: 'created_ms', entered: 'entered_rows', last_at: 'last_ms', next_at: 'next_ms' },
  usage: { usage: 'key_usage', api_key: 'key' },
  live_ticks: { tick_at: 'tick_ms' },
};

/** A statement with the names that it has here. */
function renamed({ name }: RecordTable, text: string): string {
  // A quoted name is that of a field.
  const here = text.replace(/(?<!")\b\w+\b(?!")/g, word => NAMES[name]?.[word] ?? word);
  return here.replace(/\b(FROM|INTO|UPDATE) (?=[a-z])/g, '$1 tidemark.');
}

function executor(sql: Sql, db: Database): Executor {
  const run = (table: RecordTable, text: string, ...values: readonly Value[]) =>
    sql.run<Fields>(renamed(table, text), values);

  return {
    rows: async (table, rest, values) =>
      (await run(table, `SELECT ${all(table)} FROM ${table.name} ${rest}`, ...values)).rows,

    rowsOf: async (table, column, of, rest, values) => {
      const text = `SELECT ${all(table)} FROM ${table.name} WHERE ${column} = ANY($1) ${rest}`;
      return of.length === 0 ? [] : (await run(table, text, of, ...values)).rows;
    },

    newest: async (table, of) => {
      const [value, bound] = table.key.map(({ name }) => name);
      const text = `SELECT ${all(table)} FROM (SELECT found.* FROM ROWS FROM (unnest($1::int[], $2::int[])) AS wanted (value, bound)
        CROSS JOIN LATERAL (SELECT * FROM ${table.name} WHERE ${value} = wanted.value AND ${bound} <= wanted.bound
          ORDER BY ${bound} DESC LIMIT 1) AS found) AS newest`;
      if (of.length === 0) return [];
      return (
        await run(
          table,
          text,
          of.map(([each]) => each),
          of.map(([, each]) => each),
        )
      ).rows;
    },

    select: async (table, what, rest, values) => {
      const { rows } = await run(table, `SELECT ${what} FROM ${table.name} ${rest}`, ...values);
      return rows.map(row => Object.values(row));
    },

    add: async (table, rows) => {
      const [key, ...columns] = table.columns;
      const text = `${insert(table, columns)} ORDER BY ordinality RETURNING ${key!.name} AS number`;
      const { rows: added } = await run(table, text, recordset(columns, rows));
      return Number(added.at(-1)?.['number']);
    },

    put: async (table, rows) => {
      if (rows.length === 0) return;
      const changes = valuesOf(table).map(({ name }) => `${name} = excluded.${name}`);
      await run(table, `${insert(table)} ${onConflict(table, changes)}`, recordset(table.columns, rows));
    },

    update: async (table, row, changes) => {
      const changed = table.columns.filter(({ field }) => field in changes);
      const [set, where] = [changed.map(equal), table.key.map((column, i) => equal(column, changed.length + i))];
      const values = [...changed, ...table.key].map(({ field, type }) =>
        storedValue({ ...row, ...changes }[field], type),
      );
      await run(table, `UPDATE ${table.name} SET ${set.join(', ')} WHERE ${where.join(' AND ')}`, ...values);
    },

    increase: async (table, rows) => {
      if (rows.length === 0) return [];
      const sums = valuesOf(table).map(({ name }) => `${name} = old.${name} + excluded.${name}`);
      const text = `${insert(table)} ORDER BY ordinality ${onConflict(table, sums)} RETURNING ${all(table)}`;
      return (await run(table, text, recordset(table.columns, rows))).rows;
    },

    remove: async (table, rest, values) => (await run(table, `DELETE FROM ${table.name} ${rest}`, ...values)).count,

    notify: () => notify(sql),

    raiseKeysVersion: async () => {
      await sql`UPDATE tidemark.meta SET keys_version = greatest(keys_version + 1, ${nextVersion(0)})`;
      await notify(sql);
    },

    checkKeys: async () => void accepted(db, await readVersions(sql)),
    requireAssets: assets => requireAssets(sql, assets),
    markPending: assets => markPending(sql, assets),

    currentFacts: () => sql<CurrentFacts>`
      SELECT key AS "assetNumber", rank, supply FROM tidemark.assets
      WHERE rank IS NOT NULL OR supply IS NOT NULL ORDER BY key`,
  };
}

function all({ columns }: RecordTable): string {
  return columns.map(({ name, field }) => `${name} AS "${field}"`).join(', ');
}

function valuesOf({ columns, key }: RecordTable): Column[] {
  return columns.filter(column => !key.includes(column));
}

function equal({ name }: Column, index: number): string {
  return `${name} = $${index + 1}`;
}

/** Inserts the rows of `$1`, a recordset. */
function insert(table: RecordTable, columns = table.columns): string {
  // JSON as text: PostgreSQL refuses some characters in JSON within JSON.
  const types = columns.map(({ type }, i) => `c${i} ${type === 'json' ? 'text' : type}`);
  const values = columns.map(({ type }, i) => (type === 'json' ? `c${i}::json` : `c${i}`));
  return `INSERT INTO ${table.name} AS old (${columns.map(({ name }) => name).join(', ')}) SELECT ${values.join(', ')}
    FROM ROWS FROM (json_to_recordset($1::json) AS (${types.join(', ')})) WITH ORDINALITY`;
}

function recordset(columns: readonly Column[], rows: readonly Fields[]): string {
  const record = (row: Fields) => columns.map(({ field, type }, i) => [`c${i}`, storedValue(row[field], type)]);
  return JSON.stringify(rows.map(row => Object.fromEntries(record(row))));
}

function onConflict({ key }: RecordTable, changes: readonly string[]): string {
  return `ON CONFLICT (${key.map(({ name }) => name).join(', ')}) DO UPDATE SET ${changes.join(', ')}`;
}

function storedValue(value: unknown, type: Column['type']): Value {
  if (value === null || value === undefined) return null;
  if (type === 'json') return JSON.stringify(value);
  if (type === 'bytea') return `\\x${Buffer.from(value as Uint8Array).toString('hex')}`;
  return value as Value; // of one of the other types
}
