// Loading CSV files into both stores, against the loaders that the databases bring; and the step of every day.

import { spawnSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import { CLOSES_PER_ROW } from '../../src/domain/row-needs.ts';
import { freshPostgresUrl } from '../../test/support/postgres.ts';
import { PROGRAM } from '../program.ts';
import { type Bench, duration } from '../report.ts';
import { undisturbed } from '../undisturbed.ts';
import { type Measured, measured, writeCloses } from './files.ts';
import { sourcesTable } from './sources.ts';

const LOAD = { assets: 5_000, days: 730 };
const DAILY = { assets: 50_000, days: CLOSES_PER_ROW };

function ingest(file: string, store: string): Promise<Measured> {
  return measured(PROGRAM, ['ingest', 'csv', file, '--store', store]);
}

interface KeyTypes {
  readonly name: string;
  readonly sqlite: string;
  readonly postgres: string;
}

/** The keys as the file has them, and as our tables have them. */
const TEXT_KEYS: KeyTypes = { name: 'text keys', sqlite: 'symbol TEXT, day TEXT', postgres: 'symbol text, day date' };
const NUMBER_KEYS: KeyTypes = {
  name: 'whole-number keys',
  sqlite: 'symbol INTEGER, day INTEGER',
  postgres: 'symbol integer, day integer',
};

/** The database's own shell: the same rows, under the same kind of key, with nothing checked. */
async function sqliteShell(file: string, database: string, keys: KeyTypes): Promise<Measured> {
  // The shell takes its own commands at the start of a line only.
  const script = [
    'PRAGMA journal_mode = WAL;',
    `CREATE TABLE bars (${keys.sqlite}, close REAL, PRIMARY KEY (symbol, day)) WITHOUT ROWID;`,
    'BEGIN;',
    `.import --csv --skip 1 ${file} bars`,
    'COMMIT;',
  ].join('\n');
  return measured('sqlite3', [database], script);
}

async function plainCopy(file: string, url: string, keys: KeyTypes): Promise<Measured> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`CREATE TABLE plain (${keys.postgres}, close double precision, PRIMARY KEY (symbol, day))`);
  const began = performance.now();
  await pipeline(createReadStream(file), client.query(from('COPY plain FROM STDIN WITH (FORMAT csv, HEADER)')));
  const millis = performance.now() - began;
  await client.end();
  return { millis, peakBytes: 0 };
}

function row(name: string, rows: number, { millis, peakBytes }: Measured, reference: number): string {
  const rate = Math.round(rows / (millis / 1000)).toLocaleString('en');
  const memory = peakBytes === 0 ? '' : `${Math.round(peakBytes / 1e6)} MB`;
  return `| ${name} | ${duration(millis)} | ${rate} | ${(reference / millis).toFixed(2)} | ${memory} |`;
}

const HEAD =
  '| what | time | bars/s | rate against the faster of the database’s own | peak memory |\n|---|--:|--:|--:|--:|';

export const ingestBench: Bench = {
  name: 'ingest',
  page: 'main',
  title: 'Loading',
  async run(log) {
    if (spawnSync('sqlite3', ['--version']).error) throw new Error('needs the sqlite3 shell: apt-get install sqlite3');
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
    try {
      const file = join(folder, 'closes.csv');
      const bars = writeCloses(file, LOAD.assets, LOAD.days);
      log(`${bars} bars written to a file`);
      const numbers = join(folder, 'numbers.csv');
      writeCloses(numbers, LOAD.assets, LOAD.days, 0, true);
      let databases = 0;
      const fresh = () => join(folder, `${databases++}.db`);
      const shellText = await undisturbed(() => sqliteShell(file, fresh(), TEXT_KEYS));
      const shellNumbers = await undisturbed(() => sqliteShell(numbers, fresh(), NUMBER_KEYS));
      let sqlite = '';
      const first = await undisturbed(() => {
        sqlite = `sqlite:${fresh()}`;
        return ingest(file, sqlite);
      });
      const again = await undisturbed(() => ingest(file, sqlite));
      log('SQLite done');
      const copyText = await undisturbed(async () => plainCopy(file, await freshPostgresUrl(), TEXT_KEYS));
      const copyNumbers = await undisturbed(async () => plainCopy(numbers, await freshPostgresUrl(), NUMBER_KEYS));
      let url = '';
      const intoPostgres = await undisturbed(async () => {
        url = await freshPostgresUrl();
        return ingest(file, url);
      });
      const againPostgres = await undisturbed(() => ingest(file, url));
      log('PostgreSQL done');
      const shell = Math.min(shellText.millis, shellNumbers.millis);
      const copy = Math.min(copyText.millis, copyNumbers.millis);
      const daily = await dailyStep(folder, log);
      const sources = await sourcesTable(folder, log);
      return [
        `${bars.toLocaleString('en')} bars (${LOAD.assets.toLocaleString('en')} assets × ${LOAD.days} days) from one CSV file. Ours are whole runs of the program: start, parse, validate, store, compute every indicator, publish. The databases’ own loaders store the same rows of three columns under a primary key and do nothing else: once with the keys that the file has, once with a file of whole numbers, which are the keys of our tables. PostgreSQL has 512 MB of \`shared_buffers\` and does not wait for its disk.`,
        HEAD,
        row(`sqlite3 shell, \`.import\`, ${TEXT_KEYS.name}`, bars, shellText, shell),
        row(`sqlite3 shell, \`.import\`, ${NUMBER_KEYS.name}`, bars, shellNumbers, shell),
        row('**Tidemark, SQLite**', bars, first, shell),
        row('Tidemark, SQLite, the same file again', bars, again, shell),
        row(`PostgreSQL, \`COPY\`, ${TEXT_KEYS.name}`, bars, copyText, copy),
        row(`PostgreSQL, \`COPY\`, ${NUMBER_KEYS.name}`, bars, copyNumbers, copy),
        row('**Tidemark, PostgreSQL**', bars, intoPostgres, copy),
        row('Tidemark, PostgreSQL, the same file again', bars, againPostgres, copy),
        '',
        daily,
        '',
        sources,
      ].join('\n');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** One new close for every asset of a large store. */
async function dailyStep(folder: string, log: (text: string) => void): Promise<string> {
  const { assets, days } = DAILY;
  const store = `sqlite:${join(folder, 'daily.db')}`;
  const past = join(folder, 'past.csv');
  const today = join(folder, 'today.csv');
  writeCloses(past, assets, days);
  writeCloses(today, assets, 1, days);
  const history = await ingest(past, store);
  log(`history of the daily step loaded in ${duration(history.millis)}`);
  const step = await ingest(today, store);
  const size = `${assets.toLocaleString('en')} assets with ${days} closes each`;
  return (
    `The step of every day, SQLite: one new close for each of ${size}, stored, recomputed and published in ` +
    `**${duration(step.millis)}**, the start of the program included (peak memory ${Math.round(step.peakBytes / 1e6)} MB; ` +
    `loading the ${(assets * days).toLocaleString('en')} closes before it took ${duration(history.millis)} and ` +
    `${Math.round(history.peakBytes / 1e6)} MB).`
  );
}
