// Kills commands that change what people say about bars, after that is stored and before it is published, and checks of all bars, on both
// stores: the next publication completes them, and everything is as after undisturbed ones.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type Day, isoFromDay } from '../../../src/domain/day.ts';
import type { Store } from '../../../src/store/store.ts';
import { freshPostgresUrl } from '../../support/postgres.ts';
import { trial } from './findings.ts';
import { assertWhole, contents, type Ended, ended, rounds, startProgram, withStore } from './loading.ts';

const ROUNDS = rounds(1);
const [ASSETS, DAYS, FIRST] = [80, 300, 20_000];
const folder = mkdtempSync(join(tmpdir(), 'tidemark-killed-reviews-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;

const STORES: Readonly<Record<string, () => Promise<string>>> = {
  SQLite: async () => `sqlite:${join(folder, `${++files}.db`)}`,
  PostgreSQL: freshPostgresUrl,
};

/** Each asset has a spike, a gap, and a high below its close. */
function writeBars(): string {
  const lines = ['symbol,day,high,close'];
  for (let asset = 0; asset < ASSETS; asset++) {
    for (let day = 0; day < DAYS; day++) {
      if (day === 100 + asset) continue;
      const close = (10 + asset + (day % 17) / 8) * (day === 200 ? 9 : 1);
      lines.push(`K${asset},${isoFromDay((FIRST + day) as Day)},${close + (day === 50 ? -1 : 1)},${close}`);
    }
  }
  const path = join(folder, 'bars.csv');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

function writeActions(): string {
  const path = join(folder, 'actions.csv');
  const rows = Array.from(
    { length: ASSETS },
    (_, asset) => `k${asset}-k${asset},${isoFromDay((FIRST + 30) as Day)},10`,
  );
  writeFileSync(path, `asset,day,ratio\n${rows.join('\n')}\n`);
  return path;
}

const [BARS, ACTIONS] = [writeBars(), writeActions()];
const LOAD = ['ingest', 'csv', BARS];

interface Step {
  readonly name: string;
  readonly args: readonly string[];
  /** Whether what the command stores first is there. */
  readonly isStored: (store: Store) => Promise<boolean>;
}

const SPIKE = isoFromDay((FIRST + 200) as Day);
const STEPS: readonly Step[] = [
  {
    name: 'a correction',
    args: ['correct', '--asset', 'k1-k1', '--period', SPIKE, '--close', '11', '--reason', 'a wrong tick'],
    isStored: async store => (await store.corrections()).length > 0,
  },
  {
    name: 'actions',
    args: ['ingest', 'actions', ACTIONS],
    isStored: async store => (await store.actions()).length > 0,
  },
  {
    name: 'a check of all bars',
    args: ['check', '--again', '--json'],
    isStored: async store => (await store.checks()).some(({ complete }) => !complete),
  },
];

/** A database server takes a moment to find out that a client is gone, and frees its lock only then. */
async function onceFree(url: string, args: readonly string[]): Promise<Ended> {
  for (const giveUp = performance.now() + 30_000; ; ) {
    const end = await ended(startProgram(...args, '--store', url));
    if (!/another load is writing/.test(end.stderr) || performance.now() > giveUp) return end;
  }
}

async function everything(store: Store) {
  const corrections = (await store.corrections()).map(({ createdAt, ...rest }) => rest);
  const actions = (await store.actions()).map(({ createdAt, ...rest }) => rest);
  const rest = { unmerged: await store.unmerged(), checks: await store.checks(), findings: await store.findings() };
  return { ...(await contents(store)), corrections, actions, ...rest };
}

for (const [name, freshUrl] of Object.entries(STORES)) {
  describe(`killed on ${name}, and completed by the next publication`, () => {
    for (const { name: what, args, isStored } of STEPS) {
      it(what, t =>
        trial(
          t,
          {
            ...{ fault: `${what} killed (SIGKILL) before the publication, ${name}`, rounds: ROUNDS },
            checked: ['bars', 'snapshots'] as const,
          },
          async () => {
            const whole = await freshUrl();
            for (const each of [LOAD, args, LOAD]) assert.notEqual((await onceFree(whole, each)).code, 2);
            const expected = await withStore(whole, everything);
            assert.equal(new Set(expected.findings.map(({ rule }) => rule)).size > 2, true);
            let between = 0;
            for (let round = 0; round < ROUNDS; round++) {
              const url = await freshUrl();
              assert.equal((await onceFree(url, LOAD)).code, 0);
              await withStore(url, async store => {
                const child = startProgram(...args, '--store', url);
                const end = ended(child);
                while (child.exitCode === null && !(await isStored(store))) await wait(0);
                if (round % 2 === 1) await wait(Math.random() * 100);
                child.kill('SIGKILL');
                await end;
                const isOpen =
                  (await store.pending()).length > 0 || (await store.checks()).some(each => !each.complete);
                if (isOpen) between++;
                const { code, stderr } = await onceFree(url, LOAD);
                assert.equal(code, 0, stderr);
                await assertWhole(store);
                assert.deepEqual(await everything(store), expected);
              });
            }
            return `${between} of them before the publication`;
          },
        ),
      );
    }
  });
}
