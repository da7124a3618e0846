// Backups: from each kind of store into each, and files that must be refused.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { DEMO_KEYS, hashOf } from '../../src/domain/api-key.ts';
import { checkBackup, restoreBackup } from '../../src/store/backup/restore.ts';
import { writeBackup } from '../../src/store/backup/write.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { everything, fillWithEverything } from '../support/whole-store.ts';
import { batch, draft } from './fixtures.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-backup-'));
after(() => rmSync(folder, { recursive: true }));
let names = 0;
const freshFile = () => join(folder, `${++names}`);
const FRESH = { SQLite: async () => `sqlite:${freshFile()}`, PostgreSQL: freshPostgresUrl } as const;
type Kind = keyof typeof FRESH;
const KINDS = Object.keys(FRESH) as Kind[]; // the keys of the table

async function freshStore(t: TestContext, kind: Kind): Promise<Store> {
  const store = await openStore(await FRESH[kind]());
  t.after(() => store.close());
  return store;
}

async function backedUp(store: Store, file = freshFile()): Promise<string> {
  await writeBackup(store, file, { withSecrets: true, signal: new AbortController().signal, onProgress: () => {} });
  return file;
}

const restored = (store: Store, file: string) => restoreBackup(store, file, () => {});

describe('a backup', () => {
  for (const [from, to] of KINDS.flatMap(one => KINDS.map(other => [one, other] as const))) {
    it(`of ${from} restored into ${to} is the same store`, async t => {
      const [source, target] = [await freshStore(t, from), await freshStore(t, to)];
      await fillWithEverything(source);
      await restored(target, await backedUp(source));
      assert.deepEqual(await everything(target), await everything(source));
      const { bytes, version } = await target.totals();
      assert.deepEqual(await target.totals(), { ...(await source.totals()), bytes, version });
      assert.ok(version > (await source.version()));
    });
  }

  it('without secrets leaves out the destinations of alerts and what signs their messages', async t => {
    const [source, target] = [await freshStore(t, 'SQLite'), await freshStore(t, 'SQLite')];
    await fillWithEverything(source);
    const file = freshFile();
    const signal = new AbortController().signal;
    await writeBackup(source, file, { withSecrets: false, signal, onProgress: () => {} });
    const text = gunzipSync(readFileSync(file)).toString();
    for (const alert of await source.alerts()) {
      assert.ok(!text.includes(alert.target!.secret) && !text.includes(alert.target!.url));
    }
    await restored(target, file);
    const expected = (await source.alerts()).map(alert => ({ ...alert, target: null, paused: true }));
    assert.deepEqual(await target.alerts(), expected);
  });

  for (const kind of KINDS) {
    it(`leaves a ${kind} store that goes on as any other does`, async t => {
      const [source, target] = [await freshStore(t, kind), await freshStore(t, kind)];
      await fillWithEverything(source);
      await restored(target, await backedUp(source));
      assert.equal(await target.beginLoad('csv'), (await source.loads(1))[0]!.id + 1);
      const taken = new Set((await target.assets()).map(asset => asset.assetNumber));
      const [assetNumber = 0] = await target.putAssets([draft('new-one')]);
      assert.ok(!taken.has(assetNumber));
      assert.deepEqual(await target.putBars(batch([{ assetNumber, day: 1, close: 5 }])), {
        inserted: 1,
        replaced: 0,
        unchanged: 0,
      });
      await assert.rejects(
        target.createKey({ id: 'new', hash: hashOf('key_gone'), tier: 'free', name: null, expires: null }),
        {
          code: 'key_taken',
        },
      );
    });

    it(`tells a server that watches the empty ${kind} store`, async t => {
      const [source, target] = [await freshStore(t, kind), await freshStore(t, kind)];
      await fillWithEverything(source);
      const before = { version: await target.version(), keys: await target.keysVersion() };
      await restored(target, await backedUp(source));
      assert.ok((await target.version()) > before.version);
      assert.ok((await target.keysVersion()) > before.keys);
      assert.equal((await target.currentSince(before.version)).rows.length, 2);
    });

    it(`of ${kind} is of one moment, although others write meanwhile`, async t => {
      const store = await freshStore(t, kind);
      await fillWithEverything(store);
      const before = await everything(store);
      const seen = await store.readConsistently(async view => {
        await view.version();
        const [assetNumber = 0] = await store.putAssets([draft('later')]);
        await store.putBars(batch([{ assetNumber, day: 0, close: 1 }]));
        await store.publish('other', []);
        await store.revokeKey('key_a');
        return {
          assets: (await view.assets()).length,
          keys: await view.keys(),
          columns: (await view.currentSince(0)).columns,
        };
      });
      assert.deepEqual(seen, { assets: 4, keys: before['keys'], columns: before['columns'] });
      assert.equal((await store.assets()).length, 5);
    });

    for (const [what, put] of [
      ['an asset', (store: Store) => store.putAssets([draft('one')])],
      ['a load', (store: Store) => store.beginLoad('csv')],
      [
        'a key',
        (store: Store) => store.createKey({ id: 'k', hash: hashOf('k'), tier: 'free', name: null, expires: null }),
      ],
    ] as const) {
      it(`is not restored into a ${kind} store that holds ${what}`, async t => {
        const [source, target] = [await freshStore(t, kind), await freshStore(t, kind)];
        await put(target);
        const before = await everything(target);
        await assert.rejects(restored(target, await backedUp(source)), { code: 'not_empty', hint: /--store/ });
        assert.deepEqual(await everything(target), before);
      });
    }

    it(`of an empty ${kind} store is an empty store`, async t => {
      const [source, target] = [await freshStore(t, kind), await freshStore(t, kind)];
      await restored(target, await backedUp(source));
      assert.equal(await target.version(), 0);
      assert.deepEqual(await everything(target), await everything(source));
    });
  }

  it('does not contain the public demo keys', async t => {
    const [source, target] = [await freshStore(t, 'SQLite'), await freshStore(t, 'SQLite')];
    await source.createKey({ id: 'demo', hash: hashOf(DEMO_KEYS.pro), tier: 'pro', name: null, expires: null });
    await restored(target, await backedUp(source));
    assert.deepEqual(await target.keys(), []);
  });

  it('may be read by its owner only, and leaves nothing beside it', async t => {
    const file = await backedUp(await freshStore(t, 'SQLite'));
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.ok(!existsSync(`${file}.partial`));
  });

  it('that fails leaves the older file of that name as it was', async t => {
    const store = await freshStore(t, 'SQLite');
    await fillWithEverything(store);
    const file = await backedUp(store);
    const older = readFileSync(file);
    const signal = AbortSignal.abort();
    await assert.rejects(writeBackup(store, file, { withSecrets: false, signal, onProgress: () => {} }));
    assert.deepEqual(readFileSync(file), older);
    assert.ok(!existsSync(`${file}.partial`));
  });
});

