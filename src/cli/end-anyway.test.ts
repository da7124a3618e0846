// Processes that do not stop in order, because something in them never ends.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';

const url = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);

/** `stop` is what the process does at the first signal. */
const program = (graceMs: number, stop: string) => `
  const { stopSignals } = await import(${url('./stop-signals.ts')});
  const { endAnyway } = await import(${url('./end-anyway.ts')});
  const { first, second } = stopSignals();
  setInterval(() => {}, 1000);
  console.log('ready');
  await first;
  endAnyway(${graceMs}, second, reason => console.log(reason), 200);
  console.log('stopping');
  ${stop}`;

async function run(graceMs: number, stop: string, signals: number): Promise<string[]> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program(graceMs, stop)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line === 'ready') child.kill('SIGTERM');
    // Not in the same moment: that counts as one signal.
    if (line === 'stopping' && signals > 1) setTimeout(() => child.kill('SIGTERM'), 400);
  }
  assert.deepEqual(await ended, [null, 'SIGKILL']);
  return lines.slice(2);
}

describe('a process that does not stop in order', () => {
  it('ends after the grace', async () => {
    assert.deepEqual(await run(100, 'await new Promise(() => {});', 1), ['it has not stopped within 0.3 s']);
  });

  it('ends soon after a second signal, however long the grace', async () => {
    const lines = await run(600_000, 'await new Promise(() => {});', 2);
    assert.deepEqual(lines, ['it has not stopped within 0.2 s of the second signal']);
  });

  it('ends although a module that it needs for stopping is gone', async () => {
    const lines = await run(0, "import('./no-such-module.js').catch(() => {});", 1);
    assert.deepEqual(lines, ['it has not stopped within 0.2 s']);
  });
});
