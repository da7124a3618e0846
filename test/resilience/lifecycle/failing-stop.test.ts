// A thread that fails while it is told to stop must not keep the others from ending in order.

import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { Penalties } from '../../../src/access/penalties.ts';
import { ServiceState } from '../../../src/access/service-state.ts';
import { SharedLimits } from '../../../src/access/shared-limits.ts';
import { activePeriods } from '../../../src/domain/active-periods.ts';
import { TIERS } from '../../../src/domain/tiers.ts';
import type { ServiceEvent } from '../../../src/observe/events.ts';
import { logForm } from '../../../src/observe/log-form.ts';
import { Supervisor } from '../../../src/serve/supervisor.ts';

/** The first thread fails when it is told to stop; the second one has something to finish, and says when it has. */
const SCRIPT = `
import { parentPort, workerData } from 'node:worker_threads';
import { Channel } from ${JSON.stringify(new URL('../../../src/common/channel.ts', import.meta.url))};
const supervisor = new Channel(parentPort, {
  ...{ keys() {}, servers() {}, loads() {}, intervals() {} },
  listen: () => 'http://127.0.0.1:1',
  stop() {
    if (workerData.thread === 1) throw new Error('cannot stop');
    setTimeout(() => {
      supervisor.send('lines', { text: 'finished', count: 1 });
      parentPort.close();
    }, 300);
  },
});`;

it('waits for the others when one thread fails while it stops', async () => {
  const [told, lines]: [ServiceEvent[], string[]] = [[], []];
  const supervisor = new Supervisor({
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
      },
      ...{ shedAfterMs: 0, cacheBytes: 1e6, limits: new SharedLimits().buffer, penalties: new Penalties().buffer },
      ...{ state: new ServiceState().buffer, log: logForm('text', 'none'), version: '0.0.0', startedAt: 0 },
    },
    ...{ connections: 10, threads: 2, onEvent: event => told.push(event), onLines: text => lines.push(text) },
    script: new URL(`data:text/javascript,${encodeURIComponent(SCRIPT)}`),
  });
  supervisor.start();
  await supervisor.listen(0);
  await supervisor.stop(5000);
  assert.deepEqual(lines, ['finished']);
  assert.deepEqual(
    told.map(({ event }) => event),
    ['thread_failed'],
  );
});
