// The same as clients see it: from new closes in one process until every thread of a server in another answers with them, and
// how others are answered meanwhile.

import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { AssetNumber } from '../../src/domain/asset.ts';
import { probePort } from '../../src/serve/port-claim.ts';
import type { Store } from '../../src/store/store.ts';
import type { LoadOptions } from '../load/generator.ts';
import { runPrioritizedLoad } from '../load/run.ts';
import { PROGRAM } from '../program.ts';
import { counted, undisturbed } from '../undisturbed.ts';
import type { LoaderTask } from './loader.ts';
import { type BarKind, barsOn, NEXT_DAY } from './market.ts';

const loaderScript = join(import.meta.dirname, 'loader.ts');
/** The system shares them out among the threads by chance; one of each thread is kept. */
const CONNECTIONS = 64;
const RUNS = { one: 15, all: 3 };
/** Between single closes: live prices come in batches, and a server prepares for the next one in between. */
const PAUSE_MS = 250;
const LOAD = { connections: 8, seconds: 8, rate: 400 };

export interface ServedRefresh {
  /** Milliseconds until every connection is answered with the new close. */
  readonly one: number;
  readonly all: number;
  /** p99 of other requests, in milliseconds: on a quiet server, and while all closes change over and over. */
  readonly quiet: number;
  readonly busy: number;
}

export async function measureServed(store: Store, url: string, kind: BarKind): Promise<ServedRefresh> {
  const port = await probePort('127.0.0.1', 0);
  const args = ['serve', '--open', '--store', url, '--port', String(port), '--json'];
  const server = spawn(PROGRAM, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(server.stdout, 'data');
  const loader = fork(loaderScript, [url, kind]);
  await once(loader, 'message');
  const agents = await oneForEachThread(port);
  try {
    const assets = await store.assets();
    const assetNumbers = assets.map(asset => asset.assetNumber);
    const symbolOf = new Map(assets.map(asset => [asset.assetNumber, asset.symbol]));
    const change = async (changed: readonly AssetNumber[], round: number) => {
      const task: LoaderTask = { assetNumbers: changed, round, day: NEXT_DAY };
      const published = once(loader, 'message');
      const began = performance.now();
      loader.send(task);
      const wanted = [symbolOf.get(changed[0]!)!, barsOn(NEXT_DAY, changed, round).close[0]!] as const;
      for (const agent of agents) await untilShown(agent, port, ...wanted);
      const shown = performance.now() - began;
      await published;
      return shown;
    };
    await change([assetNumbers[0]!], 5000);
    const one = await median(RUNS.one, async round => {
      await wait(PAUSE_MS);
      return change([assetNumbers[(round * 991) % assetNumbers.length]!], 6000 + round);
    });
    const all = await median(RUNS.all, round => change(assetNumbers, 7000 + round));
    const path = '/v1/crypto/ta-cur?limit=5&sort=vol30';
    const load: LoadOptions = { ...LOAD, port, path, headers: {} };
    const quiet = await p99(load);
    let done = false;
    const changing = (async () => {
      for (let round = 0; !done; round++) await change(assetNumbers, 8000 + round);
    })();
    const busy = await p99(load);
    done = true;
    await changing;
    return { one, all, quiet, busy };
  } finally {
    for (const agent of agents) agent.destroy();
    const closed = [server, loader].map(child => once(child, 'close'));
    for (const child of [server, loader]) child.kill('SIGKILL');
    await Promise.all(closed);
  }
}

/** Connections to every thread. A thread's own request ids have a beginning of their own. */
export async function oneForEachThread(port: number): Promise<Agent[]> {
  const byThread = new Map<string, Agent>();
  for (let i = 0; i < CONNECTIONS; i++) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const [answer] = (await once(get({ port, agent, path: '/healthz' }), 'response')) as [IncomingMessage];
    await once(answer.resume(), 'end');
    const thread = String(answer.headers['x-request-id']).slice(0, 8);
    if (byThread.has(thread)) agent.destroy();
    else byThread.set(thread, agent);
  }
  if (byThread.size !== availableParallelism()) throw new Error(`${byThread.size} threads have answered`);
  return [...byThread.values()];
}

async function median(runs: number, measure: (round: number) => Promise<number>): Promise<number> {
  const times: number[] = [];
  let round = 0;
  while (times.length < runs) times.push(await undisturbed(() => measure(round++)));
  return times.sort((a, b) => a - b)[runs >> 1]!;
}

async function p99(options: LoadOptions): Promise<number> {
  const { p99: found, stolen } = await runPrioritizedLoad(options);
  counted(stolen);
  return found;
}

/** `more`: further parameters of the listing. */
export async function untilShown(
  agent: Agent,
  port: number,
  symbol: string,
  price: number,
  more: string = '',
): Promise<void> {
  while ((await priceOf(agent, port, symbol, more)) !== price) await wait(2);
}

function priceOf(agent: Agent, port: number, symbol: string, more: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get({ port, agent, path: `/v1/crypto/ta-cur?symbol=${symbol}&limit=1${more}` }, answer => {
      let text = '';
      answer.setEncoding('utf8').on('data', chunk => {
        text += chunk;
      });
      answer.on('end', () => resolve((JSON.parse(text) as { result: { price: number }[] }).result[0]?.price));
    }).on('error', reject);
  });
}
