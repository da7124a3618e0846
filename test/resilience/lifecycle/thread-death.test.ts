// A serving thread dies: the others go on, another takes its place, and no answer is wrong.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { BroadcastChannel } from 'node:worker_threads';
import { Penalties } from '../../../src/access/penalties.ts';
import { ServiceState } from '../../../src/access/service-state.ts';
import { SharedLimits } from '../../../src/access/shared-limits.ts';
import { TIERS } from '../../../src/domain/tiers.ts';
import type { ServiceEvent } from '../../../src/observe/events.ts';
import { logForm } from '../../../src/observe/log-form.ts';
import { Supervisor } from '../../../src/serve/supervisor.ts';
import { buildSnapshot } from '../../../src/snapshot/build.ts';
import { asset, NOW, plainListing, randomMarket, row, uniform } from '../../support/market.ts';
import { DOOM } from './doom.ts';

const THREADS = 3;
const told: ServiceEvent[] = [];
const market = randomMarket(50, uniform(4));
const expected = plainListing(market).map(({ symbol }) => symbol);
const doom = new BroadcastChannel(DOOM);

let supervisor: Supervisor;
let url: string;
before(async () => {
  const state = new ServiceState();
  supervisor = new Supervisor({
    setup: {
      ...{ host: '127.0.0.1', group: 'crypto', publicUrl: null, trustProxy: null, adminPort: null, maxAgeSeconds: 0 },
      ...{
        simulated: false,
        openTier: TIERS.unlimited,
        storeUrl: 'sqlite:none',
        staleAfterSeconds: 0,
        shedAfterMs: 0,
        cacheBytes: 1e7,
      },
      ...{ limits: new SharedLimits().buffer, penalties: new Penalties().buffer, state: state.buffer },
      ...{ log: logForm('text', 'none'), version: '0.0.0', startedAt: 0 },
    },
    ...{ connections: 100, threads: THREADS, onEvent: event => told.push(event), onLines: () => {} },
    script: new URL('./fragile-thread.ts', import.meta.url),
  });
  supervisor.start();
  supervisor.publish(buildSnapshot({ version: 1, ...market }));
  url = await supervisor.listen(0);
});
after(async () => {
  doom.close();
  await supervisor.stop(1000);
});

/** Each request on a connection of its own, so that the system chooses a thread for it. */
async function listed(): Promise<unknown[] | 'no answer'> {
  try {
    const path = '/v1/crypto/ta-cur?limit=1000&sort=symbol&order=asc';
    const answer = await fetch(url + path, { headers: { connection: 'close' } });
    assert.equal(answer.status, 200);
    const { result } = (await answer.json()) as { result: { symbol: string }[] }; // the contract's tests check it
    return result.map(({ symbol }) => symbol);
  } catch (error) {
    // A line to a thread that has just died breaks; that is all that may happen.
    if (error instanceof TypeError) return 'no answer';
    throw error;
  }
}

const replacements = () => told.filter(({ event }) => event === 'thread_ended').length;

describe('threads that die one after the other', () => {
  it('are replaced while the others go on, and every answer is right', async () => {
    let answers = 0;
    for (let thread = 1; thread <= THREADS + 1; thread++) {
      const ends = performance.now() + 10_000;
      while (replacements() < thread) {
        assert.ok(performance.now() < ends, `the thread ${thread} does not die: ${JSON.stringify(told)}`);
        // Once more each time: it may be a successor that has not begun yet.
        doom.postMessage(thread);
        const found = await listed();
        if (found !== 'no answer') {
          assert.deepEqual(found, expected);
          answers++;
        }
        await wait(5);
      }
    }
    assert.ok(answers > 0);
    assert.ok(told.some(event => event.event === 'thread_failed' && /doomed/.test(event.stack)));
  });

  it('have successors that know what was published before and since', async () => {
    const rows = [row(1)];
    supervisor.publish(buildSnapshot({ version: 2, assets: [asset({ key: 1 })], rows, now: NOW }));
    await wait(1000);
    for (let i = 0; i < 40; i++) assert.deepEqual(await listed(), ['A1']);
  });
});
