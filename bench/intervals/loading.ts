// Loading minutes into both stores, against the loaders that the databases bring, and the bytes that a bar takes.

import { spawnSync } from 'node:child_process';
import { createReadStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { zstdCompressSync } from 'node:zlib';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import { BLOCK_DAYS } from '../../src/store/bars/blocks.ts';
import { SERIES } from '../../src/store/postgres/series-layout.ts';
import { freshPostgresUrl, runSql } from '../../test/support/postgres.ts';
import { type Measured, measured } from '../ingest/files.ts';
import { PROGRAM } from '../program.ts';
import { duration } from '../report.ts';
import { undisturbed } from '../undisturbed.ts';
import { type BarFile, writeBars } from './files.ts';
import { KEEP_ALL } from './new-minutes.ts';

/** Five weeks of each asset. */
const MINUTES_EACH = 50_000;
const DAYS_EACH = 730;
const NUMBERS = 'open, high, low, close, volume';
const GOAL_BYTES = 48;
/** Rows that are compressed as a sample. */
const SAMPLE = 2000;

interface Loaded {
  readonly name: string;
  readonly bars: number;
  readonly measured: Measured;
  /** Of the table with its key; null if it is not measured. */
  readonly bytes: number | null;
}

export async function measureLoading(folder: string, bars: number, log: (text: string) => void): Promise<string> {
  if (spawnSync('sqlite3', ['--version']).error) throw new Error('needs the sqlite3 shell: apt-get install sqlite3');
  const each = Math.min(MINUTES_EACH, bars);
  const minutes: BarFile = { assets: Math.max(1, Math.round(bars / each)), bars: each, unit: 'minute' };
  const days: BarFile = { assets: Math.max(1, Math.round(bars / 10 / DAYS_EACH)), bars: DAYS_EACH, unit: 'day' };
  let files = 0;
  const fresh = (ending: string) => join(folder, `${files++}.${ending}`);
  /** One file at a time is on the disk. */
  const withFile = async <T>(facts: BarFile, work: (path: string) => Promise<T>): Promise<T> => {
    const path = fresh('csv');
    try {
      log(`${writeBars(path, facts)} bars written to a file`);
      return await work(path);
    } finally {
      rmSync(path, { force: true });
    }
  };
  const database = async <T>(work: (path: string) => Promise<T>): Promise<T> => {
    const path = fresh('db');
    try {
      return await work(path);
    } finally {
      removeDatabase(path);
    }
  };
  const wanted = minutes.assets * minutes.bars;
  let compressed = 0;

  const [shell, sqlite, copy, postgres] = await withFile(minutes, async path => [
    await database(async db => ({
      name: 'sqlite3 shell, `.import`, text keys',
      bars: wanted,
      measured: await undisturbed(() => sqliteShell(path, db, 'symbol TEXT, time TEXT')),
      bytes: tableBytes(db, 'bars'),
    })),
    await database(async db => {
      const found = await undisturbed(() => ingestAnew(path, '1m', db));
      compressed = compressedShare(db);
      return { name: '**Tidemark, SQLite**', bars: wanted, measured: found, bytes: tableBytes(db, 'blocks_1m') };
    }),
    await plainCopy('PostgreSQL, `COPY`, text keys', path, wanted, 'symbol text, time timestamptz'),
    await intoPostgres(path, wanted),
  ]);
  log('minutes loaded');
  const [shellNumbers, copyNumbers] = await withFile({ ...minutes, numbers: true }, async path => [
    await database(async db => ({
      name: 'sqlite3 shell, `.import`, whole-number keys',
      bars: wanted,
      measured: await undisturbed(() => sqliteShell(path, db, 'symbol INTEGER, time INTEGER')),
      bytes: tableBytes(db, 'bars'),
    })),
    await plainCopy('PostgreSQL, `COPY`, whole-number keys', path, wanted, 'symbol integer, time integer'),
  ]);
  const daily = await withFile(days, path =>
    database(async db => ({
      name: 'Tidemark, SQLite, days',
      bars: days.assets * days.bars,
      measured: await undisturbed(() => ingestAnew(path, '1d', db)),
      bytes: null,
    })),
  );
  const [bestShell, bestCopy] = [Math.max(rate(shell), rate(shellNumbers)), Math.max(rate(copy), rate(copyNumbers))];
  return [
    `${wanted.toLocaleString('en')} bars of a minute with five numbers (${minutes.assets.toLocaleString('en')} assets × ${each.toLocaleString('en')}) from one CSV file. Ours are whole runs of the program: start, parse, validate, store, make the hours and days, compute every indicator, publish. The databases’ own loaders store the same rows under a primary key and do nothing else. The bytes are those of the table with its key.`,
    '',
    '| what | bars | time | bars/s | rate against the faster of the database’s own | peak memory | bytes per bar |\n|---|--:|--:|--:|--:|--:|--:|',
    row(shell, bestShell),
    row(shellNumbers, bestShell),
    row(sqlite, bestShell),
    row(daily, bestShell),
    row(copy, bestCopy),
    row(copyNumbers, bestCopy),
    row(postgres, bestCopy),
    '',
    `The goal in SQLite is at most ${GOAL_BYTES} bytes per bar. The first ${SAMPLE.toLocaleString('en')} rows of the table, of up to ${BLOCK_DAYS} bars each, take **${(100 * compressed).toFixed(0)} %** of their bytes if each is compressed by itself with Zstandard.`,
  ].join('\n');
}

export function ingest(file: string, interval: '1m' | '1d', store: string): Promise<Measured> {
  return measured(PROGRAM, ['ingest', 'csv', file, '--interval', interval, ...KEEP_ALL, '--store', store]);
}

/** Into an empty store: a repeated measurement begins anew. */
function ingestAnew(file: string, interval: '1m' | '1d', database: string): Promise<Measured> {
  removeDatabase(database);
  return ingest(file, interval, `sqlite:${database}`);
}

function removeDatabase(path: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
}

/** The same rows, under the same kind of key, with nothing checked. */
function sqliteShell(file: string, database: string, keys: string): Promise<Measured> {
  removeDatabase(database);
  const numbers = NUMBERS.replaceAll(/\w+/g, name => `${name} REAL`);
  // The shell takes its own commands at the start of a line only.
  const script = [
    'PRAGMA journal_mode = WAL;',
    `CREATE TABLE bars (${keys}, ${numbers}, PRIMARY KEY (symbol, time)) WITHOUT ROWID;`,
    'BEGIN;',
    `.import --csv --skip 1 ${file} bars`,
    'COMMIT;',
  ].join('\n');
  return measured('sqlite3', [database], script);
}

export function tableBytes(database: string, table: string): number {
  const { stdout } = spawnSync('sqlite3', [database, `SELECT sum(pgsize) FROM dbstat WHERE name = '${table}'`]);
  return Number(String(stdout));
}

/** What compression would leave of the blocks of minutes. */
function compressedShare(database: string): number {
  const db = new DatabaseSync(database, { readOnly: true });
  try {
    let [plain, small] = [0, 0];
    for (const { data } of db.prepare(`SELECT data FROM blocks_1m LIMIT ${SAMPLE}`).iterate()) {
      if (!(data instanceof Uint8Array)) throw new Error('a block of minutes is not a blob');
      plain += data.length;
      small += zstdCompressSync(data).length;
    }
    return small / plain;
  } finally {
    db.close();
  }
}

async function plainCopy(name: string, file: string, bars: number, keys: string): Promise<Loaded> {
  let url = '';
  const found = await undisturbed(async () => {
    url = await freshPostgresUrl();
    const client = new pg.Client(url);
    await client.connect();
    const numbers = NUMBERS.replaceAll(/\w+/g, column => `${column} double precision`);
    await client.query(`CREATE TABLE plain (${keys}, ${numbers}, PRIMARY KEY (symbol, time))`);
    const began = performance.now();
    await pipeline(createReadStream(file), client.query(from('COPY plain FROM STDIN WITH (FORMAT csv, HEADER)')));
    const millis = performance.now() - began;
    await client.end();
    return { millis, peakBytes: 0 };
  });
  return { name, bars, measured: found, bytes: await relationBytes(url, 'plain') };
}

async function intoPostgres(file: string, bars: number): Promise<Loaded> {
  let url = '';
  const found = await undisturbed(async () => {
    url = await freshPostgresUrl();
    return ingest(file, '1m', url);
  });
  return {
    name: '**Tidemark, PostgreSQL**',
    bars,
    measured: found,
    bytes: await relationBytes(url, SERIES['1m'].blocks),
  };
}

async function relationBytes(url: string, table: string): Promise<number> {
  const [found] = await runSql<{ bytes: string }>(url, `SELECT pg_total_relation_size('${table}') AS bytes`);
  return Number(found?.bytes);
}

function rate({ bars, measured: { millis } }: Loaded): number {
  return bars / (millis / 1000);
}

function row(loaded: Loaded, reference: number): string {
  const { name, bars, measured: found, bytes } = loaded;
  const memory = found.peakBytes === 0 ? '' : `${Math.round(found.peakBytes / 1e6)} MB`;
  const perBar = bytes === null ? '' : (bytes / bars).toFixed(1);
  const rates = `${Math.round(rate(loaded)).toLocaleString('en')} | ${(rate(loaded) / reference).toFixed(2)}`;
  return `| ${name} | ${bars.toLocaleString('en')} | ${duration(found.millis)} | ${rates} | ${memory} | ${perBar} |`;
}
