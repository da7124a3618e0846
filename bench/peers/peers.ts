// The same rows behind other programs that serve tables over HTTP: twenty questions, whose rows are compared before they are timed.

import { deepEqual } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hashOf, newApiKey } from '../../src/domain/api-key.ts';
import { openStore } from '../../src/store/open.ts';
import { fillStore } from '../http/store.ts';
import { load, type Measured, requireWrk } from '../http/wrk.ts';
import type { Bench } from '../report.ts';
import { undisturbed } from '../undisturbed.ts';
import {
  type Contender,
  dataIn,
  OURS,
  ours,
  type PeerData,
  peers,
  type Row,
  writeParquet,
  writeSqlite,
} from './contenders.ts';
import { PEER_QUESTIONS, type PeerQuestion } from './questions.ts';
import { type ContenderResult, reportOf, type SizeResult } from './report.ts';
import type { PeerServer } from './server.ts';

const SIZES = [10_000, 100_000];
const CONNECTIONS = 16;
/** All questions in turn, before anything is measured. */
const WARM_UP_SECONDS = 8;
const ROTATION_SECONDS = 3;
const QUESTION_SECONDS = 1;
/** Below so many answers per second a question is asked for longer. */
const FEW = 10;
const LONGER_SECONDS = 4;

type Log = (text: string) => void;

export const peersBench: Bench = {
  name: 'peers',
  page: 'main',
  title: 'Beside other servers of tables',
  async run(log) {
    requireWrk();
    const { present, absent } = peers();
    for (const { name, reason } of absent) log(`${name} is skipped: ${reason}`);
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-peers-'));
    try {
      const sizes: SizeResult[] = [];
      for (const assets of SIZES) {
        const data = await prepare(folder, assets);
        log(`${assets.toLocaleString('en')} assets are stored`);
        const contenders = [ours(OURS), ours(`${OURS}, no response cache`, '--cache', '0'), ...present];
        sizes.push({ assets, contenders: await measureAll(folder, contenders, data, log) });
      }
      const loads = {
        ...{ connections: CONNECTIONS, rotation: ROTATION_SECONDS },
        ...{ question: QUESTION_SECONDS, slowQuestion: LONGER_SECONDS },
      };
      return reportOf(sizes, absent, loads);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** The rows that our server lists are what the others get. */
async function prepare(folder: string, assets: number): Promise<PeerData> {
  const key = newApiKey();
  const data = dataIn(folder, assets, key);
  await fillStore(data.store, assets);
  const store = await openStore(data.store);
  await store.createKey({ id: 'key_bench', hash: hashOf(key), tier: 'unlimited', name: null, expires: null });
  await store.close();
  const contender = ours(OURS);
  const server = await contender.start(data);
  try {
    const all: PeerQuestion = { about: 'all rows', query: 'limit=100000&sort=symbol&order=asc', sql: '' };
    mkdirSync(dirname(data.sqlite), { recursive: true });
    writeSqlite(data.sqlite, await rowsOf(contender, server, all, data));
    await writeParquet(data.parquet, server.url, key);
  } finally {
    await server.stop();
  }
  return data;
}

async function rowsOf(
  contender: Contender,
  { url }: PeerServer,
  question: PeerQuestion,
  data: PeerData,
): Promise<readonly Row[]> {
  const { paths, bodies, headers } = contender.ask([question], data);
  const sent = bodies === undefined ? {} : { method: 'POST', body: bodies[0]! };
  const answer = await fetch(url + paths[0]!, { headers, ...sent });
  if (!answer.ok)
    throw new Error(`${contender.name} answers '${question.about}' with ${answer.status}: ${await answer.text()}`);
  return contender.rows(await answer.json());
}

async function measureAll(
  folder: string,
  contenders: readonly Contender[],
  data: PeerData,
  log: Log,
): Promise<ContenderResult[]> {
  /** Tickers per question, of the first contender. */
  const expected: unknown[][] = [];
  const results: ContenderResult[] = [];
  for (const contender of contenders) {
    const server = await contender.start(data);
    try {
      for (const [i, question] of PEER_QUESTIONS.entries()) {
        const tickers = (await rowsOf(contender, server, question, data)).map(row => row['symbol']);
        expected[i] ??= tickers;
        deepEqual(tickers, expected[i], `${contender.name} has other rows for '${question.about}'`);
      }
      results.push({ name: contender.name, ...(await measure(folder, contender, server, data)) });
      log(`${contender.name}: ${Math.round(results.at(-1)!.rotation.perSecond).toLocaleString('en')} answers/s`);
    } finally {
      await server.stop();
    }
  }
  return results;
}

async function measure(
  folder: string,
  contender: Contender,
  server: PeerServer,
  data: PeerData,
): Promise<Omit<ContenderResult, 'name'>> {
  const timed = (questions: readonly PeerQuestion[], seconds: number): Promise<Measured> =>
    undisturbed(() =>
      load(folder, { url: server.url, ...contender.ask(questions, data), connections: CONNECTIONS, seconds }),
    );
  await timed(PEER_QUESTIONS, WARM_UP_SECONDS);
  const rotation = await timed(PEER_QUESTIONS, ROTATION_SECONDS);
  const questions: Measured[] = [];
  for (const question of PEER_QUESTIONS) {
    const measured = await timed([question], QUESTION_SECONDS);
    questions.push(measured.perSecond < FEW ? await timed([question], LONGER_SECONDS) : measured);
  }
  return { rotation, questions, startSeconds: server.startSeconds, residentBytes: server.residentBytes() };
}
