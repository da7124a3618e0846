// Hours of live prices in minutes: a process follows a local exchange with many times the usual ticks and batches, and days that last
// seconds. Connections break, nonsense arrives, markets appear and vanish; its memory is measured from outside.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openStore } from '../../../src/store/open.ts';
import { fakeBinance } from '../../support/fake-exchanges.ts';
import { type FakeLiveBinance, fakeLiveBinance } from '../../support/fake-live-binance.ts';
import { fakeProvider } from '../../support/fake-provider.ts';
import type { Point } from './trend.ts';

export interface LiveSoakOptions {
  readonly seconds: number;
  readonly markets: number;
  /** Between two ticks of each market. */
  readonly tickMs: number;
  /** Between two batches. */
  readonly everyMs: number;
  /** How long a day lasts. */
  readonly dayMs: number;
  readonly sampleMs: number;
  readonly onSample?: (memory: Point) => void;
}

export interface LiveSoakResult {
  /** Resident megabytes. */
  readonly memory: readonly Point[];
  readonly openFiles: readonly Point[];
  readonly ticks: number;
  readonly batches: number;
  /** Days that were closed from their candles. */
  readonly days: number;
  readonly connections: number;
  readonly exitCode: number | null;
  readonly notes: string;
}

const DAY_MS = 86_400_000;
/** The close of every candle; ticks have other prices. */
const CANDLE_CLOSE = 7;
const CUT_EVERY_MS = 3000;
const NONSENSE_EVERY_MS = 500;
const NONSENSE = [
  'not JSON',
  'null',
  '[]',
  '{}',
  '{"e":"24hrMiniTicker"}',
  '{"e":"24hrMiniTicker","s":"A0USDT","c":"-1"}',
];
const child = join(import.meta.dirname, '../faults/live-child.ts');
const clock = join(import.meta.dirname, '../../support/shifted-clock.ts');

export async function liveSoak(options: LiveSoakOptions): Promise<LiveSoakResult> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-live-soak-'));
  const [provider, exchange] = [await fakeProvider(), await fakeLiveBinance()];
  try {
    return await follow(options, folder, exchange, provider);
  } finally {
    await exchange.close();
    await provider.close();
    rmSync(folder, { recursive: true });
  }
}

async function follow(
  { seconds, markets: count, tickMs, everyMs, dayMs, sampleMs, onSample }: LiveSoakOptions,
  folder: string,
  exchange: FakeLiveBinance,
  provider: Awaited<ReturnType<typeof fakeProvider>>,
): Promise<LiveSoakResult> {
  const url = `sqlite:${join(folder, 'store.db')}`;
  const shiftFile = join(folder, 'shift');
  const began = performance.now();
  const firstDay = Math.floor(Date.now() / DAY_MS);
  const shift = () => Math.round((performance.now() - began) * (DAY_MS / dayMs));
  const now = () => Date.now() + shift();
  const lastDay = firstDay + Math.ceil((seconds * 1000) / dayMs) + 2;
  const series = Array.from({ length: lastDay - firstDay + 5 }, (_, i) => [firstDay - 4 + i, CANDLE_CLOSE] as const);
  const markets = Array.from({ length: count }, (_, i) => ({
    base: `A${i}`,
    quote: 'USDT',
    series,
    status: 'TRADING',
  }));
  const { api } = fakeBinance(provider, markets) as { api: object }; // what it returns
  writeFileSync(shiftFile, '0');
  const addresses = JSON.stringify({ api: { ...api, ws: { spot: `${exchange.url}/ws` } } });
  const process_ = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--import', clock, child, url, addresses, String(everyMs)],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, TIDEMARK_TEST_CLOCK: shiftFile } },
  );
  let notes = '';
  process_.stderr.setEncoding('utf8').on('data', text => {
    notes = (notes + text).slice(-4000);
  });
  let ticks = 0;
  const timers = [
    setInterval(() => {
      ticks++;
      for (const [i, { base }] of markets.entries()) exchange.tick(`${base}USDT`, 10 + ((ticks + i) % 1000) / 8, now());
    }, tickMs),
    setInterval(() => {
      writeFileSync(`${shiftFile}.new`, String(shift()));
      renameSync(`${shiftFile}.new`, shiftFile);
    }, 20),
    setInterval(() => {
      for (const socket of exchange.sockets) socket.cut();
    }, CUT_EVERY_MS),
    setInterval(() => exchange.say(NONSENSE[ticks % NONSENSE.length]!), NONSENSE_EVERY_MS),
    // Every other day the last market is not traded.
    setInterval(() => {
      const last = markets.at(-1)!;
      last.status = last.status === 'TRADING' ? 'BREAK' : 'TRADING';
    }, dayMs),
  ];
  const memory: Point[] = [];
  const openFiles: Point[] = [];
  try {
    while (performance.now() - began < seconds * 1000 && process_.exitCode === null) {
      await wait(sampleMs);
      const at = (performance.now() - began) / 1000;
      memory.push({ seconds: at, value: residentMegabytes(process_.pid!) });
      openFiles.push({ seconds: at, value: readdirSync(`/proc/${process_.pid}/fd`).length });
      onSample?.(memory.at(-1)!);
    }
  } finally {
    for (const timer of timers) clearInterval(timer);
    process_.kill('SIGTERM');
    if (process_.exitCode === null) await once(process_, 'close');
  }
  const store = await openStore(url);
  const loads = await store.loads(1000);
  const { assetNumber } = (await store.assets())[0]!;
  const { close } = await store.bars(assetNumber, firstDay as never, lastDay as never); // days, as numbers
  await store.close();
  const batches = Math.round((seconds * 1000) / everyMs);
  const closed = close.filter(each => each === CANDLE_CLOSE).length;
  return {
    ...{ memory, openFiles, ticks: ticks * count, batches, days: closed, connections: exchange.connected() },
    ...{ exitCode: process_.exitCode, notes: `${notes}\n${loads.length} loads` },
  };
}

function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000;
}
