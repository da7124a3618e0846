// Streams: how late events are with many subscribers, what a subscriber takes of memory, and what other clients notice.

import { fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { hashOf, newApiKey } from '../../src/domain/api-key.ts';
import { probePort } from '../../src/serve/port-claim.ts';
import { openStore } from '../../src/store/open.ts';
import { CLIENT_PRIORITY, prioritize, runPrioritizedLoad } from '../load/run.ts';
import { PROGRAM } from '../program.ts';
import type { LoaderAnswer, LoaderTask } from '../refresh/loader.ts';
import { fillStore, NEXT_DAY } from '../refresh/market.ts';
import type { Bench } from '../report.ts';
import { counted } from '../undisturbed.ts';
import type { FromSubscribers, SubscriberOptions, ToSubscribers } from './subscribers.ts';

const ASSETS = 5000;
const SUBSCRIBERS = 10_000;
const QUERIES = 100;
const CHANGED = 500;
/** One publication per second, at least. */
const SECONDS = 15;
const PUBLISHER = join(import.meta.dirname, '../refresh/loader.ts');
const OTHERS = { connections: 8, rate: 200, path: '/v1/crypto/ta-cur?limit=5' };

/** Different columns, directions and pages of 20 rows. */
const PATHS = Array.from(
  { length: QUERIES },
  (_, i) =>
    `/v1/crypto/ta-cur?format=sse&limit=20&sort=${['price', 'change1', 'change7', 'sma5', 'vol30'][i % 5]}` +
    `&order=${i % 2 === 0 ? 'asc' : 'desc'}&page=${1 + Math.floor(i / 10)}`,
);

export const streamsBench: Bench = {
  name: 'streams',
  page: 'load',
  title: 'Streams',
  async run(log) {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
    const url = `sqlite:${join(folder, 'store.db')}`;
    const store = await openStore(url);
    const assetNumbers = await fillStore(store, ASSETS);
    const apiKey = newApiKey();
    await store.createKey({ id: 'key_bench', hash: hashOf(apiKey), tier: 'unlimited', name: null, expires: null });
    const port = await probePort('127.0.0.1', 0);
    const args = [
      'serve',
      '--store',
      url,
      '--port',
      String(port),
      '--json',
      '--max-connections',
      '30000',
      '--poll',
      '50',
    ];
    const server = spawn(PROGRAM, [...args, '--keep', 'off'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const subscribers = fork(join(import.meta.dirname, 'subscribers.ts'));
    const areIdle = makeIdle(subscribers.pid!);
    const publisher = fork(PUBLISHER, [url, 'closes']);
    try {
      await Promise.all([once(server.stdout, 'data'), once(publisher, 'message')]);
      const others = async (seconds: number) => {
        const seen = await runPrioritizedLoad({ port, headers: { 'x-api-key': apiKey }, ...OTHERS, seconds });
        counted(seen.stolen);
        return seen;
      };
      await others(2);
      const quiet = await others(SECONDS);
      log(`others, quiet: p99 ${quiet.p99.toFixed(1)} ms`);
      const before = residentBytes(server.pid!);
      const options: SubscriberOptions = { port, paths: PATHS, count: SUBSCRIBERS, apiKey, addresses: 4 };
      const began = performance.now();
      subscribers.send(options);
      await once(subscribers, 'message');
      log(`${SUBSCRIBERS} streams open after ${((performance.now() - began) / 1000).toFixed(1)} s`);
      await wait(3000);
      const each = (residentBytes(server.pid!) - before) / SUBSCRIBERS;
      log(`${(each / 1000).toFixed(1)} kB per subscriber`);
      const used = {
        server: cpuSeconds(server.pid!),
        subscribers: cpuSeconds(subscribers.pid!),
        publisher: cpuSeconds(publisher.pid!),
      };
      let round = 0;
      const publish = async (): Promise<LoaderAnswer> => {
        const next = wait(1000);
        const some = assetNumbers.filter((_, i) => (i + round) % (ASSETS / CHANGED) === 0);
        publisher.send({ assetNumbers: some, round: 100 + round++, day: NEXT_DAY - 1 } satisfies LoaderTask);
        const [answer] = (await once(publisher, 'message')) as [LoaderAnswer];
        await next;
        return answer;
      };
      await publish();
      const committed = new Map<number, number>();
      let over = false;
      const load = others(SECONDS).finally(() => {
        over = true;
      });
      while (!over) {
        const { version, at } = await publish();
        committed.set(version, at);
      }
      const busy = await load;
      await wait(1000);
      for (const [name, pid] of [
        ['server', server.pid!],
        ['subscribers', subscribers.pid!],
        ['publisher', publisher.pid!],
      ] as const) {
        log(`${name}: ${((1000 * (cpuSeconds(pid) - used[name])) / round).toFixed(0)} ms of CPU per publication`);
      }
      subscribers.send('report' satisfies ToSubscribers);
      const [arrivals] = (await once(subscribers, 'message')) as [FromSubscribers];
      const late = arrivals.kind === 'arrivals' ? latenesses(arrivals.byVersion, committed) : [];
      const at = (share: number) => late[Math.min(late.length - 1, Math.floor(late.length * share))] ?? Number.NaN;
      const complete = late.length / SUBSCRIBERS;
      log(`${complete} of ${committed.size} publications reached all subscribers; p99 ${at(0.99)} ms`);
      return [
        `${SUBSCRIBERS.toLocaleString('en')} streams of ${QUERIES} different queries (20 rows each) over ${ASSETS.toLocaleString('en')} assets; one publication per second changes ${CHANGED} rows, ${committed.size} times, after one that is not counted: the server and the subscribers then compile what they run. A time is from the commit of the publication to the last byte at the client, for every client. The server has one thread per core; the subscribers, the publisher and ${OTHERS.rate} other requests per second share the machine with it: the publisher with the lower priority that a load gives itself, the subscribers ${areIdle ? 'when it is idle' : 'with the lowest priority'} and the other requests with a higher priority (${CLIENT_PRIORITY}), because clients run on other machines.`,
        '',
        '| | measured | target |',
        '|---|--:|--:|',
        `| publications that reached every subscriber | ${complete} of ${committed.size} | all |`,
        `| commit to last byte, median | ${at(0.5)} ms | |`,
        `| commit to last byte, p99 | ${at(0.99)} ms | < 500 ms |`,
        `| commit to last byte, maximum | ${late.at(-1)} ms | |`,
        `| memory of the server per subscriber | ${(each / 1000).toFixed(1)} kB | < 20 kB |`,
        `| p99 of other requests, quiet | ${quiet.p99.toFixed(1)} ms | |`,
        `| p99 of other requests, with streams | ${busy.p99.toFixed(1)} ms (${(busy.p99 / quiet.p99).toFixed(1)} × quiet) | < 2 × |`,
      ].join('\n');
    } finally {
      subscribers.kill();
      publisher.kill();
      server.kill();
      await once(server, 'close');
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

/**
 * Gives a process the cores when nothing else wants them; a low priority alone still takes them for milliseconds at a time. Without
 * `chrt`, that is what it gets, and the answer is false.
 */
function makeIdle(pid: number): boolean {
  prioritize(pid, constants.priority.PRIORITY_LOW);
  return spawnSync('chrt', ['--all-tasks', '--idle', '--pid', '0', `${pid}`]).status === 0;
}

/** Of all its threads. */
function cpuSeconds(pid: number): number {
  // After the name of the program, which may contain spaces: user and system time in hundredths of a second.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Milliseconds from the commit of its version to each arrival, ascending. */
function latenesses(
  byVersion: readonly (readonly [version: number, at: readonly number[]])[],
  committed: ReadonlyMap<number, number>,
): number[] {
  const all = byVersion.flatMap(([version, at]) => {
    const since = committed.get(version);
    return since === undefined ? [] : at.map(each => each - since);
  });
  return all.sort((a, b) => a - b);
}
