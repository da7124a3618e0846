import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { ServerProcess } from '../support/server-process.ts';

/** The niceness of each thread of a process, by its name (proc(5): `pid (name) state …`, niceness being the 19th). */
function niceness(pid: number): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [, name = '', rest = ''] =
      /\((.*)\) (.*)/.exec(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')) ?? [];
    found.set(name, [...(found.get(name) ?? []), Number(rest.split(' ')[16])]);
  }
  return found;
}

it('the thread that builds snapshots goes behind those that serve, and behind nobody else', {
  skip: process.platform === 'linux' ? false : 'threads have no priority of their own here',
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-priority-'));
  const server = await ServerProcess.start(
    '--store',
    `sqlite:${join(folder, 'a.db')}`,
    '--open',
    '--port',
    '0',
    '--workers',
    '2',
  );
  try {
    const own = getPriority();
    const ofMain = () => niceness(server.pid).get('MainThread')?.[0] ?? own;
    for (let tries = 0; tries < 200 && ofMain() === own; tries++) await wait(20);
    const threads = niceness(server.pid);
    const main = threads.get('MainThread')!;
    assert.ok(main[0]! > own, `${main[0]} is behind ${own}`);
    for (const name of ['WorkerThread', 'libuv-worker']) {
      assert.ok(
        threads.get(name)!.every(each => each === own),
        `${name}: ${threads.get(name)}`,
      );
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});
