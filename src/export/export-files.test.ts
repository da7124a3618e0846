import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ExportFiles, type ExportFilesOptions, type ExportRequest } from './export-files.ts';
import { type ExportFile, IN_USE_MS, MAX_VERSIONS } from './export-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'tidemark-export-files-'));
after(() => rmSync(root, { recursive: true }));

const BYTES = 1000;
const CURRENT: ExportRequest = { dataset: 'ta-cur', interval: '1d', quote: null, name: null };
const ASSETS: ExportRequest = { dataset: 'assets', interval: '1d', quote: null, name: null };
const HISTORY: ExportRequest = { dataset: 'bars', interval: '1d', quote: null, name: null };
const publication = (version: number) => ({ version, fingerprint: `fingerprint-${version}` });
type Publication = ReturnType<typeof publication>;
const contentOf = (version: number) => Buffer.alloc(BYTES, `content of ${version}. `);

interface Files {
  readonly files: ExportFiles<Publication>;
  readonly folder: string;
  /** What was made, and what could not be done. */
  readonly made: string[];
  readonly failures: unknown[];
  readonly clock: { now: number };
}

/** Files of 1,000 bytes each. */
function filesIn(folder: string, maxBytes: number, options: Partial<ExportFilesOptions<Publication>> = {}): Files {
  const [made, failures, clock] = [[] as string[], [] as unknown[], { now: Date.now() }];
  const files = new ExportFiles<Publication>({
    folder,
    maxBytes,
    now: () => clock.now,
    onFailed: error => failures.push(error),
    make: async ({ version }, { dataset }, path, room) => {
      made.push(`${dataset} ${version}`);
      const content = contentOf(version);
      writeFileSync(path, content, { flag: 'wx' });
      if (content.length > room) return 'too large';
      return { rows: 7, sha256: createHash('sha256').update(content).digest('base64url'), version };
    },
    ...options,
  });
  return { files, folder, made, failures, clock };
}

const newFolder = (name: string) => mkdtempSync(join(root, `${name}-`));

async function found(files: Files, version: number, request: ExportRequest): Promise<ExportFile> {
  const file = await files.files.find(publication(version), request);
  return typeof file === 'string' ? assert.fail(`${file}: ${files.failures}`) : file;
}

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

