// A store URL that names something else than PostgreSQL, or something that never answers.

import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { it, type TestContext } from 'node:test';
import { openStore } from '../../../src/store/open.ts';
import { Pool } from '../../../src/store/postgres/pool.ts';

interface Imposter {
  readonly url: string;
  readonly connections: () => number;
}

/** A server that is not PostgreSQL. */
async function imposter(t: TestContext, onConnection: (socket: Socket) => void): Promise<Imposter> {
  let connections = 0;
  const server = createServer(socket => {
    connections++;
    t.after(() => socket.destroy());
    onConnection(socket.on('error', () => {}));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return { url: `postgres://u:secret@127.0.0.1:${address.port}/x`, connections: () => connections };
}

const kinds: [what: string, onConnection: (socket: Socket) => void, message: RegExp][] = [
  [
    'a web server',
    socket => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    /is not PostgreSQL \(it sent "HTTP\/1\.1 400 Bad Reque/,
  ],
  ['a server that greets first', socket => void socket.write('SSH-2.0-OpenSSH_9.2\r\n'), /is not PostgreSQL/],
  ['a server that hangs up', socket => void socket.end(), /does not answer/],
  ['a server that says nothing', () => {}, /does not answer \(no answer for 5 s\)/],
];
for (const [what, onConnection, message] of kinds) {
  for (const sslmode of ['disable', 'require']) {
    it(`${what} is reported as such (sslmode=${sslmode})`, async t => {
      const { url, connections } = await imposter(t, onConnection);
      await assert.rejects(
        openStore(`${url}?sslmode=${sslmode}`),
        (error: Error & { code?: string; hint?: string }) => {
          assert.equal(error.code, 'unreachable');
          assert.match(error.message, message);
          assert.doesNotMatch(error.message + error.hint, /secret/);
          return true;
        },
      );
      assert.equal(connections(), 1);
    });
  }
}

it('however often it is asked, it is tried a few times per second', async t => {
  const { url, connections } = await imposter(t, socket => void socket.end('HTTP/1.1 400\r\n'));
  const pool = new Pool(url, { max: 4, isOneOfSeveral: false });
  t.after(() => pool.close());
  const end = performance.now() + 2000;
  let asked = 0;
  while (performance.now() < end) {
    const asking = Array.from({ length: 10 }, () => pool.use(sql => sql`SELECT 1`));
    for (const one of await Promise.allSettled(asking)) assert.equal(one.status, 'rejected');
    asked += asking.length;
  }
  assert.ok(asked > 100, `asked ${asked} times`);
  // Up to four at the same time before the first failure is known, then after 0.2, 0.4, 0.8 s and so on.
  assert.ok(connections() <= 10, `${connections()} connections`);
});
