// The server that Tidemark is compared with: Fastify, and one SQL statement per request. Its threads share the port.
//
//   node bench/http/sql-server.ts postgres URL PORT THREADS
//   node bench/http/sql-server.ts duckdb FILE PORT THREADS

import { createHash } from 'node:crypto';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { DuckDBInstance } from '@duckdb/node-api';
import Fastify, { type FastifyListenOptions } from 'fastify';
import pg from 'pg';
import { COLUMNS as LISTED } from '../../src/domain/catalogue.ts';

interface Setup {
  readonly engine: string;
  readonly where: string;
  readonly port: number;
}

type RunQuery = (sql: string, values: readonly number[]) => Promise<readonly Record<string, unknown>[]>;

const COLUMNS = new Set<string>(LISTED.map(column => column.name));
const LISTING = '/v1/crypto/ta-cur';

if (isMainThread) {
  const [engine = '', where = '', port = '0', threads = '1'] = process.argv.slice(2);
  const workerData: Setup = { engine, where, port: Number(port) };
  const listening = Array.from({ length: Number(threads) }, () => {
    const worker = new Worker(new URL(import.meta.url), { workerData });
    return new Promise(resolve => worker.once('message', resolve));
  });
  await Promise.all(listening);
  process.stdout.write('listening\n');
} else {
  await serve(workerData as Setup); // passed above
}

async function serve({ engine, where, port }: Setup): Promise<void> {
  const runQuery = engine === 'postgres' ? postgresQueries(where) : await duckdbQueries(where);
  const server = Fastify();
  server.get<{ Querystring: Record<string, string> }>(LISTING, async request => {
    const began = performance.now();
    const { sql, values } = statement(request.query);
    const result = await runQuery(sql, values);
    const page = Number(request.query['page'] ?? 1);
    return {
      error: false,
      response_time: performance.now() - began,
      results_returned: result.length,
      result,
      datetimeUTC: new Date().toISOString(),
      metadata: null,
      fetch_meta_time: 0,
      fetch_data_time: performance.now() - began,
      next: `${LISTING}?page=${page + 1}`,
      prev: page > 1 ? `${LISTING}?page=${page - 1}` : null,
    };
  });
  // Fastify hands its options to net.Server.listen, which knows reusePort; its types do not.
  await server.listen({ host: '127.0.0.1', port, reusePort: true } as FastifyListenOptions);
  parentPort?.postMessage('listening');
}

function statement(query: Readonly<Record<string, string>>): { sql: string; values: number[] } {
  const values: number[] = [];
  const conditions: string[] = [];
  const bound = (value: string) => `$${values.push(Number(value))}::float8`;
  for (const [name, value] of Object.entries(query)) {
    const comparison = /^\[(\w+)\]>:\[(\w+)\]$/.exec(name);
    if (comparison) conditions.push(`"${column(comparison[1])}" > "${column(comparison[2])}"`);
    else if (COLUMNS.has(name) && value === 'not_null') conditions.push(`"${name}" IS NOT NULL`);
    else if (COLUMNS.has(name)) {
      const [low = '', high = ''] = value.split(':');
      if (low !== '') conditions.push(`"${name}" >= ${bound(low)}`);
      if (high !== '') conditions.push(`"${name}" <= ${bound(high)}`);
    }
  }
  const limit = Number(query['limit'] ?? 100);
  const offset = (Number(query['page'] ?? 1) - 1) * limit;
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const order = query['order'] === 'asc' ? 'ASC' : 'DESC';
  const sql = `SELECT * FROM listing ${where} ORDER BY "${column(query['sort'])}" ${order} NULLS LAST, symbol
    LIMIT ${limit} OFFSET ${offset}`;
  return { sql, values };
}

function column(name: string | undefined): string {
  if (name === undefined || !COLUMNS.has(name)) throw new Error('no such column');
  return name;
}

function postgresQueries(url: string): RunQuery {
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  // Under a name, which is unique for a text, a statement is planned once per connection.
  return async (text, values) => (await pool.query({ name: nameOf(text), text, values: [...values] })).rows;
}

function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

async function duckdbQueries(file: string): Promise<RunQuery> {
  const instance = await DuckDBInstance.fromCache(file, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  return async (text, values) => {
    const prepared = await connection.prepare(text);
    values.forEach((value, i) => {
      prepared.bindDouble(i + 1, value);
    });
    return (await prepared.runAndReadAll()).getRowObjectsJson();
  };
}
