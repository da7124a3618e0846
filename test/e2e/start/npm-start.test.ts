// `npm start` as process managers use it: a signal to npm reaches the program, and flags after `--` do too.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-npm-'));
after(() => rmSync(folder, { recursive: true }));

it('SIGTERM to npm start stops the server', { timeout: 30_000 }, async () => {
  const real = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'x', scripts: { start: real.scripts.start } }));
  // In place of the program, one that writes down its process and its arguments, and runs until it is told to stop.
  const started = join(folder, 'started');
  writeFileSync(
    join(folder, 'tidemark'),
    `#!/bin/sh\necho "$$ $*" >${started}.new; mv ${started}.new ${started}\nexec sleep 60\n`,
    {
      mode: 0o755,
    },
  );
  const npm = spawn('npm', ['start', '--', '--port', '8081'], { cwd: folder, stdio: 'ignore' });
  while (!existsSync(started)) await wait(20);
  const [pid, ...args] = readFileSync(started, 'utf8').trim().split(' ');
  assert.deepEqual(args, ['serve', '--demo', '--port', '8081']);
  // npm passes signals on from a moment after it started the program; before it, one would end npm alone.
  while (!isCaught(npm.pid!, constants.signals.SIGTERM)) await wait(20);
  const closed = once(npm, 'close');
  npm.kill('SIGTERM');
  await closed;
  // npm passes the signal on and exits; the program ends on its own a moment later.
  while (isRunning(Number(pid))) await wait(20);
});

/** Whether a process has a handler of its own for a signal. */
function isCaught(pid: number, signal: number): boolean {
  const caught = /^SigCgt:\s+([0-9a-f]+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]!;
  return ((BigInt(`0x${caught}`) >> BigInt(signal - 1)) & 1n) === 1n;
}

/** A process that ended, and that nothing has waited for yet, still has its number. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
