import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { endHungChildren } from '../../scripts/end-hung-children.ts';

it('a test process that loops is ended once it is too old, and not before', { timeout: 60_000 }, async t => {
  const loop = "process.on('SIGTERM', () => {}); console.log('loops'); for (;;);";
  const child = spawn(process.execPath, ['-e', loop], { stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  endHungChildren(3600);
  assert.equal(child.signalCode, null);
  const ended = once(child, 'exit');
  await wait(1100);
  endHungChildren(1);
  assert.deepEqual(await ended, [null, 'SIGKILL']);
});
