// Backups and restores beside a running load, and killed at random moments.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { hashOf } from '../../../src/domain/api-key.ts';
import { LAST_DAY } from '../../../src/domain/day.ts';
import { csvSource } from '../../../src/ingest/csv/csv-source.ts';
import { load } from '../../../src/ingest/pipeline.ts';
import { checkBackup, restoreBackup } from '../../../src/store/backup/restore.ts';
import { writeBackup } from '../../../src/store/backup/write.ts';
import type { NewKey, Store } from '../../../src/store/store.ts';
import { freshPostgresUrl } from '../../support/postgres.ts';
import { everything } from '../../support/whole-store.ts';
import { trial } from './findings.ts';
import { BARS_PER_FILE, writeBars } from './load-files.ts';
import { contents, ended, rounds, startIngest, startProgram, withStore } from './loading.ts';

const ROUNDS = rounds(2, 0.2);

const folder = mkdtempSync(join(tmpdir(), 'tidemark-kill-backup-'));
after(() => rmSync(folder, { recursive: true }));
let names = 0;
const freshFile = () => join(folder, `${++names}`);
const KINDS = [
  ['SQLite', async () => `sqlite:${freshFile()}.db`],
  ['PostgreSQL', freshPostgresUrl],
] as const;
const files = writeBars(folder);
const KEY: NewKey = { id: 'key_kept', hash: hashOf('kept'), tier: 'pro', name: null, expires: null };

const backedUp = (store: Store, file: string) =>
  writeBackup(store, file, { withSecrets: true, signal: new AbortController().signal, onProgress: () => {} });
const loadAll = (store: Store) =>
  load({ store, source: csvSource([files]), today: LAST_DAY, signal: new AbortController().signal });

for (const [kind, freshUrl] of KINDS) {
  describe(`a ${kind} store`, () => {
    /** A store that is loaded, its contents, and a backup of it. */
    let full: { url: string; contents: Record<string, unknown>; everything: unknown; backup: string };
    before(async () => {
      const [url, backup] = [await freshUrl(), freshFile()];
      full = await withStore(url, async store => {
        await loadAll(store);
        await store.createKey(KEY);
        await backedUp(store, backup);
        return { url, contents: await contents(store), everything: await everything(store), backup };
      });
    });

    it('is backed up as of one moment during a load', async () => {
      const url = await freshUrl();
      const backups: string[] = [];
      await withStore(url, async store => {
        const child = startIngest('csv', files, url);
        const end = ended(child);
        while ((await store.totals()).bars === 0 && child.exitCode === null) await wait(1);
        while (child.exitCode === null && backups.length < ROUNDS) {
          const file = freshFile();
          await backedUp(store, file);
          backups.push(file);
          await wait(Math.random() * 20);
        }
        assert.equal((await end).code, 0);
      });
      assert.ok(backups.length > 0);
      for (const file of backups) {
        const { bars } = await checkBackup(file, () => {});
        assert.equal(bars % BARS_PER_FILE, 0, 'each file of the load is one transaction');
        await withStore(await freshUrl(), async store => {
          await restoreBackup(store, file, () => {});
          assert.equal((await store.totals()).bars, bars);
          await loadAll(store);
          assert.deepEqual(await contents(store), full.contents);
        });
      }
    });

    it(`has its older backup, or a new whole one, when a backup of it is killed (${ROUNDS} times)`, t =>
      trial(t, { fault: `backup killed (SIGKILL), ${kind}`, rounds: ROUNDS, checked: ['bars', 'keys'] }, killBackups));

    async function killBackups(): Promise<undefined> {
      for (let round = 0; round < ROUNDS; round++) {
        const file = freshFile();
        const older = round % 2 === 0 ? readFileSync(full.backup) : null;
        if (older !== null) await withStore(full.url, store => backedUp(store, file));
        await killAfterStart(`${file}.partial`, 'backup', file, '--force', '--store', full.url);
        if (older === null && !existsSync(file)) continue;
        await withStore(await freshUrl(), async store => {
          await restoreBackup(store, file, () => {});
          assert.deepEqual(await everything(store), full.everything);
        });
      }
    }

    it(`is empty or whole when a restore into it is killed (${ROUNDS} times)`, t =>
      trial(
        t,
        { fault: `restore killed (SIGKILL), ${kind}`, rounds: ROUNDS, checked: ['bars', 'keys'] },
        killRestores,
      ));

    async function killRestores(): Promise<undefined> {
      for (let round = 0; round < ROUNDS; round++) {
        const url = await freshUrl();
        const child = startProgram('restore', full.backup, '--store', url);
        const end = ended(child);
        // Most of the time goes into the start of the program.
        await Promise.race([wait(300 + Math.random() * 700), end]);
        child.kill('SIGKILL');
        await end;
        await withStore(url, async store => {
          const { assets, bars } = await store.totals();
          if (assets === 0) {
            assert.equal(bars, 0);
            await whenFree(() => restoreBackup(store, full.backup, () => {}));
          }
          assert.deepEqual(await everything(store), full.everything);
        });
      }
    }
  });
}

/** Kills the program at some moment after it has begun to write the file. */
async function killAfterStart(file: string, ...args: string[]): Promise<void> {
  const child = startProgram(...args);
  const end = ended(child);
  while (!existsSync(file) && child.exitCode === null) await wait(1);
  await wait(Math.random() * 10);
  child.kill('SIGKILL');
  await end;
}

/** A database server takes a moment to find out that a client is gone, and ends its transaction only then. */
async function whenFree(work: () => Promise<void>): Promise<void> {
  const giveUp = performance.now() + 20_000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > giveUp) throw error;
      await wait(20);
    }
  }
}
