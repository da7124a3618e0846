// Every row of a large listing as CSV, against DuckDB's COPY of the same rows, each into a file; DuckDB then reads ours back and
// compares every value with its own.

import { execFile } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DuckDBConnection } from '@duckdb/node-api';
import { renderChunks } from '../../src/render/chunks.ts';
import { probePort } from '../../src/serve/port-claim.ts';
import { buildSnapshot } from '../../src/snapshot/build.ts';
import type { Table } from '../../src/snapshot/table.ts';
import { start, tidemark } from '../http/contenders.ts';
import { fillStore } from '../http/store.ts';
import { packageVersion } from '../machine.ts';
import { loadDuckDB } from '../query/duckdb.ts';
import { universe } from '../query/universe.ts';
import { type Bench, comparison } from '../report.ts';

const ASSETS = 1_000_000;
const RUNS = 3;

function writeOurs(table: Table, sort: string, file: string): void {
  const rows = table.order(table.dataset.columns.findIndex(({ name }) => name === sort));
  const columns = table.columns.map((_, i) => i);
  const descriptor = openSync(file, 'w');
  for (const chunk of renderChunks({ table, rows, columns }, 'csv')) writeSync(descriptor, chunk);
  closeSync(descriptor);
}

async function copy(duckdb: DuckDBConnection, table: Table, file: string, threads: number): Promise<void> {
  const names = table.dataset.columns.map(({ name }) => `"${name}"`).join();
  await duckdb.run(`SET threads = ${threads}`);
  await duckdb.run(`COPY (SELECT ${names} FROM "${table.dataset.name}") TO '${file}' (FORMAT csv, HEADER)`);
}

/** Rows of our file whose every value is the one that DuckDB has. */
async function equalRows(duckdb: DuckDBConnection, table: Table, file: string): Promise<number> {
  const equal = table.dataset.columns.map(({ name }) => `ours."${name}" IS NOT DISTINCT FROM theirs."${name}"`);
  const types = table.dataset.columns.map(({ name, type }) => {
    const sqlType = type === 'number' ? 'DOUBLE' : name === 'datetimeUTC' ? 'TIMESTAMP' : 'VARCHAR';
    return `'${name}': '${sqlType}'`;
  });
  const sql = `SELECT count(*) FROM read_csv('${file}', header = true, columns = {${types.join()}}) ours
    JOIN "${table.dataset.name}" theirs USING (symbol) WHERE ${equal.join(' AND ')}`;
  const [[count] = []] = (await duckdb.runAndReadAll(sql)).getRows();
  return Number(count);
}

/** The real server on a store with the same rows, and one download of all of them. */
async function overHttp(log: (text: string) => void, folder: string, file: string) {
  const store = `sqlite:${join(folder, 'tidemark.db')}`;
  await fillStore(store, ASSETS);
  const port = await probePort('127.0.0.1', 0);
  const args = ['serve', '--open', '--tiers', `unlimited: rows=${ASSETS}`, '--store', store, '--port', String(port)];
  const server = await start(tidemark, [...args, '--json'], port);
  try {
    const url = `${server.url}/v1/crypto/ta-cur?format=csv&limit=${ASSETS}`;
    const download = () => promisify(execFile)('curl', ['--silent', '--fail', '--output', file, url]);
    return await timed(log, '**Tidemark, over HTTP**', download);
  } finally {
    await server.stop();
  }
}

async function timed(
  log: (text: string) => void,
  name: string,
  work: () => unknown,
): Promise<{ name: string; millis: number }> {
  const times: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  const millis = times.sort((a, b) => a - b)[RUNS >> 1]!;
  log(`${name}: ${millis.toFixed(0)} ms`);
  return { name, millis };
}

export const exportBench: Bench = {
  name: 'export',
  title: 'Exports',
  async run(log) {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
    try {
      const { 'ta-cur': listing } = buildSnapshot(universe(ASSETS)).tables;
      const duckdb = await loadDuckDB([listing], 1);
      const file = (name: string) => join(folder, `${name}.csv`);
      const contenders = [
        await timed(log, '**Tidemark**, one thread', () => writeOurs(listing, 'datetimeUTC', file('ours'))),
        await timed(log, 'Tidemark, one thread, sorted by price', () => writeOurs(listing, 'price', file('sorted'))),
        await overHttp(log, folder, file('http')),
        await timed(log, 'DuckDB `COPY`, one thread', () => copy(duckdb, listing, file('duckdb'), 1)),
        await timed(log, 'DuckDB `COPY`, two threads', () => copy(duckdb, listing, file('duckdb'), 2)),
      ];
      for (const name of ['ours', 'http']) {
        const equal = await equalRows(duckdb, listing, file(name));
        if (equal !== listing.rows)
          throw new Error(`${equal} of ${listing.rows} rows of ${name} read back as they were`);
      }
      duckdb.closeSync();
      const megabytes = (name: string) => Math.round(statSync(file(name)).size / 1e6);
      return `All ${listing.rows.toLocaleString('en')} rows of the listing, ${listing.columns.length} columns, as CSV into a file: ours rendered anew piece by piece as the service sends them, in the default order and by price; DuckDB ${packageVersion('@duckdb/node-api')} in the order of its table. The median of ${RUNS} runs. Files of ${megabytes('ours')} MB and ${megabytes('duckdb')} MB. Over HTTP it is one request for all rows, which curl writes to a file. DuckDB read our files back and found every value of every row equal to its own.

${comparison(contenders)}`;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
