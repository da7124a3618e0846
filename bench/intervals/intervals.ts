// Bars of a minute: loading them, the space that they take, and what a server with their listings does.
//
//   INTERVALS_BARS, INTERVALS_ASSETS, INTERVALS_MINUTES: smaller numbers, to try it

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '../report.ts';
import { measureLoading } from './loading.ts';
import { measureMonth } from './month.ts';
import { measureServing } from './serving.ts';

/** Loaded from a file. */
const BARS = Number(process.env['INTERVALS_BARS'] ?? 50_000_000);
/** Served. */
const ASSETS = Number(process.env['INTERVALS_ASSETS'] ?? 10_000);
/** For loading a month of minutes. */
const BUDGET_MS = 60_000 * Number(process.env['INTERVALS_MINUTES'] ?? 20);

/** In a folder of its own. */
async function inFolder(work: (folder: string) => Promise<string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-intervals-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const intervalsBench: Bench = {
  name: 'intervals',
  page: 'main',
  title: 'Minutes: loading',
  run: log => inFolder(folder => measureLoading(folder, BARS, log)),
};

export const intervalsServedBench: Bench = {
  name: 'intervals-served',
  page: 'main',
  title: 'Minutes and hours, as clients see them',
  run: log => inFolder(folder => measureServing(folder, ASSETS, log)),
};

export const intervalsMonthBench: Bench = {
  name: 'intervals-month',
  page: 'main',
  title: 'A month of minutes',
  run: log => inFolder(folder => measureMonth(folder, ASSETS, BUDGET_MS, log)),
};
