// DuckDB as a reader of files that we write.

import { DuckDBInstance } from '@duckdb/node-api';

export type DuckRow = Readonly<Record<string, unknown>>;

/** The rows of one query, with numbers as numbers, and other values as JSON has them. `setup` is run before it. */
export async function duckRows(sql: string, ...setup: readonly string[]): Promise<DuckRow[]> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    await connection.run("SET TimeZone = 'UTC'").catch(() => {});
    for (const statement of setup) await connection.run(statement);
    return (await connection.runAndReadAll(sql)).getRowObjectsJS();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** A row as the listing writes it: times with or without milliseconds. */
export function asListed(row: DuckRow, milliseconds: boolean): DuckRow {
  const listed = (value: unknown): unknown => {
    if (typeof value === 'bigint') return Number(value);
    if (!(value instanceof Date)) return value;
    return milliseconds ? value.toISOString() : value.toISOString().replace('.000Z', 'Z');
  };
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, listed(value)]));
}
