// Kills loads of a second source at random moments, while its bars are stored and while the served bars are made of both sources, and
// repeats them, on both stores: nothing is lost, and in the end everything is as after undisturbed loads.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type Day, FIRST_DAY, isoFromDay, LAST_DAY } from '../../../src/domain/day.ts';
import type { Store } from '../../../src/store/store.ts';
import { freshPostgresUrl } from '../../support/postgres.ts';
import { trial } from './findings.ts';
import { assertWhole, type Ended, ended, rounds, startProgram, withStore } from './loading.ts';

const KILLS = rounds(3);
const [ASSETS, DAYS, FIRST] = [120, 300, 20_000];
const folder = mkdtempSync(join(tmpdir(), 'tidemark-killed-sources-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;

const STORES: Readonly<Record<string, () => Promise<string>>> = {
  SQLite: async () => `sqlite:${join(folder, `${++files}.db`)}`,
  PostgreSQL: freshPostgresUrl,
};

/** By day, so that each batch has bars of all assets. */
function writeFile(name: string, factor: number, hole: number): string {
  const lines = ['symbol,day,open,high,low,close,volume'];
  for (let day = 0; day < DAYS; day++) {
    for (let asset = 0; asset < ASSETS; asset++) {
      if ((day + asset) % hole === 0) continue;
      const close = (10 + asset + (day % 17) / 8) * factor;
      lines.push(
        `K${asset},${isoFromDay((FIRST + day) as Day)},${close},${close + 1},${close - 1},${close},${1 + day}`,
      );
    }
  }
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const [FIRST_FILE, SECOND_FILE] = [writeFile('first.csv', 1, 5), writeFile('second.csv', 1.25, 7)];

const start = (url: string, path: string, source: string) =>
  startProgram('ingest', 'csv', path, '--source', source, '--price-rule', 'median', '--store', url);

/** A database server takes a moment to find out that a client is gone, and frees its lock only then. */
async function onceFree(begin: () => ReturnType<typeof startProgram>): Promise<Ended> {
  for (const giveUp = performance.now() + 30_000; ; ) {
    const end = await ended(begin());
    if (!/another load is writing/.test(end.stderr) || performance.now() > giveUp) return end;
  }
}

async function contents(store: Store) {
  const assets = (await store.assets()).toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const { rows } = await store.currentSince(0);
  const found = await Array.fromAsync(assets, async ({ assetNumber, symbol }) => {
    const row = rows.find(each => each.assetNumber === assetNumber);
    const sources = (await store.sourceBars([assetNumber], '1d', 0, LAST_DAY)).get(assetNumber)!;
    return {
      symbol,
      bars: await store.bars(assetNumber, FIRST_DAY, LAST_DAY),
      row: row && { price: row.price, values: row.values },
      sources: sources.map(({ origin, ...bars }) => bars),
    };
  });
  return { found, unmerged: await store.unmerged(), pending: await store.pending() };
}

for (const [name, freshUrl] of Object.entries(STORES)) {
  describe(`a killed load of a second source into ${name}`, () => {
    it(`killed ${KILLS} times and repeated, leaves what an undisturbed one does`, t =>
      trial(
        t,
        {
          ...{ fault: `load of a second source killed (SIGKILL), ${name}`, rounds: KILLS },
          checked: ['bars', 'snapshots'] as const,
        },
        async () => {
          const load = async (url: string, path: string, source: string) => {
            const end = await onceFree(() => start(url, path, source));
            assert.equal(end.code, 0, end.stderr);
          };
          const whole = await freshUrl();
          await load(whole, FIRST_FILE, 'first');
          const began = performance.now();
          await load(whole, SECOND_FILE, 'second');
          const millis = performance.now() - began;
          const expected = await withStore(whole, contents);
          assert.equal(expected.found[0]!.sources.length, 2);
          let [storing, merging] = [0, 0];
          for (let kill = 0; kill < KILLS; kill++) {
            const url = await freshUrl();
            await load(url, FIRST_FILE, 'first');
            await withStore(url, async store => {
              const child = start(url, SECOND_FILE, 'second');
              const end = ended(child);
              const isApart = async () => (await store.sources()).some(({ separate }) => separate);
              while (child.exitCode === null && !(await isApart())) await wait(2);
              // Every other one when the served bars are made.
              const isMerging = async () =>
                (await store.priceRules()).length > 0 && (await store.unmerged()).length < ASSETS;
              while (kill % 2 === 1 && child.exitCode === null && !(await isMerging())) await wait(1);
              await Promise.race([wait((Math.random() * millis) / (kill % 2 === 1 ? 20 : 3)), end]);
              child.kill('SIGKILL');
              await end;
              const left = (await store.unmerged()).length;
              if (left > 0 && left < ASSETS) merging++;
              else if (left === ASSETS) storing++;
              await load(url, SECOND_FILE, 'second');
              await assertWhole(store);
              assert.deepEqual(await contents(store), expected);
            });
          }
          return `${storing} of them before the served bars were made, ${merging} while they were`;
        },
      ));
  });
}
