// Optional columns with the real program: the first request for one makes the store publish them, and later loads go on with it.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ServerProcess, tidemark } from '../support/server-process.ts';
import { ask } from '../support/service.ts';
import type { Envelope, Row } from './contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-optional-'));
const store = `sqlite:${join(folder, 'store.db')}`;

async function ingest(days: number): Promise<void> {
  const lines = Array.from({ length: days }, (_, i) => {
    const day = new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10);
    return `AAA,${day},${i + 1}`;
  });
  const file = join(folder, 'closes.csv');
  writeFileSync(file, ['symbol,day,close', ...lines].join('\n'));
  await tidemark('ingest', 'csv', file, '--store', store);
}

let server: ServerProcess;
before(async () => {
  await ingest(20);
  server = await ServerProcess.start('--store', store, '--open', '--workers', '2');
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

async function row(query: string): Promise<Row> {
  const answer = await ask(server.url, `/v1/crypto/ta-cur?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json<Envelope>().result[0]!;
}

describe('optional columns of a server with threads', () => {
  it('are there for the first requests for one, which come all at once', async () => {
    const rows = await Promise.all(Array.from({ length: 50 }, () => row('incl_cols=rsi7,ath,ema10')));
    for (const { rsi7, ath, ema10 } of rows) assert.deepEqual([rsi7, ath, ema10], [100, 20, 15.5]);
  });

  it('follow every load', async () => {
    await ingest(21);
    for (let left = 100; ; left--) {
      const { price, ath, ema10 } = await row('where=ath>0&incl_cols=all');
      if (price === 21) return assert.deepEqual([ath, ema10], [21, 16.5]);
      assert.deepEqual([price, ath, ema10], [20, 20, 15.5], 'a row is of one publication');
      assert.ok(left > 0, 'the load is not shown');
      await new Promise(resolve => setTimeout(resolve, 100));
    }
  });

  it('are those of a past day with as_of', async () => {
    const { price, ath, rsi7, datetimeUTC } = await row('as_of=2026-01-09&sort=rsi7&incl_cols=market,momentum,range');
    assert.deepEqual([price, ath, rsi7, datetimeUTC], [9, 9, 100, '2026-01-09T00:00:00.000Z']);
  });
});
