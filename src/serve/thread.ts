// A serving thread: answers requests from the snapshot that the supervisor hands it.

import { parentPort, workerData } from 'node:worker_threads';
import { KeyRing } from '../http/access/key-ring.ts';
import { keysAccess, monotonicMicros } from '../http/access/keys-access.ts';
import { openToAll } from '../http/access/open.ts';
import { SharedLimits } from '../http/access/shared-limits.ts';
import { Strikes } from '../http/access/strikes.ts';
import { closeServer, listen } from '../http/listen.ts';
import { createServer } from '../http/server.ts';
import { Figures } from '../observe/figures.ts';
import { LineBuffer } from '../observe/line-buffer.ts';
import { watchVitals } from '../observe/vitals.ts';
import { SnapshotHolder } from '../snapshot/holder.ts';
import { attachSnapshot } from '../snapshot/share.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import type { SourceLoads } from './load-watch.ts';
import { metricsText } from './metrics.ts';
import type { FromThread, ThreadSetup, ToThread } from './thread-messages.ts';
import { threadObserver } from './thread-observer.ts';

if (parentPort === null) throw new Error('a serving thread is started by its supervisor');
const supervisor = parentPort;
const setup = workerData as ThreadSetup; // the supervisor passes just this

const holder = new SnapshotHolder();
const ring = new KeyRing();
const limits = new SharedLimits(setup.limits);
const figures = new Figures(setup.figures, setup.thread);
const lines = new LineBuffer((text, count) => tell({ kind: 'lines', text, count }));
watchVitals(figures);
let servers = 1;
let loads: readonly SourceLoads[] = [];
let store: Promise<Store> | null = null;

/** Opened when it is first needed, and again after it could not be. */
function openedStore(): Promise<Store> {
  store ??= openStore(setup.storeUrl, { create: false }).catch(error => {
    store = null;
    throw error;
  });
  return store;
}

function tell(message: FromThread): void {
  supervisor.postMessage(message);
}

const access = keysAccess({
  ring,
  limits,
  strikes: new Strikes(setup.strikes),
  servers: () => servers,
  now: Date.now,
  micros: monotonicMicros,
});

const server = createServer({
  group: setup.group,
  publicUrl: setup.publicUrl,
  trustProxy: setup.trustProxy,
  maxAgeSeconds: setup.maxAgeSeconds,
  simulated: setup.simulated,
  open: setup.open,
  snapshot: () => holder.current,
  whyNotReady: () => "The store holds no prices yet. Load some: 'tidemark ingest csv FILE', or 'tidemark help ingest'.",
  profile: async key => (await openedStore()).profile(key),
  bars: async (key, from, to) => (await openedStore()).bars(key, from, to),
  now: Date.now,
  authenticate: setup.open ? openToAll : access,
  metrics: () => metricsText({ ...setup, figures, ring, limits, snapshot: holder.current, loads }),
  observer: threadObserver({ ...setup, figures, lines }),
  onInternalError: (error, id) => {
    const stack = (error instanceof Error ? error.stack : undefined) ?? String(error);
    tell({ kind: 'event', event: { event: 'request_failed', id, thread: setup.thread, stack } });
  },
});

async function obey(message: ToThread): Promise<void> {
  switch (message.kind) {
    case 'snapshot':
      return holder.swap(attachSnapshot(message.snapshot));
    case 'keys':
      return ring.replace(message.keys);
    case 'loads':
      loads = message.loads;
      return;
    case 'servers':
      servers = message.count;
      return;
    case 'listen':
      return tell({ kind: 'listening', url: await listen(server, setup) });
    case 'stop':
      await closeServer(server, message.graceMs);
      lines.flush();
      await (await store)?.close();
      supervisor.close();
  }
}

supervisor.on('message', obey);
