// Bars of a minute: loading them, the space that they take, and what a server with their listings does.
//
//   INTERVALS_BARS, INTERVALS_ASSETS: smaller numbers, to try it

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '../report.ts';
import { measureLoading } from './loading.ts';
import { measureServing } from './serving.ts';

/** Loaded from a file. */
const BARS = Number(process.env['INTERVALS_BARS'] ?? 50_000_000);
/** Served. */
const ASSETS = Number(process.env['INTERVALS_ASSETS'] ?? 10_000);

export const intervalsBench: Bench = {
  name: 'intervals',
  title: 'Minutes and hours',
  async run(log) {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-intervals-'));
    try {
      const loading = await measureLoading(folder, BARS, log);
      const serving = await measureServing(folder, ASSETS, log);
      return `${loading}\n\n${serving}`;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
