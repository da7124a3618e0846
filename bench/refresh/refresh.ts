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
import { type BarKind, barsOn, fillStore, NEXT_DAY } from './market.ts';
import type { MillionResult } from './million.ts';
import { PHASES, type Refresh, RefreshLine, totalOf } from './phases.ts';
import { measureServed, type ServedRefresh } from './served.ts';

const ASSETS = 50_000;
const MANY_ASSETS = 1_000_000;
const RUNS = { one: 21, all: 5 };

interface StoreRefresh {
  readonly one: Refresh;
  readonly all: Refresh;
}

/** The middle one of several refreshes by their totals, after one to warm up. */
async function middle(runs: number, refresh: (round: number) => Promise<Refresh>): Promise<Refresh> {
  await refresh(0);
  const found: Refresh[] = [];
  for (let round = 1; round <= runs; round++) found.push(await refresh(round));
  return found.sort((a, b) => totalOf(a) - totalOf(b))[runs >> 1]!;
}

/** Fills a new store and refreshes it. The first bar of a day is a new one, those after it replace it. */
async function measureStore(url: string, kind: BarKind, log: (text: string) => void): Promise<StoreRefresh> {
  const store = await openStore(url);
  try {
    const keys = await fillStore(store, ASSETS, kind);
    if (kind === 'whole bars') await addOptionalColumns(store);
    log(`${store.description} filled`);
    const line = new RefreshLine(store);
    await line.start();
    const all = await middle(RUNS.all, round => line.refresh(barsOn(NEXT_DAY, keys, round, kind)));
    const one = await middle(RUNS.one, round =>
      line.refresh(barsOn(NEXT_DAY, [keys[(round * 997) % keys.length]!], 1000 + round, kind)),
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

async function measureMany(): Promise<MillionResult> {
  const script = join(import.meta.dirname, 'million.ts');
  const args = ['--disable-warning=ExperimentalWarning', '--expose-gc', '--max-old-space-size=4096', script];
  const { stdout } = await promisify(execFile)(process.execPath, [...args, String(MANY_ASSETS)]);
  return JSON.parse(stdout) as MillionResult; // it prints one
}

function servedRow(name: string, { one, all, quiet, busy }: ServedRefresh): string {
  const times = [one, all, quiet, busy].map(duration).join(' | ');
  return `| ${name} | ${times} | ${(busy / quiet).toFixed(1)} |`;
}

export const refreshBench: Bench = {
  name: 'refresh',
  title: 'Refreshing',
  async run(log) {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-refresh-'));
    try {
      const sqlite = await measureSqlite(`sqlite:${join(folder, 'closes.db')}`, 'closes', log);
      const whole = await measureSqlite(`sqlite:${join(folder, 'bars.db')}`, 'whole bars', log);
      const postgres = await measureStore(await freshPostgresUrl(), 'closes', log);
      const many = await measureMany();
      const cells = [sqlite.one, sqlite.all, whole.one, whole.all, postgres.one, postgres.all];
      const row = (name: string, value: (refresh: Refresh) => number, bold = '') =>
        `| ${name} | ${cells.map(refresh => `${bold}${duration(value(refresh))}${bold}`).join(' | ')} |`;
      const optional = 'SQLite, all columns';
      const perAsset = (bytes: number) => Math.round(bytes / MANY_ASSETS).toLocaleString('en');
      return [
        `${ASSETS.toLocaleString('en')} assets with a year of closes each; with a year of whole bars each for the optional columns. From the moment new closes are handed to the store until the snapshot that shows them is built, in one process. The PostgreSQL server runs on the same machine without waiting for its disk.`,
        `| phase | SQLite, one close | SQLite, all closes | ${optional}, one bar | ${optional}, all bars | PostgreSQL, one close | PostgreSQL, all closes |\n|---|--:|--:|--:|--:|--:|--:|`,
        ...PHASES.map(phase => row(phase, refresh => refresh[phase])),
        row('**together**', totalOf, '**'),
        '',
        'As clients see it, with a loader in one process, a server with one thread per core in another, and SQLite: the time until the answers of every thread have what changed, and the p99 of 400 other requests per second on the quiet server and while everything changes over and over.',
        '',
        '| | one change | all changes | p99, quiet | p99, while all change | × |\n|---|--:|--:|--:|--:|--:|',
        servedRow('closes, default columns', sqlite.seen),
        servedRow('whole bars, all columns', whole.seen),
        '',
        `A snapshot of ${MANY_ASSETS.toLocaleString('en')} assets: built from all rows in ${duration(many.fullMillis)}, updated by one close in ${duration(many.oneMillis)}; ${perAsset(many.peakBytes)} bytes an asset at the most, while the first one is built and with all rows in hand, ${perAsset(many.heldBytes)} after updates.`,
      ].join('\n');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
