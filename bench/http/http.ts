// Benchmark of pages over HTTP: Tidemark, a bare node:http server that only sends ready bytes, and Fastify on two databases.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashOf, newApiKey } from '../../src/domain/api-key.ts';
import { probePort } from '../../src/serve/port-claim.ts';
import { openStore } from '../../src/store/open.ts';
import { freshPostgresUrl } from '../../test/support/postgres.ts';
import { packageVersion } from '../machine.ts';
import { writePlot } from '../plot.ts';
import { PROGRAM } from '../program.ts';
import type { Bench } from '../report.ts';
import { undisturbed } from '../undisturbed.ts';
import { bareServer, fillDuckDB, fillPostgres, type Running, sqlServer, start } from './contenders.ts';
import { REPEATED, rotation } from './questions.ts';
import { fillStore } from './store.ts';
import { load, type Measured, requireWrk } from './wrk.ts';

const ASSETS = 10_000;
const CONNECTIONS = 32;
const SECONDS = 3;
/** Of the same before it is measured: until the engine has compiled what is run most. */
const WARM_UP_SECONDS = 8;
/** Rounds through all contenders; the best of each counts, because a neighbour on the machine can only slow one down. */
const ROUNDS = 2;
const DISTINCT = 1000;
const LISTING = '/v1/crypto/ta-cur';
const UNLIMITED = 'unlimited: rate=1000000 burst=1000000 quota=2000000000';

interface Case {
  readonly name: string;
  readonly paths: readonly string[];
}

const CASES: readonly Case[] = [5, 100].flatMap(limit => [
  { name: `${limit} rows, one question repeated`, paths: [`${LISTING}?limit=${limit}&${REPEATED}`] },
  {
    name: `${limit} rows, ${DISTINCT.toLocaleString('en')} questions in rotation`,
    paths: rotation(DISTINCT).map(query => `${LISTING}?limit=${limit}&${query}`),
  },
]);

/** Each contender's best in each case. */
type Results = Map<string, Map<Case, Measured>>;

