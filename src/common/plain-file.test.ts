import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { NotPlain, openPlain, readPlain, readPlainSync } from './plain-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-plain-'));
after(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
writeFileSync(at('plain'), 'content');
mkdirSync(at('folder'));
symlinkSync(at('plain'), at('link'));
symlinkSync(at('missing'), at('dangling'));
assert.equal(spawnSync('mkfifo', [at('fifo')]).status, 0);

describe('reading a plain file', () => {
  for (const name of ['plain', 'link']) {
    it(`returns the content of a ${name}`, async () => {
      assert.equal((await readPlain(at(name))).toString(), 'content');
      assert.equal(readPlainSync(at(name)).toString(), 'content');
    });
  }

  for (const name of ['fifo', 'folder']) {
    it(`refuses a ${name} at once`, async () => {
      await assert.rejects(openPlain(at(name)), NotPlain);
      await assert.rejects(readPlain(at(name)), NotPlain);
      assert.throws(() => readPlainSync(at(name)), NotPlain);
    });
  }

  it('fails for a dangling link and a missing file', async () => {
    for (const name of ['dangling', 'missing']) {
      await assert.rejects(readPlain(at(name)), { code: 'ENOENT' });
      assert.throws(() => readPlainSync(at(name)), { code: 'ENOENT' });
    }
  });
});
