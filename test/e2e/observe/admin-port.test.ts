// A port of their own for metrics and health: what each of the two ports serves, and what happens when it is in use.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { ServerProcess, tidemark } from '../../support/server-process.ts';

describe('a server with --admin-port', () => {
  let server: ServerProcess;
  let admin: string;
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-admin-port-'));
  const store = `sqlite:${join(folder, 'store.db')}`;
  before(async () => {
    const port = await freePort();
    admin = `http://127.0.0.1:${port}`;
    server = await ServerProcess.start('--store', store, '--admin-port', String(port));
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  for (const [path, onPublic, onAdmin] of [
    ['/metrics', 404, 200],
    ['/healthz', 200, 200],
    ['/readyz', 503, 503],
    ['/v1/catalog', 200, 404],
    ['/v1/crypto/ta-cur', 401, 404],
  ] as const) {
    it(`serves ${path} with ${onPublic} on its public port and with ${onAdmin} on the other`, async () => {
      assert.equal((await fetch(`${server.url}${path}`)).status, onPublic);
      assert.equal((await fetch(`${admin}${path}`)).status, onAdmin);
    });
  }

  it('is not started on a port that is in use', async () => {
    const { port } = new URL(admin);
    await assert.rejects(
      tidemark('serve', '--store', store, '--port', '0', '--admin-port', port),
      new RegExp(`port ${port} is taken`),
    );
  });

  it('counts the requests of both ports', async () => {
    await fetch(`${server.url}/healthz`);
    // The text is built once per second.
    await wait(1100);
    const text = await (await fetch(`${admin}/metrics`)).text();
    assert.match(text, /tidemark_http_requests_total\{route="\/healthz"/);
  });
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo; // it listens on a port
  probe.close();
  await once(probe, 'close');
  return port;
}
