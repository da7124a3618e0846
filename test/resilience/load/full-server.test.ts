// The real program with as many connections as it takes: no address takes all of them, and refused connections are counted.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { parseMetrics, sampleValue } from '../../support/metric-parser.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { answerTo } from './whole-answer.ts';

const MOST = 40;
const folder = mkdtempSync(join(tmpdir(), 'tidemark-full-'));
after(() => rmSync(folder, { recursive: true }));

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

async function serve(t: { after(end: () => unknown): void }, ...args: string[]): Promise<ServerProcess> {
  const limits = ['--workers', '1', '--max-connections', String(MOST)];
  const server = await ServerProcess.start('--store', `sqlite:${join(folder, 'store.db')}`, ...limits, ...args);
  t.after(() => server.stop());
  return server;
}

/** Silent connections of one address, all of 127.0.0.0/8 being this machine; returns how many the server keeps. */
async function take({ url }: ServerProcess, localAddress: string, count: number): Promise<number> {
  const port = Number(new URL(url).port);
  const sockets = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1', localAddress }));
  open.push(...sockets);
  for (const socket of sockets) socket.on('error', () => undefined).resume(); // being refused is what is counted
  await Promise.all(sockets.map(socket => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
  const kept = () => sockets.filter(socket => !socket.closed).length;
  for (let before = count, quiet = 0; quiet < 10; before = kept(), quiet++) {
    await wait(50);
    if (kept() !== before) quiet = 0;
  }
  return kept();
}

/** The server builds the text once per second. */
const NEW_METRICS_MS = 1050;

/** Over a connection that was there before. */
async function readMetrics({ url }: ServerProcess, agent: Agent) {
  await wait(NEW_METRICS_MS);
  return parseMetrics((await answerTo(`${url}/metrics`, {}, agent)).text);
}

async function refused(server: ServerProcess, agent: Agent): Promise<Record<string, number>> {
  const metrics = await readMetrics(server, agent);
  const count = (reason: string) => sampleValue(metrics, 'tidemark_http_connections_refused_total', { reason });
  return { full: count('full'), address: count('address') };
}

describe('a server that takes 40 connections', () => {
  it('gives one address half of them, refuses all when it is full, counts both, and answers those it has', async t => {
    const server = await serve(t);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    t.after(() => agent.destroy());
    assert.deepEqual(await refused(server, agent), { full: 0, address: 0 });
    assert.equal(await take(server, '127.0.0.2', 30), 20);
    assert.deepEqual(await refused(server, agent), { full: 0, address: 10 });
    assert.equal(await take(server, '127.0.0.3', 10), 10);
    assert.equal(await take(server, '127.0.0.4', 15), 9);
    assert.deepEqual(await refused(server, agent), { full: 6, address: 10 });
    for (const socket of open) socket.destroy();
    while (sampleValue(await readMetrics(server, agent), 'tidemark_http_connections') > 1);
    assert.equal(await take(server, '127.0.0.5', 20), 20);
  });

  it('gives a proxy all of them', async t => {
    const server = await serve(t, '--trust-proxy', 'x-forwarded:1');
    assert.equal(await take(server, '127.0.0.2', MOST + 5), MOST);
  });
});