describe('a backup file', () => {
  let good: Buffer;
  let store: Store;
  before(async () => {
    store = await openStore(await FRESH.SQLite());
    await fillWithEverything(store);
    good = readFileSync(await backedUp(store));
  });
  after(() => store.close());

  const linesOf = () => gunzipSync(good).toString().split('\n').slice(0, -1);
  const fileOf = (lines: readonly string[]) => gzipSync(lines.map(line => `${line}\n`).join(''));
  /** The lines with an end that fits them: what a forger would make, or another program. */
  const signed = (lines: readonly string[]) => {
    const sha256 = createHash('sha256')
      .update(lines.map(line => `${line}\n`).join(''))
      .digest('hex');
    return fileOf([...lines, JSON.stringify({ kind: 'end', records: lines.length - 1, sha256 })]);
  };
  const body = () => linesOf().slice(0, -1);
  const flipped = (place: number) => good.map((byte, at) => (at === place ? byte ^ 16 : byte));

  for (const [what, bytes, message] of [
    ['is empty', () => Buffer.alloc(0), /is not a backup|ends too early/],
    ['is text', () => Buffer.from('symbol,day,close\n'), /is not a backup/],
    ['is gzip of something else', () => gzipSync('symbol,day,close\n'), /is damaged: a line|is not a backup/],
    ['is JSON of something else', () => gzipSync('{"a":1}\n'), /is not a backup/],
    ['was cut off in the middle', () => good.subarray(0, good.length >> 1), /ends too early/],
    ['was cut off by one byte', () => good.subarray(0, -1), /ends too early/],
    ['has no last line', () => fileOf(body()), /ends too early/],
    ['has half of a last line', () => gzipSync(gunzipSync(good).subarray(0, -20)), /ends too early/],
    ['misses a line', () => fileOf(linesOf().toSpliced(3, 1)), /checksum/],
    [
      'has another price',
      () => fileOf(linesOf().map(line => line.replace('"close":[1e-18', '"close":[2e-18'))),
      /checksum/,
    ],
    ['has another header', () => fileOf(linesOf().map(line => line.replace('"version":1', '"version":9'))), /checksum/],
    [
      'is of a newer form',
      () => signed(body().map(line => line.replace('"format":5', '"format":6'))),
      /newer Tidemark/,
    ],
    ['has another checksum of gzip', () => flipped(good.length - 6), /damaged/],
  ] as const) {
    it(`because it ${what} is refused in plain words`, async () => {
      const file = freshFile();
      writeFileSync(file, bytes());
      await assert.rejects(
        checkBackup(file, () => {}),
        { name: 'BackupError', message, hint: /backup|Tidemark/ },
      );
    });
  }

  it('with a flipped bit is refused, unless the bit means nothing', async () => {
    const file = freshFile();
    const text = gunzipSync(good);
    let refused = 0;
    for (let place = 0; place < good.length; place += 13) {
      const bytes = flipped(place);
      writeFileSync(file, bytes);
      const error = await checkBackup(file, () => {}).then(
        () => null,
        error => error,
      );
      if (error !== null) {
        assert.equal(error.name, 'BackupError');
        refused++;
      } else assert.deepEqual(gunzipSync(bytes), text, `byte ${place}`); // gzip has fields without meaning, and refers to equal text in several ways
    }
    assert.ok(refused > good.length / 13 / 2);
  });

  for (const [what, lines] of [
    ['out of order', () => body().toSpliced(1, 0, body().at(-1)!)],
    ['of an unknown kind', () => [...body(), '{"kind":"song"}']],
    ['of an asset that is missing', () => body().toSpliced(1, 1)],
  ] as const) {
    it(`because a record is ${what} leaves the store empty`, async t => {
      const file = freshFile();
      writeFileSync(file, signed(lines()));
      for (const kind of KINDS) {
        const target = await freshStore(t, kind);
        const empty = await everything(target);
        await assert.rejects(restored(target, file), { name: 'BackupError' });
        assert.deepEqual(await everything(target), empty);
      }
    });
  }

  it('in format 1, which calls loads runs, is restored', async t => {
    const file = freshFile();
    const old = body().map(line => line.replace('"format":5', '"format":1').replace('"kind":"load"', '"kind":"run"'));
    assert.match(old[0]!, /"format":1,/);
    assert.ok(old.some(line => line.includes('"kind":"run"')));
    writeFileSync(file, signed(old));
    const target = await freshStore(t, 'SQLite');
    await restored(target, file);
    assert.deepEqual(await everything(target), await everything(store));
  });
});
