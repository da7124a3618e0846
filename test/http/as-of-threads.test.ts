// Past days with the real program: the threads of a server share the snapshots, and each day is built off the serving threads.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ServerProcess, tidemark } from '../support/server-process.ts';
import { ask } from '../support/service.ts';
import type { Envelope } from './contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-as-of-'));
const store = `sqlite:${join(folder, 'store.db')}`;
/** Much longer than it takes: the machine may be busy with other tests. */
const TIMEOUT_MS = 20_000;
const DAYS = Array.from({ length: 60 }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10));

/** AAA has a close on every day, BBB only on the first ten. */
async function ingest(factor: number): Promise<void> {
  const lines = DAYS.flatMap((day, i) => [`AAA,${day},${factor * (i + 1)}`, ...(i < 10 ? [`BBB,${day},5`] : [])]);
  const file = join(folder, 'closes.csv');
  writeFileSync(file, ['symbol,day,close', ...lines].join('\n'));
  await tidemark('ingest', 'csv', file, '--store', store);
}

let server: ServerProcess;
before(async () => {
  await ingest(1);
  server = await ServerProcess.start('--store', store, '--open', '--workers', '2');
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

async function rows(day: string): Promise<[unknown, unknown][]> {
  const giveUp = performance.now() + TIMEOUT_MS;
  for (;;) {
    const answer = await ask(server.url, `/v1/crypto/ta-cur?as_of=${day}&sort=symbol&order=asc`);
    if (answer.status === 200) return answer.json<Envelope>().result.map(row => [row['symbol'], row['price']]);
    assert.ok(answer.status === 503 && performance.now() < giveUp, answer.text);
    assert.equal(answer.json<{ code: string }>().code, 'overloaded');
    assert.match(String(answer.headers['retry-after']), /^\d+$/);
    await wait(100);
  }
}

/** Waits until the thread that is asked shows these rows: threads do not take over a publication at the same moment. */
async function become(day: string, wanted: readonly [string, number][]): Promise<void> {
  const giveUp = performance.now() + TIMEOUT_MS;
  for (;;) {
    const found = await rows(day);
    if (isDeepStrictEqual(found, wanted)) return;
    if (performance.now() > giveUp) assert.deepEqual(found, wanted);
    await wait(50);
  }
}

describe('past days of a server with threads', () => {
  it('are the same for many requests at once', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => rows(DAYS[4]!)));
    for (const answer of answers)
      assert.deepEqual(answer, [
        ['AAA', 5],
        ['BBB', 5],
      ]);
  });

  it('are right for many days at once, though some requests have to come again', async () => {
    const answers = await Promise.all(DAYS.map(day => rows(day)));
    for (const [i, answer] of answers.entries()) {
      assert.deepEqual(
        answer,
        i < 17
          ? [
              ['AAA', i + 1],
              ['BBB', 5],
            ]
          : [['AAA', i + 1]],
        DAYS[i],
      );
    }
  });

  it('show a correction of the past once it is published', async () => {
    await ingest(2);
    await become(DAYS[59]!, [['AAA', 120]]);
    await become(DAYS[4]!, [
      ['AAA', 10],
      ['BBB', 5],
    ]);
  });

  it('give the values of earlier days to expressions, the same for many requests at once', async () => {
    const path = `/v1/crypto/ta-cur?calc=a:${encodeURIComponent('lag(price, 1)')}&calc=b:${encodeURIComponent('lag(price, 59)')}&calc=c:${encodeURIComponent('lag(price, 60)')}`;
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(server.url, path)));
    for (const answer of answers) {
      assert.equal(answer.status, 200, answer.text);
      const [row] = answer.json<Envelope>().result;
      assert.deepEqual([row!['price'], row!['a'], row!['b'], row!['c']], [120, 118, 2, null]);
    }
  });

  it('do not keep the server from stopping', async () => {
    assert.equal(await server.stop(), 0);
  });
});
