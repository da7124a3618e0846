import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openStore } from '../store/open.ts';
import { type Store, StoreError } from '../store/store.ts';
import { StoreLink } from './store-link.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-link-'));
after(() => rmSync(folder, { recursive: true }));

const lost = new StoreError('unreachable', 'gone', 'wait');

/** A real store whose opening and answers can be made to fail. */
function fragile(name: string) {
  const trouble = { opening: false, asking: false, openings: 0 };
  const open = async (): Promise<Store> => {
    trouble.openings++;
    if (trouble.opening) throw lost;
    const store = await openStore(`sqlite:${join(folder, name)}`);
    const version = async () => {
      if (trouble.asking) throw lost;
      return store.version();
    };
    return { ...store, version };
  };
  return { trouble, link: new StoreLink('sqlite:unused', true, open) };
}

/** Asks until it works. */
async function untilBack(link: StoreLink): Promise<number> {
  for (;;) {
    const answer = await link.store.version().catch(() => null);
    if (answer !== null) return answer;
    await wait(10);
  }
}

describe('the way to a store', () => {
  it('is opened once, when it is first needed', async () => {
    const { link, trouble } = fragile('once.db');
    assert.equal(trouble.openings, 0);
    assert.deepEqual(await Promise.all([link.store.version(), link.store.keysVersion()]), [0, 0]);
    assert.equal(trouble.openings, 1);
    await link.close();
  });

  it('that could not be opened is tried again, but not by every request', async () => {
    const { link, trouble } = fragile('closed.db');
    trouble.opening = true;
    for (let i = 0; i < 50; i++) await assert.rejects(link.store.version(), lost);
    assert.ok(trouble.openings < 50, `${trouble.openings} openings`);
    trouble.opening = false;
    assert.equal(await untilBack(link), 0);
    await link.close();
  });

  it('is opened anew after it was lost', async () => {
    const { link, trouble } = fragile('lost.db');
    await link.store.version();
    trouble.asking = true;
    await assert.rejects(link.store.version(), lost);
    trouble.asking = false;
    assert.equal(await untilBack(link), 0);
    assert.equal(trouble.openings, 2);
    await link.close();
  });

  it('leads to the file that has taken the place of the one that was open, without a failure between', async () => {
    const [path, other] = [join(folder, 'moved.db'), join(folder, 'other.db')];
    for (const each of [path, other]) await (await openStore(`sqlite:${each}`)).close();
    const filled = await openStore(`sqlite:${other}`);
    await filled.beginLoad('the other one');
    await filled.close();
    const link = new StoreLink(`sqlite:${path}`, false);
    assert.deepEqual(await link.store.loads(1), []);
    renameSync(other, path);
    assert.equal((await link.store.loads(1))[0]?.source, 'the other one');
    rmSync(path);
    await assert.rejects(link.store.loads(1), { code: 'missing' });
    await link.close();
  });
});
