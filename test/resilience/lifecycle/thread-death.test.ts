// A serving thread dies: the others go on, another takes its place, and no answer is wrong.

import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { BroadcastChannel } from 'node:worker_threads';
import { Penalties } from '../../../src/access/penalties.ts';
import { ServiceState } from '../../../src/access/service-state.ts';
import { SharedLimits } from '../../../src/access/shared-limits.ts';
import { activePeriods } from '../../../src/domain/active-periods.ts';
import { TIERS } from '../../../src/domain/tiers.ts';
import type { ServiceEvent } from '../../../src/observe/events.ts';
import { logForm } from '../../../src/observe/log-form.ts';
import { Supervisor } from '../../../src/serve/supervisor.ts';
import { buildSnapshot } from '../../../src/snapshot/build/build.ts';
import { asset, NOW, plainListing, randomMarket, row, uniform } from '../../support/market.ts';
import { KILL_CHANNEL } from './kill-channel.ts';

const THREADS = 3;
const told: ServiceEvent[] = [];
const market = randomMarket(50, uniform(4));
const expected = plainListing(market).map(({ symbol }) => symbol);
const killChannel = new BroadcastChannel(KILL_CHANNEL);

let supervisor: Supervisor;
let url: string;
before(async () => {
  const state = new ServiceState();
  supervisor = new Supervisor({
    memoryBytes: 1e9,
    exports: { folder: join(tmpdir(), 'tidemark-no-exports'), maxBytes: 1e6 },
    setup: {
      ...{ host: '127.0.0.1', group: 'crypto', publicUrl: null, trustProxy: null, adminPort: null, maxAgeSeconds: 0 },
      ...{
        simulated: false,
        keyCommand: null,
        noData: '',
        activePeriods: activePeriods(7),
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
  killChannel.close();
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

async function until(holds: () => boolean): Promise<void> {
  const ends = performance.now() + 20_000;
  while (!holds()) {
    assert.ok(performance.now() < ends, JSON.stringify(told));
    await wait(10);
  }
}

const replacements = () => told.filter(({ event }) => event === 'thread_ended').length;

describe('threads that die one after the other', () => {
  it('are replaced while the others go on, and every answer is right', async () => {
    let answers = 0;
    for (let thread = 1; thread <= THREADS + 1; thread++) {
      const ends = performance.now() + 10_000;
      while (replacements() < thread || answers < thread) {
        assert.ok(performance.now() < ends, `thread ${thread}: ${answers} answers, ${JSON.stringify(told)}`);
        // Once more each time: it may be a successor that has not begun yet.
        if (replacements() < thread) killChannel.postMessage(thread);
        const found = await listed();
        if (found !== 'no answer') {
          assert.deepEqual(found, expected);
          answers++;
        }
        await wait(5);
      }
    }
    assert.ok(told.some(event => event.event === 'thread_failed' && /killed by the test/.test(event.stack)));
  });

  it('have successors that know what was published before and since', async () => {
    const rows = [row(1)];
    supervisor.publish(buildSnapshot({ version: 2, assets: [asset({ assetNumber: 1 })], rows, now: NOW }));
    // Until all successors listen, and none of them still has the order to end before it.
    const ends = performance.now() + 20_000;
    for (let inARow = 0; inARow < 40; ) {
      const found = await listed();
      inARow = found === 'no answer' ? 0 : inARow + 1;
      if (inARow > 20) assert.deepEqual(found, ['A1']);
      assert.ok(performance.now() < ends, JSON.stringify(told));
    }
  });
});

describe('threads that die all at once', () => {
  it('are all replaced, and share the port again', async () => {
    await until(() => supervisor.listening === THREADS);
    const deaths = replacements();
    // Those of these numbers that live now.
    for (let thread = 1; thread <= 50; thread++) killChannel.postMessage(thread);
    await until(() => replacements() === deaths + THREADS);
    await until(() => supervisor.listening === THREADS);
    assert.equal(replacements(), deaths + THREADS, 'no successor failed to listen');
    assert.deepEqual(await listed(), ['A1']);
  });
});
