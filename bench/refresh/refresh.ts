// From new closes to the snapshot that shows them: one close, and a close of every asset, on both stores.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openStore } from '../../src/store/open.ts';
import { freshPostgresUrl } from '../../test/support/postgres.ts';
import { type Bench, duration } from '../report.ts';
import { closesOn, fillStore, NEXT_DAY } from './market.ts';
import type { MillionResult } from './million.ts';
import { PHASES, type Refresh, RefreshLine, totalOf } from './phases.ts';
import { measureServed } from './served.ts';

const ASSETS = 50_000;
const MANY_ASSETS = 1_000_000;
const RUNS = { one: 21, all: 5 };

export interface StoreRefresh {
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

/** Fills a new store and refreshes it. The first close of a day is a new one, those after it replace it. */
export async function measureStore(url: string, assets: number, log: (text: string) => void): Promise<StoreRefresh> {
  const store = await openStore(url);
  try {
    const keys = await fillStore(store, assets);
    log(`${store.description} filled`);
    const line = new RefreshLine(store);
    await line.start();
    const all = await middle(RUNS.all, round => line.refresh(closesOn(NEXT_DAY, keys, round)));
    const one = await middle(RUNS.one, round =>
      line.refresh(closesOn(NEXT_DAY, [keys[(round * 997) % keys.length]!], 1000 + round)),
    );
    log(`one close ${duration(totalOf(one))}, all closes ${duration(totalOf(all))}`);
    return { one, all };
  } finally {
    await store.close();
  }
}

async function measureMany(): Promise<MillionResult> {
  const script = join(import.meta.dirname, 'million.ts');
  const args = ['--disable-warning=ExperimentalWarning', '--expose-gc', '--max-old-space-size=4096', script];
  const { stdout } = await promisify(execFile)(process.execPath, [...args, String(MANY_ASSETS)]);
  return JSON.parse(stdout) as MillionResult; // it prints one
}

export const refreshBench: Bench = {
  name: 'refresh',
  title: 'Refreshing',
  async run(log) {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-refresh-'));
    try {
      const sqlite = await measureStore(`sqlite:${join(folder, 'refresh.db')}`, ASSETS, log);
      const served = await openStore(`sqlite:${join(folder, 'refresh.db')}`);
      const seen = await measureServed(served, `sqlite:${join(folder, 'refresh.db')}`);
      await served.close();
      log(`served: one close ${duration(seen.one)}, all ${duration(seen.all)}, p99 ${seen.quiet} and ${seen.busy} ms`);
      const postgres = await measureStore(await freshPostgresUrl(), ASSETS, log);
      const many = await measureMany();
      const cells = [sqlite.one, sqlite.all, postgres.one, postgres.all];
      const row = (name: string, value: (refresh: Refresh) => number, bold = '') =>
        `| ${name} | ${cells.map(refresh => `${bold}${duration(value(refresh))}${bold}`).join(' | ')} |`;
      const perAsset = (bytes: number) => Math.round(bytes / MANY_ASSETS).toLocaleString('en');
      return [
        `${ASSETS.toLocaleString('en')} assets with a year of closes each, four listing orders in use. From the moment new closes are handed to the store until the snapshot that shows them is built, in one process. The PostgreSQL server runs on the same machine without waiting for its disk.`,
        '| phase | SQLite, one close | SQLite, all closes | PostgreSQL, one close | PostgreSQL, all closes |\n|---|--:|--:|--:|--:|',
        ...PHASES.map(phase => row(phase, refresh => refresh[phase])),
        row('**together**', totalOf, '**'),
        '',
        `As clients see it, with a loader in one process, a server with a thread for each core in another, and SQLite: one changed close is in the answers of every thread after **${duration(seen.one)}**, all ${ASSETS.toLocaleString('en')} after **${duration(seen.all)}**. The p99 of 400 other requests a second is ${duration(seen.quiet)} on the quiet server and ${duration(seen.busy)} while all closes change over and over: ${(seen.busy / seen.quiet).toFixed(1)} times as long.`,
        '',
        `A snapshot of ${MANY_ASSETS.toLocaleString('en')} assets: built from all rows in ${duration(many.fullMillis)}, updated by one close in ${duration(many.oneMillis)}; ${perAsset(many.peakBytes)} bytes an asset at the most, while the first one is built and with all rows in hand, ${perAsset(many.heldBytes)} after updates.`,
      ].join('\n');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
