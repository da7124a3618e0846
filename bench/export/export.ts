// Every row of a large listing as CSV, Arrow and Parquet, against DuckDB's COPY of the same rows, each into a file; DuckDB then reads
// ours back and compares every value with its own. Then the full history of many assets, into a folder.

import { execFile } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type Column, isOptional } from '../../src/domain/columns.ts';
import { renderChunks } from '../../src/render/chunks.ts';
import { probePort } from '../../src/serve/port-claim.ts';
import { buildSnapshot } from '../../src/snapshot/build/build.ts';
import type { Table } from '../../src/snapshot/table.ts';
import { start } from '../http/contenders.ts';
import { fillStore } from '../http/store.ts';
import { machine, packageVersion } from '../machine.ts';
import { PROGRAM } from '../program.ts';
import { loadDuckDB } from '../query/duckdb.ts';
import { universe } from '../query/universe.ts';
import { type Bench, type Contender, comparison, duration } from '../report.ts';
import { undisturbed } from '../undisturbed.ts';
import { DAYS, exportHistories, fillHistories, ASSETS as HISTORY_ASSETS, type HistoryFigures } from './history.ts';

const ASSETS = 1_000_000;
/** A server that has just started writes its snapshot to the disk, which takes some seconds. */
const SETTLED_MS = 10_000;

/** The optional ones come after these. */
function defaultColumns(table: Table): readonly Column[] {
  return table.dataset.columns.filter(column => !isOptional(column));
}

function writeOurs(table: Table, sort: string, file: string): void {
  const rows = table.order(table.dataset.columns.findIndex(({ name }) => name === sort))!; // a column that has an order
  const columns = [...defaultColumns(table).keys()];
  const descriptor = openSync(file, 'w');
  for (const chunk of renderChunks({ table, rows, columns }, 'csv')) writeSync(descriptor, chunk);
  closeSync(descriptor);
}

const CSV = 'FORMAT csv, HEADER';
const PARQUET = 'FORMAT parquet, COMPRESSION zstd';

async function copy(duckdb: DuckDBConnection, table: Table, file: string, threads: number, how = CSV): Promise<void> {
  const names = defaultColumns(table)
    .map(({ name }) => `"${name}"`)
    .join();
  await duckdb.run(`SET threads = ${threads}`);
  await duckdb.run(`COPY (SELECT ${names} FROM "${table.dataset.name}") TO '${file}' (${how})`);
}

/** Rows of our file whose every value is the one that DuckDB has. */
async function equalRows(duckdb: DuckDBConnection, table: Table, file: string): Promise<number> {
  const isParquet = file.endsWith('.parquet');
  const equal = defaultColumns(table).map(({ name }) => `ours."${name}" IS NOT DISTINCT FROM theirs."${name}"`);
  const types = defaultColumns(table).map(({ name, type }) => {
    const sqlType = type === 'number' ? 'DOUBLE' : name === 'datetimeUTC' ? 'TIMESTAMP' : 'VARCHAR';
    return `'${name}': '${sqlType}'`;
  });
  const read = isParquet
    ? `(SELECT * REPLACE (make_timestamp(epoch_us("datetimeUTC")) AS "datetimeUTC") FROM '${file}')`
    : `read_csv('${file}', header = true, columns = {${types.join()}})`;
  const sql = `SELECT count(*) FROM ${read} ours
    JOIN "${table.dataset.name}" theirs USING (symbol) WHERE ${equal.join(' AND ')}`;
  const [[count] = []] = (await duckdb.runAndReadAll(sql)).getRows();
  return Number(count);
}

/** The real server on a store with the same rows, and downloads of all of them. */
async function overHttp(
  log: (text: string) => void,
  folder: string,
  file: (name: string, extension?: string) => string,
) {
  const store = `sqlite:${join(folder, 'tidemark.db')}`;
  await fillStore(store, ASSETS);
  const kept = join(folder, 'exports');
  const served = async <T>(
    use: (download: (path: string, to: string) => Promise<unknown>) => Promise<T>,
  ): Promise<T> => {
    const port = await probePort('127.0.0.1', 0);
    const args = ['serve', '--open', '--tiers', `unlimited: rows=${ASSETS}`, '--store', store, '--exports', kept];
    const server = await start(PROGRAM, [...args, '--port', String(port), '--json'], port);
    try {
      await wait(SETTLED_MS);
      const url = (path: string) => `${server.url}/v1/crypto/${path}`;
      return await use((path, to) =>
        promisify(execFile)('curl', ['--silent', '--fail', '--location', '--output', to, url(path)]),
      );
    } finally {
      await server.stop();
    }
  };
  const [path, to] = ['export/ta-cur.parquet', file('http', 'parquet')];
  const first = '**Tidemark, Parquet over HTTP**, first request';
  // Each time by a server without a kept file.
  const made = await undisturbed(() => {
    rmSync(kept, { recursive: true, force: true });
    return served(download => once(log, first, () => download(path, to)));
  });
  return served(async download => {
    const listed = (format: string, extension?: string) => () =>
      download(`ta-cur?format=${format}&limit=${ASSETS}`, file('http', extension));
    return {
      csv: await timed(log, '**Tidemark, CSV over HTTP**', listed('csv')),
      arrow: await timed(log, '**Tidemark, Arrow over HTTP**', listed('arrow', 'arrows')),
      made,
      kept: await timed(log, 'Tidemark, Parquet over HTTP, later requests', () => download(path, to)),
    };
  });
}

