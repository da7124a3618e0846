import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Day, isoFromDay } from '../../src/domain/day.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { contents, ended, startLoad } from './loading.ts';

const ROUNDS = 50;
const ASSETS = 60;
const DAYS = 2000;

const folder = mkdtempSync(join(tmpdir(), 'tidemark-kill-'));
const file = join(folder, 'closes.csv');
let databases = 0;

const ADAPTERS: Readonly<Record<string, () => Promise<string>>> = {
  SQLite: async () => `sqlite:${join(folder, `${databases++}.db`)}`,
  PostgreSQL: freshPostgresUrl,
};

before(() => {
  const lines = ['symbol,day,close,volume'];
  for (let asset = 0; asset < ASSETS; asset++) {
    for (let day = 0; day < DAYS; day++) {
      const close = 10 + Math.sin(asset + day / 9) + day / 1000;
      lines.push(`K${asset},${isoFromDay((18_000 + day) as Day)},${close.toFixed(6)},${day}`);
    }
  }
  writeFileSync(file, `${lines.join('\n')}\n`);
});

after(() => {
  rmSync(folder, { recursive: true });
});

for (const [adapter, freshUrl] of Object.entries(ADAPTERS)) {
  describe(`a load into ${adapter} that is killed`, () => {
    it(`at ${ROUNDS} random moments and then repeated leaves what an undisturbed one does`, async () => {
      const undisturbedUrl = await freshUrl();
      const began = performance.now();
      assert.deepEqual(await ended(startLoad(file, undisturbedUrl)), { code: 0, stderr: '' });
      const takes = performance.now() - began;
      const undisturbed = await contents(undisturbedUrl);
      let killedOnTheWay = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const url = await freshUrl();
        const child = startLoad(file, url);
        const end = ended(child);
        // Evenly over the whole load, each at a random point of its own stretch.
        const moment = ((round + Math.random()) / ROUNDS) * takes;
        const timer = setTimeout(() => child.kill('SIGKILL'), moment);
        if ((await end).code === null) killedOnTheWay++;
        clearTimeout(timer);
        assert.deepEqual(await ended(startLoad(file, url)), { code: 0, stderr: '' });
        assert.deepEqual(
          await contents(url),
          undisturbed,
          `killed after ${moment.toFixed(0)} of ${takes.toFixed(0)} ms`,
        );
      }
      assert.ok(killedOnTheWay > ROUNDS / 2, `${killedOnTheWay} of ${ROUNDS} were killed before their end`);
    });
  });
}
