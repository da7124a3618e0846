// A server thread for the test of limits across threads: the real server, its limits in memory shared with the others.

import { parentPort, workerData } from 'node:worker_threads';
import type { FastifyListenOptions } from 'fastify';
import { barColumns } from '../../src/domain/bar.ts';
import type { Tier } from '../../src/domain/tiers.ts';
import { KeyRing } from '../../src/http/access/key-ring.ts';
import { keysAccess, monotonicMicros } from '../../src/http/access/keys-access.ts';
import { SharedLimits } from '../../src/http/access/shared-limits.ts';
import { createServer } from '../../src/http/server.ts';

/** What the test gives to each thread. */
export interface LimitedWorkerData {
  readonly buffer: SharedArrayBuffer;
  readonly port: number;
  readonly hash: Uint8Array;
  readonly tier: Tier;
}

const { buffer, port, hash, tier } = workerData as LimitedWorkerData; // the test passes just this
const ring = new KeyRing();
const stored = { id: 'key_test', hash, tier: tier.name, name: null, expires: null, createdAt: '', revokedAt: null };
ring.replace([stored], new Map([[tier.name, tier]]));
const server = createServer({
  group: 'crypto',
  publicUrl: null,
  trustProxy: false,
  maxAgeSeconds: 0,
  simulated: false,
  snapshot: () => null,
  whyNotReady: () => 'no data in this test',
  profile: async () => null,
  bars: async () => barColumns(0),
  now: Date.now,
  authenticate: keysAccess({
    ring,
    limits: new SharedLimits(buffer),
    servers: () => 1,
    now: Date.now,
    micros: monotonicMicros,
  }),
  metrics: async () => '',
  onInternalError: error => {
    throw error;
  },
});
// Fastify hands its options to net.Server.listen, which knows reusePort; its types do not.
const options = { host: '127.0.0.1', port, reusePort: true } as FastifyListenOptions;
const address = await server.listen(options);
parentPort?.postMessage(address);
