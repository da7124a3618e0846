// Two servers with different stores that start at the same moment on one port: one of them has it, the other says why it ends.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, it } from 'node:test';
import { listenPort } from '../../../src/cli/listen-port.ts';
import { claimPort, probePort } from '../../../src/serve/port-claim.ts';
import { rounds } from '../faults/loading.ts';

const ROUNDS = rounds(1, 0.1);
const launcher = join(import.meta.dirname, '../../../scripts/launch.js');
const folder = mkdtempSync(join(tmpdir(), 'tidemark-port-'));
after(() => rmSync(folder, { recursive: true }));

/** Whether the server listens or has ended, with what it said. */
async function serve(host: string, port: number, store: string) {
  const flags = ['--host', host, '--port', String(port), '--store', `sqlite:${folder}/${store}`, '--keep', 'off'];
  const child = spawn(process.execPath, [launcher, 'serve', '--json', '--workers', '2', ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    said += text;
  });
  const closed = once(child, 'close');
  const line = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), closed.then(() => null)]);
  const stop = async () => {
    child.kill('SIGTERM');
    await closed;
  };
  return { listens: line !== null, stop, code: child.exitCode, said: () => said };
}

describe('two servers that start together', () => {
  for (const [what, hosts, listening] of [
    ['on one address, one has the port', ['127.0.0.1', '127.0.0.1'], 1],
    ['on an address and on every interface, one has the port', ['127.0.0.1', '0.0.0.0'], 1],
    ['on different addresses, both have the port', ['127.0.0.1', '127.0.0.2'], 2],
  ] as const) {
    it(what, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const port = await probePort('127.0.0.1', 0);
        const servers = await Promise.all(hosts.map((host, i) => serve(host, port, `${i}.db`)));
        await Promise.all(servers.map(server => server.stop()));
        assert.equal(servers.filter(({ listens }) => listens).length, listening, servers.map(s => s.said()).join('\n'));
        for (const { listens, code, said } of servers) {
          if (listens) continue;
          assert.equal(code, 1);
          assert.deepEqual(said().match(/is taken/g)?.length, 1, said());
          assert.equal(said().trim().split('\n').length, 2, said());
          assert.match(said(), /npm start -- --port 8081/);
        }
      }
    });
  }
});

describe('a claim of a port', () => {
  it('lets one of many listen', async () => {
    const port = await probePort('127.0.0.1', 0);
    const open = async (free: number) => {
      const server = createServer().listen({ host: '127.0.0.1', port: free, reusePort: true });
      await once(server, 'listening');
      return server;
    };
    const claims = await Promise.allSettled(Array.from({ length: 20 }, () => claimPort('127.0.0.1', port, open)));
    const winners = claims.filter(claim => claim.status === 'fulfilled');
    for (const { value } of winners) value.close();
    assert.equal(winners.length, 1);
    for (const claim of claims) if (claim.status === 'rejected') assert.equal(claim.reason.code, 'EADDRINUSE');
  });

  it('names the lock that another process keeps', {
    skip: process.platform === 'linux' ? false : 'Linux only',
  }, async () => {
    const port = await probePort('127.0.0.1', 0);
    const holder = createServer().listen({ path: `\0tidemark-port-${port}` });
    await once(holder, 'listening');
    try {
      await assert.rejects(
        listenPort({ host: '127.0.0.1', port }, () => claimPort('127.0.0.1', port, () => Promise.resolve(), 30)),
        new RegExp(`port ${port} is locked: another process holds the Unix socket @tidemark-port-${port}`),
      );
    } finally {
      holder.close();
    }
  });
});
