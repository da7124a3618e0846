import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ExportFiles, type ExportRequest, MAX_VERSIONS } from './export-files.ts';

const root = mkdtempSync(join(tmpdir(), 'tidemark-export-files-'));
after(() => rmSync(root, { recursive: true }));

const BYTES = 1000;
const CONTENT = Buffer.alloc(BYTES, 'content');
const CURRENT: ExportRequest = { dataset: 'ta-cur', name: null };
const ASSETS: ExportRequest = { dataset: 'assets', name: null };
const publication = (version: number) => ({ version, fingerprint: `fingerprint-${version}` });

/** Files of 1,000 bytes each. */
function filesIn(folder: string, maxBytes: number): ExportFiles<ReturnType<typeof publication>> {
  return new ExportFiles({
    folder,
    maxBytes,
    make: async (_, __, path) => {
      writeFileSync(path, CONTENT);
      return { rows: 7, sha256: createHash('sha256').update(CONTENT).digest('base64url') };
    },
  });
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
    it(`of at most ${maxBytes} bytes has ${kept} files, the newest ones`, async () => {
      const folder = mkdtempSync(join(root, 'bound-'));
      const files = filesIn(folder, maxBytes);
      for (let version = 1; version <= 6; version++) {
        for (const request of [CURRENT, ASSETS])
          assert.equal(typeof (await files.find(publication(version), request)), 'object');
        assert.ok(bytesIn(folder) <= Math.max(maxBytes, 2 * BYTES), `${bytesIn(folder)} bytes`);
      }
      assert.equal(readdirSync(folder).length, kept);
      for (const dataset of ['ta-cur', 'assets']) {
        assert.ok(
          readdirSync(folder).some(name => name.startsWith(`${dataset}.6-`)),
          dataset,
        );
      }
    });
  }

  it('is the same after a restart, and a removed version is gone', async () => {
    const folder = mkdtempSync(join(root, 'restart-'));
    const before = filesIn(folder, 2 * BYTES);
    const made: Awaited<ReturnType<typeof before.find>>[] = [];
    for (let version = 1; version <= 3; version++) made.push(await before.find(publication(version), CURRENT));
    const later = filesIn(folder, 2 * BYTES);
    const [first, second, third] = made.map(file => (typeof file === 'string' ? assert.fail(file) : file.name));
    assert.equal(await later.find(publication(3), { dataset: 'ta-cur', name: first! }), 'gone');
    assert.deepEqual(await later.find(publication(3), { dataset: 'ta-cur', name: second! }), made[1]);
    assert.deepEqual(await later.find(publication(3), { dataset: 'ta-cur', name: third! }), made[2]);
  });

  for (const [what, content] of [
    ['is empty, as after a power failure', ''],
    ['has another content of the same length', Buffer.alloc(BYTES, 'damaged')],
  ] as const) {
    it(`makes a file again after a restart that ${what}, and says that an older one is gone`, async () => {
      const folder = mkdtempSync(join(root, 'damaged-'));
      const before = filesIn(folder, 10 * BYTES);
      const [older, newest] = [
        await before.find(publication(1), CURRENT),
        await before.find(publication(2), CURRENT),
      ].map(file => (typeof file === 'string' ? assert.fail(file) : file));
      for (const { path } of [older!, newest!]) writeFileSync(path, content);
      const later = filesIn(folder, 10 * BYTES);
      const found = await Promise.all([1, 2].map(() => later.find(publication(2), CURRENT)));
      assert.deepEqual(found, [newest, newest]);
      assert.deepEqual(readFileSync(newest!.path), CONTENT);
      assert.equal(await later.find(publication(2), { dataset: 'ta-cur', name: older!.name }), 'gone');
    });
  }
});
