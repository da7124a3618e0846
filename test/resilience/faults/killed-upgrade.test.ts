// Kills the upgrade of a store of an older layout at random moments: the store is the old one or the new one, with everything that it had.

import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { FIRST_DAY } from '../../../src/domain/day.ts';
import { LAYOUT as POSTGRES_LAYOUT } from '../../../src/store/postgres/layout.ts';
import { LAYOUT, OLDEST_LAYOUT } from '../../../src/store/sqlite/layout.ts';
import type { Store } from '../../../src/store/store.ts';
import { makeOlderPostgres, makeOlderSqlite } from '../../support/older-store.ts';
import { freshPostgresUrl, runSql } from '../../support/postgres.ts';
import { trial } from './findings.ts';
import { contents, ended, rounds, startProgram, withStore } from './loading.ts';

const KILLS = rounds(4);
const ASSETS = 3000;
const folder = mkdtempSync(join(tmpdir(), 'tidemark-killed-upgrade-'));
after(() => rmSync(folder, { recursive: true }));

async function fill(store: Store): Promise<void> {
  const facts = { rank: null, type: null, supply: null, tags: '', provisional: false, delisted: false };
  const numbers = await store.putAssets(
    Array.from({ length: ASSETS }, (_, i) => ({ id: `asset-${i}`, symbol: `A${i}`, name: `Asset ${i}`, ...facts })),
  );
  const unknown = new Float64Array(ASSETS).fill(Number.NaN);
  await store.putBars({
    ...{ count: ASSETS, assetNumber: Uint32Array.from(numbers), day: new Int32Array(ASSETS).fill(FIRST_DAY) },
    ...{ close: Float64Array.from(numbers), open: unknown, high: unknown, low: unknown, volume: unknown },
  });
}

interface Older {
  /** A store of the older layout with the same content as the others. */
  readonly make: () => Promise<string>;
  readonly layoutOf: (url: string) => Promise<number>;
  readonly layouts: readonly [older: number, newest: number];
}

let files = 0;
const STORES: Readonly<Record<string, () => Promise<Older>>> = {
  SQLite: async () => {
    const original = join(folder, 'older.db');
    await withStore(`sqlite:${original}`, fill);
    makeOlderSqlite(original);
    return {
      make: async () => {
        const path = join(folder, `${++files}.db`);
        copyFileSync(original, path);
        return `sqlite:${path}`;
      },
      layoutOf: async url => {
        const db = new DatabaseSync(url.slice('sqlite:'.length), { readOnly: true });
        const { user_version: layout } = db.prepare('PRAGMA user_version').get()!;
        db.close();
        return Number(layout);
      },
      layouts: [OLDEST_LAYOUT, LAYOUT],
    };
  },
  PostgreSQL: async () => ({
    make: async () => {
      const url = await freshPostgresUrl();
      await withStore(url, fill);
      await makeOlderPostgres(url);
      return url;
    },
    layoutOf: async url => (await runSql<{ layout: number }>(url, 'SELECT layout FROM tidemark.meta'))[0]!.layout,
    layouts: [12, POSTGRES_LAYOUT],
  }),
};

for (const [name, prepare] of Object.entries(STORES)) {
  describe(`an upgrade of a ${name} store`, () => {
    const told = { fault: `upgrade killed (SIGKILL), ${name}`, rounds: KILLS, checked: ['bars', 'snapshots'] as const };
    it(`that is killed ${KILLS} times leaves the store of before, or the upgraded one`, t =>
      trial(t, told, async () => {
        const older = await prepare();
        const expected = await withStore(await older.make(), contents);
        assert.equal(Object.keys(expected).length, ASSETS + 1);
        const seen = { older: 0, newest: 0 };
        for (let kill = 0; kill < KILLS; kill++) {
          const url = await older.make();
          const child = startProgram('loads', 'list', '--store', url);
          const end = ended(child);
          // The program takes some tenths of a second until it opens the store.
          const killAt = wait(Math.random() * 800, undefined, { ref: false });
          await Promise.race([end, killAt]);
          child.kill('SIGKILL');
          await end;
          const layout = await older.layoutOf(url);
          assert.ok(older.layouts.includes(layout), `layout ${layout}`);
          seen[layout === older.layouts[0] ? 'older' : 'newest']++;
          assert.deepEqual(await withStore(url, contents), expected);
          await withStore(url, store => store.checkIntegrity());
        }
        return `${seen.older} were left as they were, ${seen.newest} upgraded`;
      }));
  });
}
