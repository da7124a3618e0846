import assert from 'node:assert/strict';
import type { lookup } from 'node:dns';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { post } from './post.ts';

async function receiver(t: TestContext, listener: RequestListener): Promise<{ url: string; port: number }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return { url: `http://127.0.0.1:${port}/hook?a=1`, port };
}

/** Resolves every name to these addresses, and counts how often. */
function resolver(addresses: readonly string[]): { lookup: typeof lookup; asked: () => number } {
  let asked = 0;
  const resolve = (_host: string, _options: object, callback: (error: null, found: object[]) => void) => {
    asked++;
    callback(
      null,
      addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { lookup: resolve as unknown as typeof lookup, asked: () => asked }; // with `all`, which is the only form used
}

const allowed = { allowPrivate: true };

describe('a message', () => {
  it('is posted with its headers and body', async t => {
    let seen: IncomingMessage | null = null;
    let body = '';
    const { url } = await receiver(t, async (request, response) => {
      seen = request;
      for await (const piece of request) body += piece;
      response.writeHead(204).end();
    });
    assert.deepEqual(await post(url, { 'webhook-id': 'msg_1' }, '{"a":"₿"}', allowed), {
      ok: true,
      status: 204,
      error: null,
    });
    const { method, url: path, headers } = seen as unknown as IncomingMessage; // set by the receiver
    assert.deepEqual([method, path, headers['webhook-id'], body], ['POST', '/hook?a=1', 'msg_1', '{"a":"₿"}']);
  });

  for (const status of [301, 302, 307, 308]) {
    it(`does not follow a redirect with ${status}`, async t => {
      let requests = 0;
      const { url } = await receiver(t, (_, response) => {
        requests++;
        response.writeHead(status, { location: '/elsewhere' }).end();
      });
      const outcome = await post(url, {}, '', allowed);
      assert.deepEqual([outcome.ok, outcome.status, requests], [false, status, 1]);
    });
  }

  it('fails when the receiver refuses it, and the error shows nothing of the response or of the path', async t => {
    const { url } = await receiver(t, (_, response) => response.writeHead(500).end('internal secret'));
    const outcome = await post(url, {}, '', allowed);
    assert.deepEqual(outcome, { ok: false, status: 500, error: 'the receiver responded with 500' });
  });

  it('fails when no response comes in time', async t => {
    const { url } = await receiver(t, () => {});
    const outcome = await post(url, {}, '', { ...allowed, timeoutMs: 50 });
    assert.match(outcome.error!, /no complete response within 0.05 s/);
  });

  it('fails when the response does not end in time', async t => {
    const { url } = await receiver(t, (_, response) => void response.writeHead(200).write('x'));
    const outcome = await post(url, {}, '', { ...allowed, timeoutMs: 50 });
    assert.deepEqual([outcome.ok, outcome.status], [false, null]);
  });

  it('does not read a response without end', async t => {
    let sent = 0;
    const { url } = await receiver(t, (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
      };
      response.on('drain', more);
      more();
    });
    assert.equal((await post(url, {}, '', allowed)).status, 200);
    assert.ok(sent < 50 * 2 ** 20, `${sent} bytes`);
  });

  it('fails when nothing listens there', async t => {
    const { url } = await receiver(t, () => {});
    const outcome = await post(url.replace(/:\d+/, ':1'), {}, '', allowed);
    assert.match(outcome.error!, /ECONNREFUSED/);
  });

  for (const host of [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
  ]) {
    it(`does not reach ${host}`, async t => {
      let requests = 0;
      const { port } = await receiver(t, (_, response) => {
        requests++;
        response.end();
      });
      const outcome = await post(`http://${host}:${port}/`, {}, '', { allowPrivate: false });
      assert.match(outcome.error!, /is refused/);
      assert.equal(requests, 0);
    });
  }

  it('does not reach a private address behind a public name, even if a public one is beside it', async t => {
    const { port } = await receiver(t, (_, response) => response.end());
    const { lookup } = resolver(['93.184.216.34', '127.0.0.1']);
    const outcome = await post(`http://rebind.example.com:${port}/`, {}, '', { allowPrivate: false, lookup });
    assert.match(outcome.error!, /127\.0\.0\.1 is refused/);
  });

  it('goes to the address that was checked: the name is resolved once, and again for the next attempt', async t => {
    let requests = 0;
    const { port } = await receiver(t, (_, response) => {
      requests++;
      response.end();
    });
    const { lookup, asked } = resolver(['127.0.0.1']);
    const url = `http://name.example.com:${port}/`;
    for (const attempt of [1, 2]) {
      assert.equal((await post(url, {}, '', { ...allowed, lookup })).ok, true);
      assert.deepEqual([asked(), requests], [attempt, attempt]);
    }
  });
});