function timed(log: (text: string) => void, name: string, work: () => unknown): Promise<Contender> {
  return undisturbed(() => once(log, name, work));
}

async function once(log: (text: string) => void, name: string, work: () => unknown): Promise<Contender> {
  const began = performance.now();
  await work();
  const millis = performance.now() - began;
  log(`${name}: ${millis.toFixed(0)} ms`);
  return { name, millis };
}

const REPORT = new URL('../../docs/reports/export.json', import.meta.url);

export const exportBench: Bench = {
  name: 'export',
  page: 'main',
  title: 'Exports',
  async run(log) {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
    try {
      const listing = await listingSection(log, folder);
      const figures = await historyFigures(log, folder);
      const table = historySection(figures);
      writeFileSync(REPORT, `${JSON.stringify({ figures, table: `${table}\n\n${machine()}` }, null, 2)}\n`);
      return `${listing}\n\n${table}`;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function listingSection(log: (text: string) => void, folder: string): Promise<string> {
  const { 'ta-cur': listing } = buildSnapshot(universe(ASSETS)).tables;
  const duckdb = await loadDuckDB([listing], 1);
  const file = (name: string, extension = 'csv') => join(folder, `${name}.${extension}`);
  const http = await overHttp(log, folder, file);
  const contenders = [
    await timed(log, '**Tidemark**, one thread', () => writeOurs(listing, 'datetimeUTC', file('ours'))),
    await timed(log, 'Tidemark, one thread, sorted by price', () => writeOurs(listing, 'price', file('sorted'))),
    await timed(log, 'DuckDB `COPY`, one thread', () => copy(duckdb, listing, file('duckdb'), 1)),
    await timed(log, 'DuckDB `COPY`, two threads', () => copy(duckdb, listing, file('duckdb'), 2)),
    http.csv,
    http.arrow,
  ];
  const parquet = [
    http.made,
    http.kept,
    await timed(log, 'DuckDB `COPY`, one thread', () => copy(duckdb, listing, file('duckdb', 'parquet'), 1, PARQUET)),
    await timed(log, 'DuckDB `COPY`, two threads', () => copy(duckdb, listing, file('duckdb', 'parquet'), 2, PARQUET)),
  ];
  for (const name of [file('ours'), file('http'), file('http', 'parquet')]) {
    const equal = await equalRows(duckdb, listing, name);
    if (equal !== listing.rows) throw new Error(`${equal} of ${listing.rows} rows of ${name} read back as they were`);
  }
  duckdb.closeSync();
  const megabytes = (...name: [string, string?]) => Math.round(statSync(file(...name)).size / 1e6);
  return `All ${listing.rows.toLocaleString('en')} rows of the listing, ${defaultColumns(listing).length} columns, as CSV into a file: ours rendered anew piece by piece as the service sends them, in the default order and by price; DuckDB ${packageVersion('@duckdb/node-api')} in the order of its table. One run each. Files of ${megabytes('ours')} MB and ${megabytes('duckdb')} MB. Over HTTP it is one request for all rows, which curl writes to a file. DuckDB read our files back and found every value of every row equal to its own.

${comparison(contenders)}

The same rows as Parquet with ZSTD, files of ${megabytes('http', 'parquet')} MB and ${megabytes('duckdb', 'parquet')} MB. The first request after a publication waits until the file is made by a thread of its own; later ones get the kept file. The server has run for ${SETTLED_MS / 1000} s: just after its start it keeps its snapshot on the disk, which needs the same cores.

${comparison(parquet)}`;
}

async function historyFigures(log: (text: string) => void, folder: string): Promise<HistoryFigures[]> {
  const url = `sqlite:${join(folder, 'histories.db')}`;
  await fillHistories(url);
  const figures: HistoryFigures[] = [];
  for (const dataset of ['ta-hist', 'bars']) {
    const out = join(folder, dataset);
    const found = await undisturbed(() => {
      rmSync(out, { recursive: true, force: true });
      return exportHistories(url, dataset, out);
    });
    rmSync(out, { recursive: true });
    log(`${dataset}: ${duration(found.millis)}, ${found.megabytesPerSecondAndCore.toFixed(0)} MB/s per core`);
    figures.push(found);
  }
  return figures;
}

function historySection(figures: readonly HistoryFigures[]): string {
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(2)} GB`;
  const rows = figures.map(({ dataset, rows: count, valueBytes, fileBytes, millis, ...rest }) => {
    const { megabytesPerSecondAndCore, peakBytes } = rest;
    const cells = [`\`${dataset}\``, count.toLocaleString('en'), gigabytes(valueBytes), gigabytes(fileBytes)];
    const rates = [duration(millis), megabytesPerSecondAndCore.toFixed(0), `${Math.round(peakBytes / 1e6)} MB`];
    return `| ${[...cells, ...rates].join(' | ')} |`;
  });
  return `The full history of ${HISTORY_ASSETS.toLocaleString('en')} assets with ${DAYS.toLocaleString('en')} days each, from SQLite into a folder of Parquet files by \`tidemark export\`, with one thread per core, from the start of the process to its end. Values are 8 bytes for each number and time that is not null. DuckDB counted the rows and the values.

| dataset | rows | values | files | time | MB of values per second and core | peak memory |
|---|--:|--:|--:|--:|--:|--:|
${rows.join('\n')}`;
}
