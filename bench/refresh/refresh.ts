// From new closes to the snapshot that shows them: one close, and a close of every asset, on both stores.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { addOptionalColumns } from '../../src/publish/upgrade-rows.ts';
import { openStore } from '../../src/store/open.ts';
import { freshPostgresUrl } from '../../test/support/postgres.ts';
import { type Bench, duration } from '../report.ts';
import { undisturbed } from '../undisturbed.ts';
import { type BarKind, barsOn, fillStore, NEXT_DAY } from './market.ts';
import type { MillionResult } from './million.ts';
import { PHASES, type Refresh, RefreshLine, totalOf } from './phases.ts';
import { measureServed, type ServedRefresh } from './served.ts';

const ASSETS = 50_000;
const MANY_ASSETS = 1_000_000;
const RUNS = { one: 21, all: 5, many: 3 };

interface StoreRefresh {
  readonly one: Refresh;
  readonly all: Refresh;
}

/** The middle one of several refreshes by their totals, after one to warm up. */
async function middle(runs: number, refresh: (round: number) => Promise<Refresh>): Promise<Refresh> {
  let round = 0;
  await refresh(round++);
  const found: Refresh[] = [];
  while (found.length < runs) found.push(await undisturbed(() => refresh(round++)));
  return found.sort((a, b) => totalOf(a) - totalOf(b))[runs >> 1]!;
}

/** Fills a new store and refreshes it. The first bar of a day is a new one, those after it replace it. */
async function measureStore(url: string, kind: BarKind, log: (text: string) => void): Promise<StoreRefresh> {
  const store = await openStore(url);
  try {
    const assetNumbers = await fillStore(store, ASSETS, kind);
    if (kind === 'whole bars') await addOptionalColumns(store);
    log(`${store.description} filled`);
    const line = new RefreshLine(store);
    await line.start();
    const all = await middle(RUNS.all, round => line.refresh(barsOn(NEXT_DAY, assetNumbers, round, kind)));
    const one = await middle(RUNS.one, round =>
      line.refresh(barsOn(NEXT_DAY, [assetNumbers[(round * 997) % assetNumbers.length]!], 1000 + round, kind)),
    );
    log(`one close ${duration(totalOf(one))}, all closes ${duration(totalOf(all))}`);
    return { one, all };
  } finally {
    await store.close();
  }
}

/** The same in SQLite, and as clients see it. */
async function measureSqlite(url: string, kind: BarKind, log: (text: string) => void) {
  const refresh = await measureStore(url, kind, log);
  const store = await openStore(url);
  const seen = await measureServed(store, url, kind);
  await store.close();
  log(`served: one close ${duration(seen.one)}, all ${duration(seen.all)}, p99 ${seen.quiet} and ${seen.busy} ms`);
  return { ...refresh, seen };
}

function measureMany(...more: readonly string[]): Promise<MillionResult> {
  const script = join(import.meta.dirname, 'million.ts');
  const args = ['--disable-warning=ExperimentalWarning', '--expose-gc', '--max-old-space-size=4096', script];
  const run = () => promisify(execFile)(process.execPath, [...args, String(MANY_ASSETS), ...more]);
  return undisturbed(async () => JSON.parse((await run()).stdout) as MillionResult); // it prints one
}

/** The middle ones of some runs in turn, by the time of the first snapshot. */
async function measureHelper(log: (text: string) => void) {
  const helped: MillionResult[] = [];
  const alone: MillionResult[] = [];
  for (let i = 0; i < RUNS.many; i++) {
    helped.push(await measureMany());
    alone.push(await measureMany('alone'));
    log(`${MANY_ASSETS} assets: ${duration(helped.at(-1)!.fullMillis)}, alone ${duration(alone.at(-1)!.fullMillis)}`);
  }
  const middleOf = (found: MillionResult[]) => found.sort((a, b) => a.fullMillis - b.fullMillis)[found.length >> 1]!;
  return { many: middleOf(helped), alone: middleOf(alone) };
}

const PHASES_TEXT =
  'From the moment new closes are handed to the store until the snapshot that shows them is built, in one process.';

function phaseTable(columns: readonly (readonly [name: string, refresh: Refresh])[]): string {
  const row = (name: string, value: (refresh: Refresh) => number, bold = '') =>
    `| ${name} | ${columns.map(([, refresh]) => `${bold}${duration(value(refresh))}${bold}`).join(' | ')} |`;
  return [
    `| phase | ${columns.map(([name]) => name).join(' | ')} |\n|---|${'--:|'.repeat(columns.length)}`,
    ...PHASES.map(phase => row(phase, refresh => refresh[phase])),
    row('**together**', totalOf, '**'),
  ].join('\n');
}

function servedText({ one, all, quiet, busy }: ServedRefresh): string {
  return `As clients see it, with a loader in one process, a server with one thread per core in another, and SQLite: one changed close, 250 ms after the one before, is in the answers of every thread after **${duration(one)}**, all ${ASSETS.toLocaleString('en')} after **${duration(all)}**. The p99 of 400 other requests per second, whose client does not wait for a core, is ${duration(quiet)} on the quiet server and ${duration(busy)} while all closes change over and over: ${(busy / quiet).toFixed(1)} times as long.`;
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-refresh-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const refreshBench: Bench = {
  name: 'refresh',
  page: 'main',
  title: 'Refreshing',
  run: log =>
    inFolder(async folder => {
      const sqlite = await measureSqlite(`sqlite:${join(folder, 'closes.db')}`, 'closes', log);
      const postgres = await measureStore(await freshPostgresUrl(), 'closes', log);
      const { many, alone } = await measureHelper(log);
      const perAsset = (bytes: number) => Math.round(bytes / MANY_ASSETS).toLocaleString('en');
      return [
        `${ASSETS.toLocaleString('en')} assets with a year of closes each and the default columns. ${PHASES_TEXT} The PostgreSQL server runs on the same machine, with 512 MB of \`shared_buffers\` and without waiting for its disk.`,
        '',
        phaseTable([
          ['SQLite, one close', sqlite.one],
          ['SQLite, all closes', sqlite.all],
          ['PostgreSQL, one close', postgres.one],
          ['PostgreSQL, all closes', postgres.all],
        ]),
        '',
        servedText(sqlite.seen),
        '',
        `A snapshot of ${MANY_ASSETS.toLocaleString('en')} assets: built from all rows in ${duration(many.fullMillis)} (${duration(alone.fullMillis)} without the helper thread; the middle of ${RUNS.many} each, in turn), updated by one close in ${duration(many.oneMillis)}; ${perAsset(many.peakBytes)} bytes an asset at the most, while the first one is built and with all rows in hand, ${perAsset(many.heldBytes)} after updates.`,
      ].join('\n');
    }),
};

export const refreshAllBench: Bench = {
  name: 'refresh-all',
  page: 'main',
  title: 'Refreshing with every optional column',
  run: log =>
    inFolder(async folder => {
      const { one, all, seen } = await measureSqlite(`sqlite:${join(folder, 'bars.db')}`, 'whole bars', log);
      return [
        `${ASSETS.toLocaleString('en')} assets with a year of whole bars each in SQLite, all columns published. ${PHASES_TEXT}`,
        '',
        phaseTable([
          ['one bar', one],
          ['all bars', all],
        ]),
        '',
        servedText(seen),
      ].join('\n');
    }),
};
