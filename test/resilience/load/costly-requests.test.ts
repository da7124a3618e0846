// One API key floods a server with the costliest legal requests of every endpoint. The others are answered, and only the flood is
// refused. The long form, with 100,000 assets and times, is `npm run bench -- costly`.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { ServerProcess } from '../../support/server-process.ts';
import { costlyRequests, floodCostly } from './costly-requests.ts';
import { ATTACKING_TIERS, type CostlyStore, costlyStore, TIERS_SETTING } from './costly-store.ts';
import { GoodClients } from './good-clients.ts';
import { forgetPeakMemory, peakMemory } from './route-flood.ts';

const SIZE = {
  assets: 3000,
  bars: { days: 30, hours: 14, minutes: 2 },
  longAssets: 10,
  longBars: { days: 3000, hours: 1000, minutes: 600 },
};
const MEMORY_MB = 1536;
const FLOOD_MS = 2500;

let store: CostlyStore;
let server: ServerProcess;
before(async () => {
  store = await costlyStore(SIZE);
  server = await ServerProcess.start(
    ...store.settings,
    ...['--workers', '1', '--memory', String(MEMORY_MB), '--shed-after', '1000', '--tiers', TIERS_SETTING],
  );
});
after(async () => {
  await server.stop();
  store.remove();
});

describe('a server is flooded with costly requests', () => {
  for (const tier of ATTACKING_TIERS) {
    it(`by one API key of the tier ${tier}: the others are answered, within the memory of the server`, async () => {
      forgetPeakMemory(server);
      const requests = costlyRequests();
      const others = new GoodClients(server.url, 20, { 'x-api-key': store.keys.others });
      const { statuses } = await floodCostly({
        port: Number(new URL(server.url).port),
        apiKey: store.keys[tier],
        requests,
        connections: 40,
        millis: FLOOD_MS,
        assets: SIZE.longAssets,
        ownColumns: store.ownColumns,
        newestDay: store.newestDay,
      });
      // The machine may be busy: the others have had their turn when each of them was answered a few times.
      await wait(200);
      const seen = await others.stop();
      assert.deepEqual(seen.failures, []);
      assert.ok(seen.answers > 10, `${seen.answers} answers`);
      assert.ok(server.running, server.stderr);
      assert.ok(peakMemory(server) < MEMORY_MB, `${peakMemory(server)} MB`);
      assert.ok((statuses['200'] ?? 0) > 0, JSON.stringify(statuses));
      const odd = Object.keys(statuses).filter(status => !EXPECTED.includes(status));
      assert.deepEqual(odd, [], JSON.stringify(statuses));
      assert.doesNotMatch(server.stderr, /request_failed|failed:/);
    });
  }
});

/**
 * 307: an export is at another address. 400: a limit above the tier in a file, or a column without a past. 403, 404: not in the tier, no such
 * file. 401 and 402: what CoinGecko and CoinPaprika answer for a history that is not in the tier.
 */
const EXPECTED = ['200', '307', '400', '401', '402', '403', '404', '429', '503', 'left'];
