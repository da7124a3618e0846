// An alert on a crossing, with the real program: the server computes the day before, and reports the asset once it has crossed.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openStore } from '../../../src/store/open.ts';
import { ServerProcess, tidemark } from '../../support/server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-crossing-'));
after(() => rmSync(folder, { recursive: true }));
const store = `sqlite:${join(folder, 'store.db')}`;
const TIMEOUT_MS = 30_000;

/** UP crosses its average of 5 days on the last of 21 days; FLAT stays as it is. */
const CLOSES = Array.from({ length: 21 }, (_, i) => (i < 20 ? 100 - i : 150));

async function ingest(days: number): Promise<void> {
  const lines = CLOSES.slice(0, days).flatMap((close, i) => {
    const day = new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10);
    return [`UP,${day},${close}`, `FLAT,${day},7`];
  });
  const file = join(folder, 'closes.csv');
  writeFileSync(file, ['symbol,day,close', ...lines].join('\n'));
  await tidemark('ingest', 'csv', file, '--store', store);
}

/** Assets that match; null before the first evaluation. */
async function matching(): Promise<number | null> {
  const opened = await openStore(store);
  const [alert] = await opened.alerts();
  await opened.close();
  return alert?.matching?.symbols.length ?? null;
}

it('an alert on a crossing reports the asset on the day that it crosses', async t => {
  const bodies: string[] = [];
  const receiver = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    bodies.push(body);
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  t.after(() => receiver.close());
  const to = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`; // it listens on TCP
  await ingest(20);
  const query = 'where=crosses_above(price, sma5)&calc=before:lag(price, 1)';
  const allow = '--allow-private-webhooks';
  await tidemark('alerts', 'create', '--name', 'cross', '--query', query, '--to', to, allow, '--store', store);
  const server = await ServerProcess.start('--store', store, '--open', '--workers', '1', allow);
  t.after(() => server.stop());
  // The first evaluation notes what matches before the crossing.
  for (const giveUp = performance.now() + TIMEOUT_MS; (await matching()) === null; await wait(100)) {
    assert.ok(performance.now() < giveUp, server.stderr);
  }
  await ingest(21);
  for (const giveUp = performance.now() + TIMEOUT_MS; bodies.length === 0; await wait(50)) {
    assert.ok(performance.now() < giveUp, server.stderr);
  }
  const { data } = JSON.parse(bodies[0]!);
  assert.deepEqual(
    data.entered.rows.map((row: Record<string, unknown>) => [row['symbol'], row['price'], row['before']]),
    [['UP', 150, 81]],
  );
});
