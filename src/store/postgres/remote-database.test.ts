import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { it } from 'node:test';
import { RemoteDatabase } from './remote-database.ts';

/** AuthenticationOk and ReadyForQuery of the wire protocol. */
const WELCOME = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1');
/** CommandComplete and ReadyForQuery. */
const DONE = Buffer.from('C\0\0\0\x05\0Z\0\0\0\x05I', 'latin1');

it('work that fails is not repeated on the only host', async t => {
  const server = createServer(socket => {
    socket.once('data', () => {
      socket.write(WELCOME);
      socket.on('data', () => socket.write(DONE));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  const db = new RemoteDatabase(`postgres://u@127.0.0.1:${port}/d?sslmode=disable`);
  t.after(async () => {
    await db.close();
    server.close();
  });
  let calls = 0;
  const fail = async () => {
    calls++;
    throw new Error('failed work');
  };
  await assert.rejects(db.query(fail), /failed work/);
  assert.equal(calls, 1);
});
