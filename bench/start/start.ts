// Benchmark of the time from the start command to the first response, and of the memory per asset.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { probePort } from '../../src/serve/port-claim.ts';
import { fillStore } from '../http/store.ts';
import { PROGRAM } from '../program.ts';
import type { Bench } from '../report.ts';
import { undisturbed } from '../undisturbed.ts';

const START_ASSETS = 10_000;
const STARTS = 9;
/** As many as one machine is meant for. */
const MANY_ASSETS = 1_000_000;
/** As many as fill the caches of every thread, and many more. */
const MEMORY_ASSETS = [50_000, 200_000] as const;
const THREADS = [1, 2, 4];
const PAGES = 100;
const LISTING = '/v1/crypto/ta-cur';

export const startBench: Bench = {
  name: 'start',
  page: 'main',
  title: 'Start and memory',
  async run(log) {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-start-'));
    try {
      const stores = new Map<number, string>();
      for (const assets of [START_ASSETS, ...MEMORY_ASSETS]) {
        stores.set(assets, `sqlite:${join(folder, `${assets}.db`)}`);
        await fillStore(stores.get(assets)!, assets);
      }
      // The first start of an installation compiles the program, and keeps what it has compiled when it ends.
      await secondsToFirstAnswer(stores.get(START_ASSETS)!, 'SIGTERM');
      const starts: number[] = [];
      for (let i = 0; i < STARTS; i++) {
        starts.push(await undisturbed(() => secondsToFirstAnswer(stores.get(START_ASSETS)!, 'SIGKILL')));
      }
      starts.sort((a, b) => a - b);
      const median = starts[STARTS >> 1]!;
      log(`first answer after ${median.toFixed(2)} s`);
      const million = `sqlite:${join(folder, 'million.db')}`;
      await fillStore(million, MANY_ASSETS, 'default');
      const cold = await undisturbed(() => secondsToFirstAnswer(million, 'SIGKILL', ['--keep', 'off']));
      log(`${MANY_ASSETS} assets: first answer after ${cold.toFixed(2)} s`);
      const [few, many] = MEMORY_ASSETS;
      const rows: string[] = [];
      for (const threads of THREADS) {
        const base = await memoryBytes(stores.get(few)!, threads);
        const large = await memoryBytes(stores.get(many)!, threads);
        const each = (bytes: keyof Memory) => `${((large[bytes] - base[bytes]) / (many - few) / 1000).toFixed(2)} kB`;
        rows.push(`| ${threads} | ${Math.round(base.resident / 1e6)} MB | ${each('resident')} | ${each('peak')} |`);
        log(rows.at(-1)!);
      }
      return [
        `The time from starting \`./tidemark serve\` (not for the first time) to its first successful response with ${START_ASSETS.toLocaleString('en')} assets in a SQLite store: **${median.toFixed(2)} s**, the median of ${STARTS} starts (${starts[0]!.toFixed(2)} to ${starts.at(-1)!.toFixed(2)} s). With ${MANY_ASSETS.toLocaleString('en')} assets and the default columns: ${cold.toFixed(2)} s (target: 8 s).`,
        '',
        `Memory of the server with every optional column published (resident, all threads, after it has filled its caches with pages in JSON and CSV); each further asset is the difference to a server with ${many.toLocaleString('en')}, and at the start the most that is resident while the store is read:`,
        '',
        `| threads | ${few.toLocaleString('en')} assets | each further asset | at the start |`,
        '|--:|--:|--:|--:|',
        ...rows,
      ].join('\n');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function serve(store: string, port: number, threads: number, more: readonly string[] = []): ChildProcess {
  const args = ['serve', '--open', '--store', store, '--port', String(port), '--workers', String(threads)];
  return spawn(PROGRAM, [...args, ...more], { stdio: 'ignore' });
}

async function secondsToFirstAnswer(
  store: string,
  ending: 'SIGTERM' | 'SIGKILL',
  more: readonly string[] = [],
): Promise<number> {
  const port = await probePort('127.0.0.1', 0);
  const began = performance.now();
  const server = serve(store, port, 0, more);
  await firstAnswer(port);
  const seconds = (performance.now() - began) / 1000;
  await stop(server, ending);
  return seconds;
}

/** Asks every few milliseconds until it is answered with 200. */
async function firstAnswer(port: number): Promise<void> {
  for (;;) {
    const status = await statusOf(port, `${LISTING}?limit=5`).catch(() => 0);
    if (status === 200) return;
    await wait(3);
  }
}

function statusOf(port: number, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ port, path, agent: false }, answer => answer.resume().on('end', () => resolve(answer.statusCode ?? 0))).on(
      'error',
      reject,
    );
  });
}

interface Memory {
  readonly resident: number;
  /** Before the first answer. */
  readonly peak: number;
}

async function memoryBytes(store: string, threads: number): Promise<Memory> {
  const port = await probePort('127.0.0.1', 0);
  const server = serve(store, port, threads);
  await firstAnswer(port);
  const peak = statusBytes(server, 'VmHWM');
  for (const sort of ['price', 'vol30', 'symbol', 'change7']) {
    for (const format of ['json', 'csv']) {
      // New connections each time, so that every thread gets some.
      for (let i = 0; i < PAGES; i++)
        await statusOf(port, `${LISTING}?limit=500&sort=${sort}&format=${format}&page=${i + 1}`);
    }
  }
  await wait(2000);
  const resident = statusBytes(server, 'VmRSS');
  await stop(server, 'SIGKILL');
  return { resident, peak };
}

function statusBytes({ pid }: ChildProcess, name: 'VmRSS' | 'VmHWM'): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return 1024 * Number(kilobytes);
}

async function stop(server: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const closed = once(server, 'close');
  server.kill(signal);
  await closed;
}
