// What is read of the store off the serving threads, with the real program: findings, actions, and the sources of an asset.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { ServerProcess, tidemark } from '../support/server-process.ts';
import { ask } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-reviews-'));
const store = `sqlite:${join(folder, 'store.db')}`;
/** Much longer than it takes: the machine may be busy with other tests. */
const TIMEOUT_MS = 20_000;

/** Closes of so many days from 2026-01-01 on, without one of them. */
async function ingest(source: string, days: number, missing: number): Promise<void> {
  const lines = Array.from({ length: days }, (_, i) => i)
    .filter(i => i !== missing)
    .map(i => `AAA,${new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10)},${100 + (i % 3)}`);
  const file = join(folder, 'closes.csv');
  writeFileSync(file, ['symbol,day,close', ...lines].join('\n'));
  await tidemark('ingest', 'csv', file, '--source', source, '--store', store);
}

let server: ServerProcess;
before(async () => {
  await ingest('one', 40, 20);
  server = await ServerProcess.start('--store', store, '--open', '--workers', '2');
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

async function rows(path: string): Promise<Record<string, unknown>[]> {
  const answer = await ask(server.url, `/v1/crypto/${path}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json<{ result: Record<string, unknown>[] }>().result;
}

/** Until every thread has it: they do not take over a publication at the same moment. */
async function become(path: string, column: string, wanted: readonly unknown[]): Promise<void> {
  const giveUp = performance.now() + TIMEOUT_MS;
  for (let agreed = 0; agreed < 10; ) {
    const found = (await rows(path)).map(row => row[column]);
    if (JSON.stringify(found) === JSON.stringify(wanted)) agreed++;
    else {
      assert.ok(performance.now() < giveUp, `${path}: ${JSON.stringify(found)}`);
      agreed = 0;
      await wait(50);
    }
  }
}

describe('two serving threads', () => {
  it('have the findings and actions of the newest publication', async () => {
    await become('findings', 'rule', ['gap']);
    assert.deepEqual(await rows('actions'), []);
    await ingest('one', 60, 50);
    // The load before lacked another day.
    await become('findings', 'datetimeUTC', ['2026-02-20T00:00:00.000Z']);
  });

  it('have what each source says of an asset', async () => {
    assert.deepEqual(
      (await rows('sources?symbol=AAA')).map(({ source, bars }) => [source, bars]),
      [['one', 59]],
    );
    await ingest('two', 10, 5);
    await become('sources?symbol=AAA', 'source', ['one', 'two']);
    await become('bars?symbol=AAA&source=two&limit=2', 'close', [100, 102]);
    await become('bars?symbol=AAA&adjusted=false&limit=1', 'close', [102]);
    const unknown = await ask(server.url, '/v1/crypto/bars?symbol=AAA&source=three');
    assert.deepEqual([unknown.status, unknown.json<{ hint: string }>().hint], [400, 'Its sources are one, two.']);
  });
});
