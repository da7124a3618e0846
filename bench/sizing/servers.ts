// What more servers cost the database they share, and how soon all of them have what is new.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type Day, isoFromDay } from '../../src/domain/day.ts';
import { freshPostgresUrl } from '../../test/support/postgres.ts';
import { ServerProcess, tidemark } from '../../test/support/server-process.ts';
import { FIRST_DAY, writeCloses } from '../ingest/files.ts';
import { duration } from '../report.ts';

const ASSETS = 5000;
const DAYS = 400;
const SERVERS = [1, 4, 8];
/** Long enough for the work that is done once a second and once in fifteen. */
const SETTLED_MS = 10_000;
const IDLE_MS = 15_000;
const ROUNDS = 5;

export async function measureServers(log: (text: string) => void): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
  const url = await freshPostgresUrl();
  const client = await connect(url);
  try {
    const path = join(folder, 'closes.csv');
    const load = () => tidemark('ingest', 'csv', path, '--store', url);
    writeCloses(path, ASSETS, DAYS);
    await load();
    const rows: string[] = [];
    let close = 1000;
    const loadAnotherClose = () => {
      writeFileSync(path, `symbol,day,close\nS0,${isoFromDay((FIRST_DAY + DAYS - 1) as Day)},${close++}\n`); // a whole number
      return load();
    };
    await setAutovacuum(client, 'off');
    for (const count of SERVERS) {
      const servers = await Promise.all(
        Array.from({ length: count }, () => ServerProcess.start('--open', '--store', url, '--workers', '1')),
      );
      try {
        // What a start takes is not what an idle server takes.
        await wait(SETTLED_MS);
        const idle = await idleCost(client);
        const delays: number[] = [];
        for (let round = 0; round < ROUNDS; round++) delays.push(await delay(url, servers, loadAnotherClose));
        delays.sort((a, b) => a - b);
        rows.push(
          `| ${count} | ${idle.connections} | ${(idle.perSecond / count).toFixed(1)} | ${duration(delays[ROUNDS >> 1]!)} | ${duration(delays.at(-1)!)} |`,
        );
        log(rows.at(-1)!);
      } finally {
        await Promise.all(servers.map(server => server.stop()));
      }
    }
    return [
      `Servers of one thread each that share one PostgreSQL with ${ASSETS.toLocaleString('en')} assets, all on one machine. Another close of the last day is loaded by another process; the delay is from the commit of the load until the answers of every server have it, the median and the longest of ${ROUNDS}. Autovacuum is off: its transactions would be counted with those of the servers.`,
      '',
      '| servers | connections to the database | transactions per second and server, idle | new close in all answers after | at the latest |',
      '|--:|--:|--:|--:|--:|',
      ...rows,
    ].join('\n');
  } finally {
    await setAutovacuum(client, 'on');
    await client.end();
    rmSync(folder, { recursive: true });
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}

/** Of a statement that gives one row with one number. */
async function numberOf(client: pg.Client, text: string): Promise<number> {
  const { rows } = await client.query<[number], []>({ text, rowMode: 'array' });
  return Number(rows[0]![0]);
}

/** Without autovacuum, whose transactions are counted like those of clients and come in a burst once per minute. */
async function setAutovacuum(client: pg.Client, value: 'on' | 'off'): Promise<void> {
  await client.query(`ALTER SYSTEM SET autovacuum = ${value}`);
  await client.query('SELECT pg_reload_conf()');
}

async function idleCost(client: pg.Client): Promise<{ connections: number; perSecond: number }> {
  // The database counts with a delay of up to a second.
  const transactions = async () => {
    await wait(1500);
    return numberOf(client, 'SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()');
  };
  const before = await transactions();
  await wait(IDLE_MS);
  const after = await transactions();
  const connections = await numberOf(
    client,
    'SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  return { connections, perSecond: ((after - before) * 1000) / (IDLE_MS + 1500) };
}

async function versionOf({ url }: ServerProcess): Promise<number> {
  const answer = await fetch(`${url}/v1/crypto/ta-cur?limit=1`);
  await answer.arrayBuffer();
  return Number(answer.headers.get('x-data-version'));
}

/** Milliseconds from the commit until every server has it. */
async function delay(url: string, servers: readonly ServerProcess[], load: () => Promise<unknown>): Promise<number> {
  const client = await connect(url);
  const stored = () => numberOf(client, 'SELECT version FROM tidemark.meta');
  const before = await stored();
  const loading = load();
  let version = before;
  while (version === before) version = await stored();
  const committed = performance.now();
  const seen = servers.map(async server => {
    while ((await versionOf(server)) < version) await wait(2);
    return performance.now() - committed;
  });
  const delays = await Promise.all(seen);
  await loading;
  // What an open connection has asked, here thousands of times, would be counted up to ten seconds later.
  await client.end();
  return Math.max(...delays);
}
