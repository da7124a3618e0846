// A server thread for the test of limits across threads: the real server, its limits in memory shared with the others.

import { parentPort, workerData } from 'node:worker_threads';
import { KeyRing } from '../../src/access/key-ring.ts';
import { Penalties } from '../../src/access/penalties.ts';
import { ServiceState } from '../../src/access/service-state.ts';
import { SharedLimits } from '../../src/access/shared-limits.ts';
import { StreamPlaces } from '../../src/access/stream-places.ts';
import { createService } from '../../src/api/service.ts';
import type { Tier } from '../../src/domain/tiers.ts';
import { keysAccess, monotonicMicros } from '../../src/http/authentication/by-api-key.ts';
import { listen } from '../../src/http/listen.ts';
import { Streams } from '../../src/stream/streams.ts';
import { UNOBSERVED } from './unobserved.ts';

/** What the test gives to each thread. */
export interface LimitedWorkerData {
  readonly buffer: SharedArrayBuffer;
  readonly port: number;
  readonly hash: Uint8Array;
  readonly tier: Tier;
}

const { buffer, port, hash, tier } = workerData as LimitedWorkerData; // the test passes just this
const ring = new KeyRing();
ring.replace([{ id: 'key_test', hash, tier, slot: 0, revoked: false, expires: null }]);
const server = createService({
  version: '0.0.0',
  group: 'crypto',
  publicUrl: null,
  trustProxy: null,
  maxAgeSeconds: 0,
  simulated: false,
  keyCommand: null,
  open: false,
  cacheBytes: 1e7,
  historyBytes: 64e6,
  barsBytes: 16e6,
  earlierBytes: 16e6,
  state: new ServiceState(),
  staleAfterSeconds: 0,
  shedAfterMs: 0,
  snapshot: () => null,
  whyNotReady: () => 'no data in this test',
  profile: async () => null,
  loads: async () => [],
  facts: async () => [],
  reviews: {
    findings: () => Promise.reject(new Error('no store')),
    actions: () => Promise.reject(new Error('no store')),
  },
  readSources: () => Promise.reject(new Error('no store')),
  sourced: () => Promise.reject(new Error('no store')),
  series: () => {
    throw new Error('no data in this test');
  },
  intervals: () => [],
  alerts: async () => [],
  past: () => {
    throw new Error('no data in this test');
  },
  exportFile: async () => 'failed',
  exportLost: () => {},
  streams: new Streams({ places: new StreamPlaces() }),
  slotOf: () => 0,
  optional: current => current,
  now: Date.now,
  ...keysAccess({
    ring,
    limits: new SharedLimits(buffer),
    penalties: new Penalties(),
    // The test measures the limits, not the patience of clients.
    holdMs: 0,
    servers: () => 1,
    now: Date.now,
    micros: monotonicMicros,
  }),
  metrics: async () => '',
  observer: UNOBSERVED,
  onInternalError: error => {
    throw error;
  },
});
parentPort?.postMessage(await listen(server, { host: '127.0.0.1', port, reusePort: true }));