describe('the folder of exports', () => {
  for (const [maxBytes, kept] of [
    [1e9, 2 * MAX_VERSIONS],
    [4 * BYTES, 4],
    [4 * BYTES + 999, 4],
    [3 * BYTES, 3],
    // The newest file of each dataset is kept in any case.
    [1, 2],
  ] as const) {
    it(`of at most ${maxBytes} bytes has ${kept} files, the newest ones, once the others are not in use`, async () => {
      const all = filesIn(newFolder('bound'), maxBytes);
      for (let version = 1; version <= 6; version++) {
        for (const request of [CURRENT, ASSETS]) await found(all, version, request);
        all.clock.now += IN_USE_MS + 1;
        assert.ok(bytesIn(all.folder) <= Math.max(maxBytes, 2 * BYTES), `${bytesIn(all.folder)} bytes`);
      }
      const names = readdirSync(all.folder);
      assert.equal(names.length, kept);
      for (const dataset of ['ta-cur', 'assets']) {
        assert.ok(
          names.some(name => name.startsWith(`${dataset}.6-`)),
          dataset,
        );
      }
    });
  }

  it('keeps every version that a client may be reading, within the bound', async () => {
    const all = filesIn(newFolder('used'), 20 * BYTES);
    const first = await found(all, 1, CURRENT);
    for (let version = 2; version <= 15; version++) {
      all.clock.now += IN_USE_MS / 4;
      await found(all, version, CURRENT);
      // A reader that goes on reading the first version.
      await found(all, version, { dataset: 'ta-cur', interval: '1d', quote: null, name: first.name });
    }
    const versions = readdirSync(all.folder).map(name => Number(name.split(/[.-]/)[2]));
    assert.deepEqual(
      versions.sort((a, b) => a - b),
      [1, 11, 12, 13, 14, 15],
    );
  });

  it('never has more bytes than the bound, however many versions are in use', async () => {
    const all = filesIn(newFolder('full'), 5 * BYTES);
    for (let version = 1; version <= 500; version++) {
      await found(all, version, CURRENT);
      assert.ok(bytesIn(all.folder) <= 5 * BYTES);
    }
    assert.equal(readdirSync(all.folder).length, 5);
  });

  it('on a disk that is full gives up older versions, and has the newest one', async () => {
    const all = filesIn(newFolder('disk'), 1e9, {
      make: async ({ version }, _, path) => {
        all.made.push(`${version}`);
        writeFileSync(path, contentOf(version).subarray(0, 10));
        // The disk has room for four files.
        if (bytesIn(all.folder) > 4 * BYTES) throw new Error('a thread failed: Error: ENOSPC: no space left on device');
        writeFileSync(path, contentOf(version));
        return { rows: 1, sha256: createHash('sha256').update(contentOf(version)).digest('base64url'), version };
      },
    });
    for (let version = 1; version <= 20; version++) await found(all, version, CURRENT);
    assert.ok(bytesIn(all.folder) <= 4 * BYTES);
    assert.ok(all.made.length > 20);
    const broken = filesIn(newFolder('disk'), 1e9, { make: () => Promise.reject(new Error('ENOSPC')) });
    assert.equal(await broken.files.find(publication(1), CURRENT), 'failed');
    assert.deepEqual(readdirSync(broken.folder), []);
  });

  it('is the same after a restart, and a removed version is gone', async () => {
    const before = filesIn(newFolder('restart'), 2 * BYTES);
    const made: ExportFile[] = [];
    for (let version = 1; version <= 3; version++) {
      made.push(await found(before, version, CURRENT));
      before.clock.now += 1;
    }
    const later = filesIn(before.folder, 2 * BYTES);
    const [first, second, third] = made;
    assert.equal(
      await later.files.find(publication(3), { dataset: 'ta-cur', interval: '1d', quote: null, name: first!.name }),
      'gone',
    );
    assert.deepEqual(
      await later.files.find(publication(3), { dataset: 'ta-cur', interval: '1d', quote: null, name: second!.name }),
      second,
    );
    assert.deepEqual(
      await later.files.find(publication(3), { dataset: 'ta-cur', interval: '1d', quote: null, name: third!.name }),
      third,
    );
    assert.deepEqual(later.made, []);
  });

  for (const restarted of [true, false]) {
    for (const [what, content] of [
      ['is empty, as after a power failure', ''],
      ['has another content of the same length', Buffer.alloc(BYTES, 'damaged')],
    ] as const) {
      it(`makes a file again that ${what}${restarted ? ' after a restart' : ''}; an older one is gone`, async () => {
        const before = filesIn(newFolder('damaged'), 10 * BYTES);
        const [older, newest] = [await found(before, 1, CURRENT), await found(before, 2, CURRENT)];
        for (const { path } of [older, newest]) {
          writeFileSync(path, content);
          // Changed at another time than it was made, also on a file system with coarse times.
          utimesSync(path, new Date(), new Date(Date.now() + 2000));
        }
        const later = restarted ? filesIn(before.folder, 10 * BYTES) : before;
        const files = await Promise.all([1, 2, 3, 4].map(() => found(later, 2, CURRENT)));
        for (const file of files) assert.equal(file.sha256, newest.sha256);
        assert.deepEqual(readFileSync(newest.path), contentOf(2));
        assert.deepEqual(later.made.slice(restarted ? 0 : 2), ['ta-cur 2']);
        assert.equal(
          await later.files.find(publication(2), { dataset: 'ta-cur', interval: '1d', quote: null, name: older.name }),
          'gone',
        );
      });
    }
  }

  it('compares a file that was touched, and offers it again', async () => {
    const all = filesIn(newFolder('touched'), 10 * BYTES);
    const file = await found(all, 1, CURRENT);
    utimesSync(file.path, new Date(), new Date(Date.now() + 5000));
    const again = await found(all, 1, CURRENT);
    assert.notEqual(again.stamp, file.stamp);
    assert.deepEqual(all.made, ['ta-cur 1']);
  });
});

describe('a hostile folder', () => {
  const NAME = `ta-cur.7-abcdefghij.1.${'A'.repeat(43)}.parquet`;
  const entries: readonly (readonly [what: string, put: (path: string) => void])[] = [
    ['a dangling link', path => symlinkSync('/nowhere/at/all', path)],
    ['a link to a file', path => symlinkSync('/etc/hostname', path)],
    ['a directory', path => mkdirSync(path)],
    ['a FIFO', path => assert.equal(spawnSync('mkfifo', [path]).status, 0)],
  ];
  for (const [what, put] of entries) {
    it(`${what} with the name of a file is not offered, and the others are`, async () => {
      const folder = newFolder('hostile');
      put(join(folder, NAME));
      put(join(folder, 'ta-cur.999999999.partial'));
      const all = filesIn(folder, 10 * BYTES);
      const results = await Promise.all([
        all.files.find(publication(7), { dataset: 'ta-cur', interval: '1d', quote: null, name: '7-abcdefghij' }),
        ...[1, 2, 3].map(() => all.files.find(publication(7), CURRENT)),
      ]);
      assert.equal(results[0], 'gone');
      for (const file of results.slice(1)) assert.equal(typeof file, 'object');
    });

    it(`${what} in the place of a file that was made is not read`, async () => {
      const all = filesIn(newFolder('replaced'), 10 * BYTES);
      const { path, name } = await found(all, 1, CURRENT);
      rmSync(path);
      put(path);
      assert.equal(
        await all.files.find(publication(2), { dataset: 'ta-cur', interval: '1d', quote: null, name }),
        'gone',
      );
    });

    it(`${what} in the place of the folder is a failure with its reason`, async () => {
      const folder = join(newFolder('no-folder'), 'exports');
      if (what === 'a directory') return;
      put(folder);
      const all = filesIn(folder, 10 * BYTES);
      assert.equal(await all.files.find(publication(1), CURRENT), 'failed');
      assert.match(String(all.failures.at(-1)), /EEXIST|ENOTDIR|ENOENT/);
    });
  }

  it('a directory where the finished file belongs is a failure with its reason', async () => {
    const all = filesIn(newFolder('taken'), 10 * BYTES);
    const { path } = await found(all, 1, CURRENT);
    rmSync(path);
    mkdirSync(join(path, 'full'), { recursive: true });
    assert.equal(await all.files.find(publication(1), CURRENT), 'failed');
    assert.match(String(all.failures.at(-1)), /rename/);
    assert.deepEqual(
      readdirSync(all.folder).filter(name => name.endsWith('.partial')),
      [],
    );
  });

  it('removed while files are made and asked for, it is made again', async () => {
    const all = filesIn(newFolder('removed'), 10 * BYTES);
    for (let version = 1; version <= 30; version++) {
      const asked = [CURRENT, ASSETS, HISTORY].map(request => all.files.find(publication(version), request));
      rmSync(all.folder, { recursive: true, force: true });
      for (const file of await Promise.all(asked)) assert.ok(typeof file === 'object' || file === 'failed');
    }
    assert.equal(typeof (await all.files.find(publication(99), CURRENT)), 'object');
  });
});

