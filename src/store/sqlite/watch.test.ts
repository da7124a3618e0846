import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import { watchFile } from './watch.ts';

it('a file is watched from its version at the beginning, through times in which it cannot be read', async t => {
  let version = 7;
  const get = () => {
    if (version < 0) throw new Error('the file is away');
    return [version];
  };
  let calls = 0;
  // Only this method is used.
  const stop = watchFile({ query: () => ({ get }) } as unknown as Connection, () => calls++);
  t.after(stop);
  const after = async (next: number) => {
    version = next;
    await wait(50); // ten looks
    return calls;
  };
  assert.equal(await after(7), 0);
  assert.equal(await after(8), 1);
  assert.equal(await after(-1), 1);
  assert.equal(await after(8), 1);
  assert.equal(await after(9), 2);
  await stop();
  assert.equal(await after(10), 2);
});
