// The small tables in SQLite: runs the statements of store/records/ on tables with checksums.

import { nextVersion } from '../port/next-version.ts';
import type { Column, Executor, Fields, Records, RecordTable, Steps, Value } from '../records/steps.ts';
import { API_KEYS, PROFILES } from '../records/tables.ts';
import { type Cell, CheckedTable } from './checked-table.ts';
import { requireCount } from './checksum-mismatch.ts';
import type { Connection, Query } from './connection.ts';
import type { TableName } from './layout.ts';
import { MetaTable, requireAsset } from './meta.ts';
import { PendingTable } from './pending.ts';

/** Runs them in the transaction that is open. */
export function runSteps<T>(db: Connection, steps: () => Steps<T>): T {
  return runOn(executorOf(db), steps);
}

const executors = new WeakMap<Connection, Executor>();

/** One per connection: a statement is prepared at its first use. */
function executorOf(db: Connection): Executor {
  let known = executors.get(db);
  if (known === undefined) {
    known = executor(db);
    executors.set(db, known);
  }
  return known;
}

function runOn<T>(on: Executor, steps: () => Steps<T>): T {
  const work = steps();
  let step = work.next();
  while (!step.done) step = work.next(step.value(on));
  return step.value;
}

export function sqliteRecords(db: Connection): Records {
  const on = executorOf(db);
  const meta = new MetaTable(db);
  const run = <T>(steps: () => Steps<T>): T => runOn(on, steps);
  const read = async <T>(steps: () => Steps<T>) => db.read(() => run(steps));
  const write = <T>(steps: () => Steps<T>) => db.writeWhenFree(() => run(steps));
  const keysVersion = async () => db.read(() => meta.read().keysVersion);
  return { query: read, read, readNewest: read, change: write, write, keysVersion };
}

function executor(db: Connection): Executor {
  const meta = new MetaTable(db);
  const pending = new PendingTable(db);
  const tableOf = memoized((name: TableName) => new CheckedTable<Cell[]>(db, name));
  const queryOf = memoized((sql: string) => db.query<Cell[]>(sql));
  const commandOf = memoized((sql: string) => db.command(sql));
  const checkedQueries = new Map<string, Query<Cell[]>>();

  function rows(table: RecordTable, rest: string, values: readonly Value[]): Fields[] {
    const name = `${table.name} ${rest}`;
    const query = checkedQueries.get(name) ?? tableOf(table.name).select(numbered(rest));
    checkedQueries.set(name, query);
    return query.all(...values).map(cells => fieldsOf(table, cells));
  }

  function put(table: RecordTable, changed: readonly Fields[]): void {
    tableOf(table.name).putAll(changed.map(row => cellsOf(table, row)));
  }

  return {
    rows,
    put,

    rowsOf: (table, column, of, rest, values) =>
      of.flatMap(value => rows(table, `WHERE ${column} = $1 ${rest}`, [value, ...values])),

    newest: (table, of) => {
      const [value, bound] = table.key.map(({ name }) => name);
      const rest = `WHERE ${value} = $1 AND ${bound} <= $2 ORDER BY ${bound} DESC LIMIT 1`;
      return of.flatMap(each => rows(table, rest, each));
    },

    select: (table, what, rest, values) =>
      queryOf(`SELECT ${what} FROM ${table.name} ${numbered(rest)}`).all(...values),

    add: (table, added) => {
      const { name, field } = table.key[0]!;
      const last = Number(queryOf(`SELECT max(${name}) FROM ${table.name}`).get()?.[0]);
      put(
        table,
        added.map((row, i) => ({ ...row, [field]: last + 1 + i })),
      );
      // The count shows if one is lost.
      if (table === API_KEYS) meta.update({ apiKeys: meta.read().apiKeys + added.length });
      return last + added.length;
    },

    update: (table, row, changes) => put(table, [{ ...row, ...changes }]),

    increase: (table, added) => {
      const sums = table.columns.filter(column => !table.key.includes(column)).map(column => column.field);
      const condition = `WHERE ${table.key.map(({ name }, i) => `${name} = $${i + 1}`).join(' AND ')}`;
      const increased = added.map(row => {
        const [before] = rows(
          table,
          condition,
          table.key.map(({ field }) => row[field] as Value),
        );
        return before
          ? { ...row, ...Object.fromEntries(sums.map(field => [field, Number(before[field]) + Number(row[field])])) }
          : row;
      });
      put(table, increased);
      return increased;
    },

    remove: (table, rest, values) => commandOf(`DELETE FROM ${table.name} ${numbered(rest)}`).run(...values),

    // Other processes watch the file.
    notify: () => {},

    raiseKeysVersion: () => void meta.update({ keysVersion: nextVersion(meta.read().keysVersion) }),

    checkKeys: count => requireCount('api_keys', count, meta.read().apiKeys),

    requireAssets: assets => {
      const state = meta.read();
      for (const asset of assets) requireAsset(state, asset);
    },

    markPending: assets => pending.add(assets),

    currentFacts: () =>
      db
        .query<[assetNumber: number, rank: number | null, supply: number | null]>(
          'SELECT number, rank, supply FROM assets WHERE rank IS NOT NULL OR supply IS NOT NULL ORDER BY number',
        )
        .all()
        .map(([assetNumber, rank, supply]) => ({ assetNumber, rank, supply })),
  };
}

function memoized<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return key => {
    let known = made.get(key);
    if (known === undefined) {
      known = make(key);
      made.set(key, known);
    }
    return known;
  };
}

/** `$1` would be a name; `?1` is the first of the values. */
function numbered(text: string): string {
  return text.replaceAll('$', '?');
}

function cellsOf(table: RecordTable, row: Fields): Cell[] {
  const { assetNumber, profile, extra } = row as typeof row & { assetNumber: number };
  if (table === PROFILES) return [assetNumber, JSON.stringify({ profile, extra })];
  return table.columns.map(({ field, type }) => cellOf(row[field], type));
}

function fieldsOf(table: RecordTable, cells: readonly Cell[]): Fields {
  // Written by `cellsOf`.
  if (table === PROFILES) return { assetNumber: cells[0], ...JSON.parse(cells[1] as string) };
  return Object.fromEntries(table.columns.map(({ field, type }, i) => [field, valueOfCell(cells[i]!, type)]));
}

function cellOf(value: unknown, type: Column['type']): Cell {
  if (value === null) return null;
  if (type === 'boolean') return Number(value);
  if (type === 'json') return JSON.stringify(value);
  if (type === 'bytea') return Uint8Array.from(value as Uint8Array);
  return value as string | number; // of one of the other types
}

function valueOfCell(cell: Cell, type: Column['type']): unknown {
  if (type === 'boolean') return cell === 1;
  return type === 'json' && cell !== null ? JSON.parse(cell as string) : cell;
}
