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

export const intervalsBench: Bench = {
  name: 'intervals',
  page: 'main',
  title: 'Minutes and hours',
  async run(log) {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-intervals-'));
    try {
      const loading = await measureLoading(folder, BARS, log);
      const serving = await measureServing(folder, ASSETS, log);
      const month = await measureMonth(folder, ASSETS, BUDGET_MS, log);
      return `${loading}\n\n${serving}\n\n${month}`;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
