import assert from 'node:assert/strict';
import { createServer, get } from 'node:http';
import { after, describe, it } from 'node:test';
import { closeServer, listen } from '../listen.ts';
import { ReconnectPenalty } from './reconnect-penalty.ts';

const HERE = { remoteAddress: '127.0.0.1' };

describe('an address whose connection was cut', () => {
  const cut = new ReconnectPenalty();
  const server = createServer((_request, response) => response.end('heard'));
  cut.delay(server);
  after(() => closeServer(server, 100));

  const waited = (url: string) =>
    new Promise<number>((resolve, reject) => {
      const began = performance.now();
      get(url, { agent: false }, answer => {
        answer.resume().on('end', () => resolve(performance.now() - began));
      }).on('error', reject);
    });

  it('is remembered for a while', () => {
    const cuts = new ReconnectPenalty();
    cuts.remember(HERE, 1000);
    assert.deepEqual(
      [1000, 5999, 6000].map(now => cuts.has(HERE, now)),
      [true, true, false],
    );
    assert.equal(cuts.has({ remoteAddress: '127.0.0.2' }, 1000), false);
  });

  it('is forgotten, with all others, when there are too many', () => {
    const cuts = new ReconnectPenalty();
    cuts.remember(HERE, 0);
    for (let i = 0; i < 10_000; i++) cuts.remember({ remoteAddress: `address ${i}` }, 0);
    assert.equal(cuts.has(HERE, 0), false);
  });

  it('is heard a second late when it connects again', async () => {
    const url = await listen(server, { host: '127.0.0.1', port: 0 });
    await waited(url);
    cut.remember(HERE);
    // A timer may fire a moment early by another clock.
    assert.ok((await waited(url)) > 990);
  });
});
