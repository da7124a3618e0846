// The file of a SQLite store is damaged: every command reports it with the way back, and a running server goes on.

import assert from 'node:assert/strict';
import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { FIRST_DAY, LAST_DAY } from '../../../src/domain/day.ts';
import { trial } from './findings.ts';
import { writeBars } from './load-files.ts';
import { assertWhole, contents, run, withStore } from './loading.ts';
import { listingOf, WatchedServer } from './watched-server.ts';

const PAGE = 4096;

describe('a SQLite store whose file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-damage-'));
  const files = writeBars(folder);
  const [whole, backup] = [join(folder, 'whole.db'), join(folder, 'backup')];
  let bytes: Buffer;
  let key: string;
  /** Of one asset. */
  let highs: Float64Array;
  let indicators: Float64Array;
  let names = 0;
  before(async () => {
    assert.equal((await run('ingest', 'csv', files, '--store', `sqlite:${whole}`)).code, 0);
    const made = await run('keys', 'create', '--tier', 'unlimited', '--json', '--store', `sqlite:${whole}`);
    key = JSON.parse(made.stdout).key;
    assert.equal((await run('backup', backup, '--store', `sqlite:${whole}`)).code, 0);
    bytes = readFileSync(whole);
    await withStore(`sqlite:${whole}`, async store => {
      const [{ assetNumber: asset, values } = assert.fail('there are rows')] = (await store.currentSince(0)).rows;
      indicators = values;
      highs = (await store.bars(asset, FIRST_DAY, LAST_DAY)).high;
    });
  });
  after(() => rmSync(folder, { recursive: true }));

  const filled = (value: number, from: number, to: number) => Buffer.from(bytes).fill(value, from, to);
  const middle = () => Math.floor(bytes.length / 2 / PAGE) * PAGE;
  /** With the lowest bit of one of the numbers changed; a number that lies across two pages is not found. */
  function changed(numbers: Iterable<number>): Buffer {
    for (const number of numbers) {
      const at = number === 0 ? -1 : bytes.indexOf(new Uint8Array(Float64Array.of(number).buffer));
      if (at < 0) continue;
      const copy = Buffer.from(bytes);
      copy[at]! ^= 1;
      return copy;
    }
    throw new Error('none of the numbers is in the file');
  }
  const SOME = ['ingest csv', 'serve'];
  const EVERYBODY = ['status', 'verify', 'keys list', 'ingest csv', 'backup', 'serve'];

  for (const [what, damage, finders, message] of [
    ['was cut in half', () => bytes.subarray(0, middle()), EVERYBODY, /is damaged/],
    ['was cut to 50 bytes', () => bytes.subarray(0, 50), SOME, /is damaged/],
    ['has garbage after its first page', () => filled(0xa5, PAGE, bytes.length), SOME, /is damaged/],
    ['has garbage in its first page', () => filled(0xa5, 100, PAGE), SOME, /is damaged/],
    ['has a garbage header', () => filled(0xa5, 0, 100), SOME, /is not a SQLite database\n.*its beginning is damaged/],
    ['lost a run of pages in the middle', () => filled(0, middle(), middle() + 16 * PAGE), ['verify'], /is damaged/],
    ['has a changed bit in a bar', () => changed(highs), ['verify', 'ingest csv', 'backup'], /is damaged/],
    ['has a changed bit in a current row', () => changed(indicators), ['verify', 'serve'], /is damaged/],
  ] as const) {
    it(`${what} is told with the way back by ${finders.join(', ')}`, async () => {
      const path = join(folder, `${++names}.db`);
      writeFileSync(path, damage());
      const store = ['--store', `sqlite:${path}`];
      const commands: Record<string, string[]> = {
        'ingest csv': ['ingest', 'csv', files],
        backup: ['backup', `${path}.backup`],
        serve: ['serve', '--port', '0'],
      };
      await Promise.all(
        finders.map(async name => {
          const { code, stderr } = await run(...(commands[name] ?? name.split(' ')), ...store);
          assert.equal(code, 1, name);
          assert.match(stderr, message);
          assert.match(stderr, /tidemark restore BACKUP/);
          assert.doesNotMatch(stderr, /\n\s+at |should not happen/);
        }),
      );
    });
  }

  it('has a log of garbage beside it is whole: the log is not of it', async () => {
    const path = join(folder, 'log.db');
    copyFileSync(whole, path);
    writeFileSync(`${path}-wal`, 'garbage '.repeat(10_000));
    assert.match((await run('verify', '--store', `sqlite:${path}`)).stdout, /no differences/);
  });

  it('is damaged under a running server is served on, told in its log, and back after a restore', t =>
    trial(t, { fault: 'SQLite file overwritten under a server, restored', rounds: 1 }, () => damageServed(t)));

  async function damageServed(t: TestContext): Promise<string> {
    const path = join(folder, 'served.db');
    copyFileSync(whole, path);
    const listing = await withStore(`sqlite:${path}`, listingOf);
    const server = await WatchedServer.startWith(t, key, `sqlite:${path}`);
    await server.shows(listing);
    // In place: the server has the file open.
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(bytes.length, 0xa5), 0, bytes.length, 0);
    closeSync(file);
    // What is in the memory of the server is still good; what is not is found at the next request for it.
    while (!/damaged|not a SQLite database/.test(server.stderr)) {
      await server.get('/v1/crypto/ta-hist?symbol=K1');
      await wait(20);
    }
    await server.answers(20);
    await server.stop(listing);

    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
    const restored = await run('restore', backup, '--store', `sqlite:${path}`);
    assert.equal(restored.code, 0, restored.stderr);
    assert.deepEqual(await withStore(`sqlite:${path}`, contents), await withStore(`sqlite:${whole}`, contents));
    await withStore(`sqlite:${path}`, async store => {
      await assertWhole(store);
      assert.deepEqual(await store.keys(), await withStore(`sqlite:${whole}`, each => each.keys()));
    });
    return `${server.asked} answers`;
  }
});
