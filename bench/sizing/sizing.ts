// What a store and a server need, by assets and days: space, memory, and the time of what is done to a store.

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/store/open.ts';
import { freshPostgresUrl } from '../../test/support/postgres.ts';
import { ServerProcess } from '../../test/support/server-process.ts';
import { type Measured, measured, writeCloses } from '../ingest/files.ts';
import { PROGRAM } from '../program.ts';
import { type Bench, duration } from '../report.ts';
import { memoryOf } from './memory.ts';
import { measureServers } from './servers.ts';

const SIZES: readonly (readonly [assets: number, days: number])[] = [
  [1000, 365],
  [1000, 1460],
  [5000, 365],
  [20_000, 365],
];
const HEAD = [
  'assets × days',
  'load',
  'one more day',
  'SQLite',
  'PostgreSQL',
  'backup',
  'its file',
  'restore into SQLite',
  'into PostgreSQL',
  'server ready after',
  'server memory',
];

export const sizingBench: Bench = {
  name: 'sizing',
  page: 'load',
  title: 'Sizing',
  async run(log) {
    const rows: string[] = [];
    for (const [assets, days] of SIZES) {
      rows.push(`| ${(await measureSize(assets, days)).join(' | ')} |`);
      log(rows.at(-1)!);
    }
    return [
      'Closes only, from one CSV file. Each step is a whole run of the program, on one machine with its database.',
      '',
      `| ${HEAD.join(' | ')} |`,
      `|---|${'--:|'.repeat(HEAD.length - 1)}`,
      ...rows,
      '',
      await measureServers(log),
    ].join('\n');
  },
};

async function measureSize(assets: number, days: number): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
  try {
    const path = (name: string) => join(folder, name);
    const [store, restored, inPostgres] = [
      `sqlite:${path('a.db')}`,
      `sqlite:${path('b.db')}`,
      await freshPostgresUrl(),
    ];
    writeCloses(path('all.csv'), assets, days);
    writeCloses(path('day.csv'), assets, 1, days);
    const load = await tidemark('ingest', 'csv', path('all.csv'), '--store', store);
    const day = await tidemark('ingest', 'csv', path('day.csv'), '--store', store);
    const backup = await tidemark('backup', path('backup'), '--store', store);
    const toSqlite = await tidemark('restore', path('backup'), '--store', restored);
    const toPostgres = await tidemark('restore', path('backup'), '--store', inPostgres);
    const server = await measureServer(store);
    return [
      `${count(assets)} × ${count(days)}`,
      duration(load.millis),
      duration(day.millis),
      megabytes(statSync(path('a.db')).size),
      megabytes(await bytesOf(inPostgres)),
      duration(backup.millis),
      megabytes(statSync(path('backup')).size),
      duration(toSqlite.millis),
      duration(toPostgres.millis),
      duration(server.millis),
      megabytes(server.bytes),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function tidemark(...args: readonly string[]): Promise<Measured> {
  return measured(PROGRAM, args);
}

async function bytesOf(url: string): Promise<number> {
  const store = await openStore(url);
  const { bytes } = await store.totals();
  await store.close();
  return bytes;
}

async function measureServer(store: string): Promise<{ millis: number; bytes: number }> {
  const began = performance.now();
  const server = await ServerProcess.start('--open', '--store', store);
  try {
    const millis = performance.now() - began;
    for (let asked = 0; asked < 100; asked++) {
      await (await fetch(`${server.url}/v1/crypto/ta-cur?limit=100`)).text();
    }
    return { millis, bytes: memoryOf(server) };
  } finally {
    await server.stop();
  }
}

function count(value: number): string {
  return value.toLocaleString('en');
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}
