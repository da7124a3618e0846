// The real program, told to stop while it is being used.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openStore } from '../../../src/store/open.ts';
import { ServerProcess, tidemark } from '../../support/server-process.ts';
import { ask } from '../../support/service.ts';

const ROWS = 20_000;
const LISTING = '/v1/crypto/ta-cur';
const folder = mkdtempSync(join(tmpdir(), 'tidemark-stopping-'));
const store = `sqlite:${join(folder, 'store.db')}`;

before(async () => {
  const file = join(folder, 'closes.csv');
  const day = new Date().toISOString().slice(0, 10);
  const lines = Array.from({ length: ROWS }, (_, i) => `S${i},${day},${i + 1}`);
  writeFileSync(file, ['symbol,day,close', ...lines].join('\n'));
  await tidemark('ingest', 'csv', file, '--store', store);
});
after(() => rmSync(folder, { recursive: true }));

const serve = (...args: string[]) => ServerProcess.start('--open', '--workers', '2', '--store', store, ...args);

/** A download that has begun and is not read on; it is longer than what the system takes in for a reader that does not read. */
async function download(server: ServerProcess): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => undefined); // being cut off is told by how much has arrived
  socket.write(`GET ${LISTING}?limit=100000 HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

async function rest(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket.setEncoding('latin1')) text += chunk;
  return text;
}

/** A chunked answer that came to its end. */
const isWhole = (text: string) => text.endsWith('0\r\n\r\n');

async function refused(server: ServerProcess): Promise<boolean> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  return new Promise<boolean>(resolve => {
    socket.on('connect', () => resolve(false)).on('error', () => resolve(true));
  }).finally(() => socket.destroy());
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const ends = performance.now() + 10_000;
  while (!(await holds())) {
    assert.ok(performance.now() < ends, `it never came about that ${what}`);
    await wait(10);
  }
}

describe('a server that is told to stop', () => {
  it('finishes what has begun, takes nothing new, and ends with 0', async () => {
    const server = await serve();
    const [one, other] = [await download(server), await download(server)];
    server.signal('SIGTERM');
    await until('new connections are refused', () => refused(server));
    assert.ok(server.running);
    const [a, b] = await Promise.all([rest(one), rest(other)]);
    assert.ok(isWhole(a) && isWhole(b));
    for (const text of [a, b]) assert.equal(text.match(/"results_returned":\d+/)?.[0], `"results_returned":${ROWS}`);
    assert.equal(await server.ended(), 0);
    assert.equal(server.stderr, '');
  });

  it('cuts what takes longer than the grace, and ends with 0', async () => {
    const server = await serve('--grace', '1');
    const socket = await download(server);
    server.signal('SIGTERM');
    assert.equal(await server.ended(), 0);
    assert.ok(!isWhole(await rest(socket).catch(() => '')));
  });

  it('cuts at once when it is told twice, and ends with 0', async () => {
    const server = await serve('--grace', '600', '--drain', '600');
    const socket = await download(server);
    server.signal('SIGTERM');
    await until('it says that it is stopping', async () => (await ask(server.url, '/readyz')).status === 503);
    // A second signal in the same moment counts as the first.
    await wait(400);
    server.signal('SIGINT');
    assert.equal(await server.ended(), 0);
    assert.ok(!isWhole(await rest(socket).catch(() => '')));
  });

  it('serves on while it drains, but says that it is stopping, and sends clients away', async () => {
    const server = await serve('--drain', '2');
    assert.equal((await ask(server.url, '/readyz')).status, 200);
    server.signal('SIGTERM');
    await until('it is not ready', async () => (await ask(server.url, '/readyz')).status === 503);
    assert.equal((await ask(server.url, '/readyz')).json<{ status: string }>().status, 'stopping');
    assert.equal(await refused(server), false);
    const { status, headers } = await ask(server.url, `${LISTING}?limit=1`);
    assert.deepEqual([status, headers.connection], [200, 'close']);
    assert.equal(await server.ended(), 0);
  });

  it('has counted every request of a key', async () => {
    const opened = await openStore(store);
    const { hashOf, DEMO_KEYS } = await import('../../../src/domain/api-key.ts');
    const key = { id: 'key_counted', hash: hashOf(DEMO_KEYS.pro), tier: 'pro', name: null, expires: null };
    await opened.createKey(key);
    const server = await ServerProcess.start('--workers', '2', '--store', store);
    const headers = { 'x-api-key': DEMO_KEYS.pro };
    for (let i = 0; i < 37; i++) await ask(server.url, `${LISTING}?limit=1`, { headers });
    assert.equal(await server.stop(), 0);
    const used = (await opened.lastUses()).get('key_counted')!;
    assert.deepEqual(
      (await opened.usage(used, used)).map(({ accepted }) => accepted),
      [37],
    );
    await opened.close();
  });
});
