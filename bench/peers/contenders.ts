// The contenders, each set up as its documentation recommends: how it starts on the same rows, and how it is asked.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { COLUMNS } from '../../src/domain/catalogue.ts';
import { probePort } from '../../src/serve/port-claim.ts';
import type { Load } from '../http/wrk.ts';
import { PROGRAM } from '../program.ts';
import { pythonTool } from './python-tools.ts';
import type { PeerQuestion } from './questions.ts';
import { PeerServer } from './server.ts';

export type Row = Readonly<Record<string, string | number | null>>;

/** The same rows in every form that a contender reads. */
export interface PeerData {
  readonly store: string;
  readonly key: string;
  readonly sqlite: string;
  readonly parquet: string;
}

export type Asked = Pick<Load, 'paths' | 'bodies' | 'headers'>;

export interface Contender {
  readonly name: string;
  start(data: PeerData): Promise<PeerServer>;
  /** Requests for these questions. */
  ask(questions: readonly PeerQuestion[], data: PeerData): Asked;
  /** The rows of a response. */
  rows(response: unknown): readonly Row[];
}

const LISTING = '/v1/crypto/ta-cur';
const UNLIMITED = 'unlimited: rate=1000000 burst=1000000 quota=2000000000';
const DATASETTE = '0.65.5';
const ROAPI = '0.12.7';

export const OURS = 'Tidemark';

/** Rows of an array, which is how both peers answer. */
const asArray = (response: unknown) => response as readonly Row[]; // compared with ours before anything is measured

export function ours(name: string, ...flags: readonly string[]): Contender {
  return {
    name,
    async start({ store }) {
      const port = await probePort('127.0.0.1', 0);
      const args = ['serve', '--store', store, '--port', String(port), '--tiers', UNLIMITED, ...flags];
      return PeerServer.start([PROGRAM, ...args], port, '/readyz');
    },
    ask: (questions, { key }) => ({
      paths: questions.map(({ query }) => `${LISTING}?${query}`),
      headers: { 'X-API-Key': key },
    }),
    rows: response => (response as { result: readonly Row[] }).result, // the envelope of the listing
  };
}

function datasette(program: string): Contender {
  return {
    name: `Datasette ${DATASETTE}`,
    async start({ sqlite }) {
      const port = await probePort('127.0.0.1', 0);
      // Immutable, as its page on performance recommends; the limit of one second is for the public web.
      const args = ['serve', '-i', sqlite, '--port', String(port), '--setting', 'sql_time_limit_ms', '60000'];
      return PeerServer.start([program, ...args], port, '/listing.json?sql=select+1');
    },
    ask: questions => ({
      paths: questions.map(({ sql }) => `/listing.json?_shape=array&sql=${encodeURIComponent(sql)}`),
      headers: {},
    }),
    rows: asArray,
  };
}

function roapi(program: string): Contender {
  return {
    name: `ROAPI ${ROAPI}`,
    async start({ parquet }) {
      const port = await probePort('127.0.0.1', 0);
      // A table is held in memory unless the configuration says otherwise.
      const args = ['--addr-http', `127.0.0.1:${port}`, '--table', `listing=${parquet}`];
      return PeerServer.start([program, ...args], port, '/api/tables/listing?limit=1');
    },
    ask: questions => ({ paths: ['/api/sql'], bodies: questions.map(({ sql }) => sql), headers: {} }),
    rows: asArray,
  };
}

export interface Absent {
  readonly name: string;
  readonly reason: string;
}

/** Those that are on this machine or can be installed, and why the others are not. */
export function peers(): { readonly present: readonly Contender[]; readonly absent: readonly Absent[] } {
  const present: Contender[] = [];
  const absent: Absent[] = [
    { name: 'PostgREST', reason: "no binary of it is in Debian's packages, on npm, on PyPI or on crates.io" },
  ];
  for (const [name, title, version, contender] of [
    ['datasette', 'Datasette', DATASETTE, datasette],
    ['roapi', 'ROAPI', ROAPI, roapi],
  ] as const) {
    const tool = pythonTool(name, version);
    if ('path' in tool) present.push(contender(tool.path));
    else absent.push({ name: title, reason: tool.missing });
  }
  return { present, absent };
}

/** A table with an index per column, in the order in which pages are sorted. */
export function writeSqlite(path: string, rows: readonly Row[]): void {
  const database = new DatabaseSync(path);
  const names = COLUMNS.map(({ name }) => `"${name}"`);
  const columns = COLUMNS.map(({ name, type }) => `"${name}" ${type === 'number' ? 'REAL' : 'TEXT'}`);
  database.exec(`CREATE TABLE listing (${columns.join(', ')}, PRIMARY KEY (symbol)); BEGIN`);
  const insert = database.prepare(`INSERT INTO listing VALUES (${names.map(() => '?').join(', ')})`);
  for (const row of rows) insert.run(...COLUMNS.map(({ name }) => row[name] ?? null));
  for (const name of names)
    database.exec(`CREATE INDEX ${name.replace('"', '"by_')} ON listing (${name} DESC, symbol)`);
  database.exec('COMMIT; ANALYZE; VACUUM');
  database.close();
}

/** Our own export, which ROAPI reads as it is. */
export async function writeParquet(path: string, url: string, key: string): Promise<void> {
  const answer = await fetch(`${url}/v1/crypto/export/ta-cur.parquet`, { headers: { 'x-api-key': key } });
  if (!answer.ok) throw new Error(`the export is answered with ${answer.status}: ${await answer.text()}`);
  writeFileSync(path, Buffer.from(await answer.arrayBuffer()));
}

export function dataIn(folder: string, assets: number, key: string): PeerData {
  const own = join(folder, String(assets));
  return {
    store: `sqlite:${own}.db`,
    key,
    sqlite: join(folder, `${assets}-listing`, 'listing.db'),
    parquet: `${own}.parquet`,
  };
}
