// Kills loads at random moments, repeats them, and compares the store with that of an undisturbed load.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Day, isoFromDay } from '../../src/domain/day.ts';
import { contents, ended, startLoad } from './loading.ts';

const ROUNDS = 50;
const ASSETS = 40;
const DAYS = 1000;

export const KILLED_LOADS = `at ${ROUNDS} random moments and then repeated leaves what an undisturbed one does`;

/** `freshUrl` gives a new, empty store for each round; it gets a folder to put files in. */
export async function killLoads(freshUrl: (folder: string) => Promise<string>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-kill-'));
  try {
    const file = join(folder, 'closes.csv');
    writeFileSync(file, manyCloses());
    const load = async (url: string) => assert.deepEqual(await ended(startLoad(file, url)), { code: 0, stderr: '' });

    const undisturbedUrl = await freshUrl(folder);
    await load(undisturbedUrl);
    const undisturbed = await contents(undisturbedUrl);
    const began = performance.now();
    await load(await freshUrl(folder));
    const takes = performance.now() - began;

    let killedOnTheWay = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const url = await freshUrl(folder);
      const child = startLoad(file, url);
      const end = ended(child);
      // Evenly over the whole load, each at a random point of its own stretch.
      const moment = ((round + Math.random()) / ROUNDS) * takes;
      const timer = setTimeout(() => child.kill('SIGKILL'), moment);
      if ((await end).code === null) killedOnTheWay++;
      clearTimeout(timer);
      await load(url);
      assert.deepEqual(await contents(url), undisturbed, `killed after ${moment.toFixed(0)} of ${takes.toFixed(0)} ms`);
    }
    assert.ok(killedOnTheWay > ROUNDS / 4, `${killedOnTheWay} of ${ROUNDS} were killed before their end`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function manyCloses(): string {
  const lines = ['symbol,day,close,volume'];
  for (let asset = 0; asset < ASSETS; asset++) {
    for (let day = 0; day < DAYS; day++) {
      const close = 10 + Math.sin(asset + day / 9) + day / 1000;
      lines.push(`K${asset},${isoFromDay((18_000 + day) as Day)},${close.toFixed(6)},${day}`);
    }
  }
  return `${lines.join('\n')}\n`;
}