export const httpBench: Bench = {
  name: 'http',
  page: 'main',
  title: 'Pages over HTTP',
  async run(log) {
    requireWrk();
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-http-'));
    try {
      const threads = availableParallelism();
      const fixture = await prepare(folder, log);
      const results: Results = new Map();
      for (let round = 0; round < ROUNDS; round++) {
        for (const [name, begin] of Object.entries(contenders(fixture, threads))) {
          const running = await begin();
          try {
            for (const aCase of CASES) note(results, name, aCase, await measure(folder, running, aCase, fixture.key));
          } finally {
            await running.stop();
          }
          log(`round ${round + 1}: ${name} done`);
        }
      }
      return report(results, threads);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

interface Fixture {
  readonly folder: string;
  readonly store: string;
  readonly postgres: string;
  readonly duckdb: string;
  readonly answers: string;
  readonly key: string;
}

/** Fills the store and both databases with the same rows, and keeps our answers for the bare server. */
async function prepare(folder: string, log: (text: string) => void): Promise<Fixture> {
  const store = `sqlite:${join(folder, 'tidemark.db')}`;
  await fillStore(store, ASSETS);
  const key = newApiKey();
  const opened = await openStore(store);
  await opened.createKey({ id: 'key_bench', hash: hashOf(key), tier: 'unlimited', name: null, expires: null });
  await opened.close();
  const fixture = {
    ...{ folder, store, key },
    postgres: await freshPostgresUrl(),
    duckdb: join(folder, 'listing.duckdb'),
    answers: join(folder, 'answers.json'),
  };
  const ours = await startOurs(fixture, 1);
  try {
    const rows = await allRows(ours, key);
    log(`${rows.length.toLocaleString('en')} rows`);
    await fillPostgres(fixture.postgres, rows);
    await fillDuckDB(fixture.duckdb, rows);
    writeFileSync(fixture.answers, JSON.stringify(await readyAnswers(ours, key)));
  } finally {
    await ours.stop();
  }
  return fixture;
}

async function startOurs({ store }: Pick<Fixture, 'store'>, threads: number): Promise<Running> {
  const port = await probePort('127.0.0.1', 0);
  const args = ['serve', '--store', store, '--port', String(port), '--workers', String(threads), '--tiers', UNLIMITED];
  return start(PROGRAM, [...args, '--json'], port);
}

function contenders(fixture: Fixture, threads: number): Record<string, () => Promise<Running>> {
  const onPort = async (script: string, ...args: string[]) => {
    const port = await probePort('127.0.0.1', 0);
    return start(process.execPath, [QUIET, script, ...args, String(port), String(threads)], port);
  };
  return {
    [OURS]: () => startOurs(fixture, threads),
    [BARE]: () => onPort(bareServer, fixture.answers),
    'Fastify + PostgreSQL': () => onPort(sqlServer, 'postgres', fixture.postgres),
    'Fastify + DuckDB': () => onPort(sqlServer, 'duckdb', fixture.duckdb),
  };
}

const QUIET = '--disable-warning=ExperimentalWarning';
const OURS = 'Tidemark';
const BARE = 'bare node:http, ready bytes';

type Row = Readonly<Record<string, string | number | null>>;

async function allRows({ url }: Running, key: string): Promise<Row[]> {
  const answer = await fetch(`${url}${LISTING}?limit=100000`, { headers: { 'x-api-key': key } });
  return ((await answer.json()) as { result: Row[] }).result; // the envelope of the listing
}

/** What ours answered to every question: the same headers and the same body, byte for byte. */
async function readyAnswers(
  { url }: Running,
  key: string,
): Promise<Record<string, { headers: string[]; body: string }>> {
  const ready: Record<string, { headers: string[]; body: string }> = {};
  for (const path of CASES.flatMap(aCase => aCase.paths)) {
    const answer = await fetch(`${url}${path}`, { headers: { 'x-api-key': key, 'accept-encoding': 'identity' } });
    if (answer.status !== 200) throw new Error(`${path} is answered with ${answer.status}`);
    const body = Buffer.from(await answer.arrayBuffer()).toString('base64');
    // Node writes these itself.
    const own = new Set(['date', 'connection', 'keep-alive']);
    ready[path] = { headers: [...answer.headers].filter(([name]) => !own.has(name)).flat(), body };
  }
  return ready;
}

async function measure(folder: string, { url }: Running, { paths }: Case, key: string): Promise<Measured> {
  const asked = { url, paths, headers: { 'X-API-Key': key }, connections: CONNECTIONS };
  await load(folder, { ...asked, seconds: WARM_UP_SECONDS });
  return undisturbed(() => load(folder, { ...asked, seconds: SECONDS }));
}

function note(results: Results, name: string, aCase: Case, measured: Measured): void {
  const own = results.get(name) ?? new Map<Case, Measured>();
  results.set(name, own);
  const best = own.get(aCase);
  if (best === undefined || measured.perSecond > best.perSecond) own.set(aCase, measured);
}

function report(results: Results, threads: number): string {
  const ours = results.get(OURS)!;
  const sections = CASES.map(aCase => {
    const rows = [...results].map(([name, own]) => {
      const { perSecond, p99 } = own.get(aCase)!;
      const ratio = ours.get(aCase)!.perSecond / perSecond;
      const named = name === OURS ? `**${name}**` : name;
      return `| ${named} | ${Math.round(perSecond).toLocaleString('en')} | ${p99.toFixed(1)} ms | ${name === OURS ? '' : ratio.toFixed(2)} |`;
    });
    return [
      `### ${aCase.name}`,
      '',
      '| server | answers/s | p99 | ours against it |',
      '|---|--:|--:|--:|',
      ...rows,
    ].join('\n');
  });
  const plot = writePlot('http', {
    title: 'Pages over HTTP',
    subtitle: `answers per second, ${ASSETS.toLocaleString('en')} assets, ${threads} threads, ${CONNECTIONS} connections`,
    bars: CASES.flatMap(aCase =>
      [...results].map(([name, own]) => {
        const value = Math.round(own.get(aCase)!.perSecond);
        return {
          label: `${aCase.name.split(',')[0]} ${aCase.paths.length > 1 ? 'rotating' : 'repeated'}: ${name}`,
          value,
        };
      }),
    ),
  });
  return [
    `${ASSETS.toLocaleString('en')} assets, sorted and filtered pages, ${threads} threads each, ${CONNECTIONS} keep-alive connections from wrk on the same machine (${availableParallelism()} cores), ${SECONDS} s after ${WARM_UP_SECONDS} s of the same, the best of ${ROUNDS} rounds. Ours checks a key and counts it against its limits; the others know no keys. The bare server sends our answers, headers and body, from memory. PostgreSQL has an index for every column; each request is one prepared statement. Fastify ${packageVersion('fastify')}, pg ${packageVersion('pg')}, DuckDB ${packageVersion('@duckdb/node-api')}.`,
    plot,
    ...sections,
  ].join('\n\n');
}
