// The small tables in SQLite: runs the statements of store/records/ on the tables with checksums.

import { nextVersion } from '../port/next-version.ts';
import type { Executor, Fields, Records, Steps, Value } from '../records/steps.ts';
import { type AnyTable, API_KEYS, type ColumnType, PROFILES } from '../records/tables.ts';
import { requireAsset } from './assets.ts';
import { type Cell, CheckedTable } from './checked-table.ts';
import { requireCount } from './checksum-mismatch.ts';
import type { Command, Connection, Query } from './connection.ts';
import { MetaTable } from './meta.ts';
import { PendingTable } from './pending.ts';

export function sqliteRecords(db: Connection): Records {
  const on = new SqliteExecutor(db);
  const meta = new MetaTable(db);
  function run<T>(steps: () => Steps<T>): T {
    const work = steps();
    let step = work.next();
    while (!step.done) step = work.next(step.value(on));
    return step.value;
  }
  const read = async <T>(steps: () => Steps<T>) => db.read(() => run(steps));
  const write = <T>(steps: () => Steps<T>) => db.writeWhenFree(() => run(steps));
  return {
    query: read,
    read,
    readNewest: read,
    change: write,
    write,
    keysVersion: async () => db.read(() => meta.read().keysVersion),
  };
}

class SqliteExecutor implements Executor {
  readonly #db: Connection;
  readonly #meta: MetaTable;
  readonly #pending: PendingTable;
  readonly #tables = new Map<AnyTable, CheckedTable<Cell[]>>();
  readonly #queries = new Map<string, Query<Cell[]>>();
  readonly #commands = new Map<string, Command>();

  constructor(db: Connection) {
    this.#db = db;
    this.#meta = new MetaTable(db);
    this.#pending = new PendingTable(db);
  }

  rows(table: AnyTable, rest: string, values: readonly Value[]): Fields[] {
    const query = this.#once(this.#queries, `${table.name} ${rest}`, () => this.#table(table).select(numbered(rest)));
    return query.all(...values).map(cells => fieldsOf(table, cells));
  }

  rowsOf(table: AnyTable, field: string, of: readonly Value[], rest: string, values: readonly Value[]): Fields[] {
    return of.flatMap(value => this.rows(table, `WHERE ${table.columns[field]![0]} = $1 ${rest}`, [value, ...values]));
  }

  select(table: AnyTable, what: string, rest: string, values: readonly Value[]): Cell[][] {
    const text = `SELECT ${what} FROM ${table.name} ${numbered(rest)}`;
    return this.#once(this.#queries, text, () => this.#db.query(text)).all(...values);
  }

  add(table: AnyTable, rows: readonly Fields[]): number {
    const [key = ''] = table.key;
    const [[last]] = this.select(table, `coalesce(max(${key}), 0)`, '', []) as [[number]]; // an aggregate gives one row
    this.put(
      table,
      rows.map((row, i) => ({ ...row, [key]: last + 1 + i })),
    );
    // Counted, so that a lost one is noticed: it would be valid for nobody.
    if (table === API_KEYS) this.#meta.update({ apiKeys: this.#meta.read().apiKeys + rows.length });
    return last + rows.length;
  }

  put(table: AnyTable, rows: readonly Fields[]): void {
    this.#table(table).putAll(rows.map(row => cellsOf(table, row)));
  }

  update(table: AnyTable, row: Fields, changes: Fields): void {
    this.put(table, [{ ...row, ...changes }]);
  }

  increase(table: AnyTable, rows: readonly Fields[], fields: readonly string[]): Fields[] {
    const condition = `WHERE ${table.key.map((field, i) => `${table.columns[field]![0]} = $${i + 1}`).join(' AND ')}`;
    const summed = rows.map(row => {
      const [before = {}] = this.rows(
        table,
        condition,
        table.key.map(field => row[field] as Value),
      );
      return {
        ...row,
        ...Object.fromEntries(fields.map(field => [field, Number(before[field] ?? 0) + Number(row[field])])),
      };
    });
    this.put(table, summed);
    return summed;
  }

  remove(table: AnyTable, rest: string, values: readonly Value[]): number {
    const text = `DELETE FROM ${table.name} ${numbered(rest)}`;
    return this.#once(this.#commands, text, () => this.#db.command(text)).run(...values);
  }

  /** Other processes watch the file. */
  notify(): void {}

  raiseKeysVersion(): void {
    this.#meta.update({ keysVersion: nextVersion(this.#meta.read().keysVersion) });
  }

  checkKeys(count: number): void {
    requireCount('api_keys', count, this.#meta.read().apiKeys);
  }

  requireAssets(assets: readonly number[]): void {
    const meta = this.#meta.read();
    for (const asset of assets) requireAsset(meta, asset);
  }

  markPending(assets: readonly number[]): void {
    this.#pending.add(assets);
  }

  #table(table: AnyTable): CheckedTable<Cell[]> {
    return this.#once(this.#tables, table, () => new CheckedTable(this.#db, table.name));
  }

  #once<K, V>(made: Map<K, V>, key: K, make: () => V): V {
    const known = made.get(key) ?? make();
    made.set(key, known);
    return known;
  }
}

/** `$1` is a name for SQLite, `?1` the first of the values. */
function numbered(text: string): string {
  return text.replaceAll('$', '?');
}

function cellsOf(table: AnyTable, row: Fields): Cell[] {
  if (table === PROFILES)
    return [row['assetNumber'] as number, JSON.stringify({ profile: row['profile'], extra: row['extra'] })];
  return Object.entries(table.columns).map(([field, [, type]]) => cellOf(row[field], type));
}

function fieldsOf(table: AnyTable, cells: readonly Cell[]): Fields {
  if (table === PROFILES) return { assetNumber: cells[0], ...JSON.parse(cells[1] as string) };
  return Object.fromEntries(
    Object.entries(table.columns).map(([field, [, type]], i) => [field, valueOfCell(cells[i]!, type)]),
  );
}

function cellOf(value: unknown, type: ColumnType): Cell {
  if (value === null) return null;
  if (type === 'boolean') return Number(value);
  if (type === 'json') return JSON.stringify(value);
  if (type === 'bytea') return Uint8Array.from(value as Uint8Array);
  return value as string | number; // the other types
}

function valueOfCell(cell: Cell, type: ColumnType): unknown {
  if (type === 'boolean') return cell === 1;
  return type === 'json' && cell !== null ? JSON.parse(cell as string) : cell;
}