describe('a history', () => {
  it('is made once, for all who ask, and named by its content', async () => {
    const all = filesIn(newFolder('history'), 10 * BYTES);
    const files = await Promise.all([1, 2, 3].map(() => found(all, 5, HISTORY)));
    assert.deepEqual(all.made, ['bars 5']);
    assert.equal(files[0]!.name, `5-${files[0]!.sha256.slice(0, 10)}`);
    assert.deepEqual(
      await found(all, 5, { dataset: 'bars', interval: '1d', quote: null, name: files[0]!.name }),
      files[0],
    );
    assert.equal(
      await all.files.find(publication(5), { dataset: 'bars', interval: '1d', quote: null, name: '4-abcdefghij' }),
      'gone',
    );
  });

  it('is made again after ten times as long as it took, and not for every publication', async () => {
    const slow = filesIn(newFolder('slow'), 100 * BYTES, {
      make: async ({ version }, _, path) => {
        slow.made.push(`${version}`);
        slow.clock.now += 3000;
        writeFileSync(path, contentOf(version));
        return { rows: 1, sha256: createHash('sha256').update(contentOf(version)).digest('base64url'), version };
      },
    });
    for (let version = 1; version <= 100; version++) {
      await found(slow, version, HISTORY);
      slow.clock.now += 1000;
    }
    assert.deepEqual(slow.made, ['1', '31', '61', '91']);
  });

  it('that is too large is not made again and again', async () => {
    const all = filesIn(newFolder('too-large'), 2.5 * BYTES, {
      make: async ({ version }, { dataset }, path, room) => {
        all.made.push(`${dataset} ${room}`);
        if (dataset === 'bars') all.clock.now += 1000;
        writeFileSync(path, contentOf(version));
        const sha256 = createHash('sha256').update(contentOf(version)).digest('base64url');
        return room < BYTES ? 'too large' : { rows: 1, sha256, version };
      },
    });
    await found(all, 1, CURRENT);
    await found(all, 1, ASSETS);
    for (let i = 0; i < 9; i++) {
      assert.equal(await all.files.find(publication(1 + i), HISTORY), 'too large');
      all.clock.now += 1000;
    }
    assert.deepEqual(all.made, ['ta-cur Infinity', 'assets Infinity', 'bars 500']);
    assert.match(String(all.failures[0]), /bars\.parquet needs more than 500 bytes/);
    assert.equal(readdirSync(all.folder).length, 2);
  });

  it('does not hold up a listing, and nothing is begun after the stop', async () => {
    let release = () => {};
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    const waiting = filesIn(newFolder('lanes'), 10 * BYTES, {
      make: async ({ version }, { dataset }, path) => {
        waiting.made.push(dataset);
        if (dataset === 'bars') await held;
        writeFileSync(path, contentOf(version));
        return { rows: 1, sha256: createHash('sha256').update(contentOf(version)).digest('base64url'), version };
      },
    });
    const [bars, history] = [
      waiting.files.find(publication(1), HISTORY),
      waiting.files.find(publication(1), { dataset: 'ta-hist', interval: '1d', quote: null, name: null }),
    ];
    assert.equal(typeof (await waiting.files.find(publication(1), CURRENT)), 'object');
    waiting.files.stop();
    release();
    assert.equal(typeof (await bars), 'object');
    assert.equal(await history, 'failed');
    assert.equal(await waiting.files.find(publication(2), CURRENT), 'failed');
    assert.deepEqual(waiting.made.sort(), ['bars', 'ta-cur']);
  });
});
