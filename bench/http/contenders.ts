// The servers that the HTTP benchmark compares, each a process of its own on the same rows.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import { COLUMNS } from '../../src/domain/catalogue.ts';

const here = import.meta.dirname;

export interface Running {
  readonly url: string;
  stop(): Promise<void>;
}

/** Ready when it has written its first line. */
export async function start(command: string, args: readonly string[], port: number): Promise<Running> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${command} ${args[0]} ended`))),
  ]);
  lines.on('line', () => {});
  return { url: `http://127.0.0.1:${port}`, stop: () => stopped(child) };
}

async function stopped(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

export const bareServer = join(here, 'bare-server.ts');
export const sqlServer = join(here, 'sql-server.ts');

type Row = Readonly<Record<string, string | number | null>>;

/** A table with an index for every column that is sorted by, as a careful user would make it. */
export async function fillPostgres(url: string, rows: readonly Row[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const columns = COLUMNS.map(({ name, type }) => `"${name}" ${sqlType(type, 'float8', 'timestamptz')}`);
  await client.query(`CREATE TABLE listing (${columns.join(', ')}, PRIMARY KEY (symbol))`);
  for (let i = 0; i < rows.length; i += 1000) {
    const some = JSON.stringify(rows.slice(i, i + 1000));
    await client.query('INSERT INTO listing SELECT * FROM json_populate_recordset(NULL::listing, $1)', [some]);
  }
  for (const { name } of COLUMNS) {
    await client.query(`CREATE INDEX ON listing ("${name}" DESC NULLS LAST, symbol)`);
  }
  await client.query('VACUUM ANALYZE listing');
  await client.end();
}

export async function fillDuckDB(file: string, rows: readonly Row[]): Promise<void> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  const columns = COLUMNS.map(({ name, type }) => `"${name}" ${sqlType(type, 'DOUBLE', 'TIMESTAMP')}`);
  await connection.run(`CREATE TABLE listing (${columns.join(', ')})`);
  for (let i = 0; i < rows.length; i += 1000) {
    const tuples = rows.slice(i, i + 1000).map(row => `(${COLUMNS.map(({ name }) => literal(row[name])).join()})`);
    await connection.run(`INSERT INTO listing VALUES ${tuples.join()}`);
  }
  connection.closeSync();
  instance.closeSync();
}

function sqlType(type: string, number: string, time: string): string {
  if (type === 'number' || type === 'integer') return number;
  return type === 'string' ? 'text' : time;
}

function literal(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return 'NULL';
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
}
