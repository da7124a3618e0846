// A serving thread: answers requests from the snapshot that the supervisor sends it.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { KeyRing } from '../access/key-ring.ts';
import { Penalties } from '../access/penalties.ts';
import { ServiceState } from '../access/service-state.ts';
import { SharedLimits } from '../access/shared-limits.ts';
import { StreamPlaces } from '../access/stream-places.ts';
import type { ServiceContext } from '../api/context.ts';
import { readiness } from '../api/readiness.ts';
import { requireSnapshot, storeUnavailable } from '../api/served-snapshot.ts';
import { createService, operationalRoutes, serviceRoutes } from '../api/service.ts';
import { Channel } from '../common/channel.ts';
import { withinTime } from '../common/within-time.ts';
import type { ServedInterval } from '../domain/served-intervals.ts';
import { ApiError } from '../errors.ts';
import type { ReviewName, SharedReviews } from '../history/review-table.ts';
import type { SourcesRead, SourcesTask } from '../history/source-reads.ts';
import { keysAccess, monotonicMicros, refusalOf } from '../http/authentication/by-api-key.ts';
import { openToAll } from '../http/authentication/open-access.ts';
import { closeServer, listen } from '../http/listen.ts';
import { CONNECTION_LIMITS, limitsFor } from '../http/protection/connection-limits.ts';
import type { Requester } from '../http/wire/answer.ts';
import { LineBuffer } from '../observe/line-buffer.ts';
import { recordRuntimeMetrics } from '../observe/runtime-metrics.ts';
import { SharedMetrics } from '../observe/shared-metrics.ts';
import { forgetRendered } from '../render/page.ts';
import { attachSnapshot } from '../snapshot/build/share.ts';
import type { Snapshot } from '../snapshot/table.ts';
import { StoreError } from '../store/store.ts';
import { Streams } from '../stream/streams.ts';
import { useLargeSlabs } from './buffer-slabs.ts';
import { collectGarbage } from './collect-garbage.ts';
import type { SourceLoads } from './load-watch.ts';
import { type MetricsParts, metricsText } from './metrics.ts';
import { OptionalColumns } from './optional-columns.ts';
import { PastCopies } from './past-copies.ts';
import { type ServedStore, StoreLink } from './store-link.ts';
import { StoreWatch } from './store-watch.ts';
import type { SupervisorCalls, ThreadCalls, ThreadSetup } from './thread-messages.ts';
import { threadObserver } from './thread-observer.ts';

if (parentPort === null) throw new Error('a serving thread is started by its supervisor');
const port = parentPort;
const setup = workerData as ThreadSetup; // the supervisor passes just this

useLargeSlabs();
/** A request reads it once and uses it to its end. */
let current: Snapshot | null = null;
const ring = new KeyRing();
const limits = new SharedLimits(setup.limits);
const state = new ServiceState(setup.state);
const metrics = new SharedMetrics(setup.metrics, setup.thread);
const lines = new LineBuffer((text, count) => supervisor.send('lines', { text, count }));
recordRuntimeMetrics(metrics);
/** Opened when it is first needed. */
const link = new StoreLink(setup.storeUrl, false);
const watch = new StoreWatch(event => supervisor.send('event', event), metrics, { saysUp: false, settleMs: 10_000 });
let servers = 1;
let loads: readonly SourceLoads[] = [];
let intervals: readonly ServedInterval[] = [];

/** While the supervisor cannot reach the store either, requests fail at once instead of waiting for it. */
async function asked<T>(work: (store: ServedStore) => Promise<T>): Promise<T> {
  if (state.storeUnreachable) throw storeUnavailable();
  try {
    const answer = await work(link.store);
    watch.worked('profiles and histories');
    return answer;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    watch.failed('profiles and histories', error);
    throw storeUnavailable();
  }
}

const optional = new OptionalColumns(async () => {
  if (!(await supervisor.request('optionalColumns', undefined))) optional.fail();
});
const past = new PastCopies({
  request: (request, withdrawn) => supervisor.request('past', request, withdrawn),
  freed: id => supervisor.send('pastFreed', id),
  onForgotten: forgetSnapshot,
});

function forgetSnapshot(snapshot: Snapshot | null): void {
  for (const table of Object.values(snapshot?.tables ?? {})) forgetRendered(table);
}

/** Shorter than the time after which a silent connection is closed. */
const MAX_READING_MS = 20_000;
const NEVER = new AbortController().signal;

async function reviewsNamed(name: ReviewName): Promise<SharedReviews> {
  const { fingerprint, version } = requireSnapshot(context);
  if (state.storeUnreachable) throw storeUnavailable();
  const reading = supervisor.request('reviews', { name, fingerprint, version });
  const found = await withinTime(reading, MAX_READING_MS, NEVER, storeUnavailable);
  if (found === 'unavailable') throw storeUnavailable();
  return found;
}

async function sourcesOf(task: SourcesTask): Promise<SourcesRead> {
  const { fingerprint } = requireSnapshot(context);
  if (state.storeUnreachable) throw storeUnavailable();
  const reading = supervisor.request('sources', { ...task, fingerprint });
  const found = await withinTime(reading, MAX_READING_MS, NEVER, tooManySources);
  if (found === 'busy') throw tooManySources();
  if (found === 'unavailable') throw storeUnavailable();
  return found;
}

function tooManySources(): ApiError {
  return new ApiError('overloaded', 'The sources of too many assets are requested at the same time.', {
    hint: 'Retry after Retry-After seconds, and request one asset after the other.',
  });
}

const access = keysAccess({
  ring,
  limits,
  penalties: new Penalties(setup.penalties),
  servers: () => servers,
  now: Date.now,
  micros: monotonicMicros,
});

/** Listings of other intervals are requested for all streams together. */
const STREAMS: Requester = { client: 'streams', isGone: () => false };

const streams = new Streams({
  places: new StreamPlaces(setup.streams, setup.thread),
  servers: () => servers,
  maxPendingBytes: setup.memory.streamBytes,
  listingOf: (current, listing) => past.get(current, { ...listing, day: null, inactive: false }, STREAMS),
  onUpdate: () => metrics.add('streamUpdates'),
  onFailure: error => {
    const stack = (error instanceof Error ? error.stack : undefined) ?? String(error);
    supervisor.send('event', { event: 'task_failed', task: 'updating streams', stack });
  },
  refusalOf: id => {
    const key = ring.withId(id);
    return key === null ? 'unknown_key' : (refusalOf(key, Date.now())?.code ?? null);
  },
});

const context: ServiceContext = {
  version: setup.version,
  group: setup.group,
  publicUrl: setup.publicUrl,
  trustProxy: setup.trustProxy,
  maxAgeSeconds: setup.maxAgeSeconds,
  simulated: setup.simulated,
  keyCommand: setup.keyCommand,
  open: setup.openTier !== null,
  cacheBytes: setup.cacheBytes,
  historyBytes: setup.memory.historyBytes,
  barsBytes: setup.memory.barsBytes,
  earlierBytes: setup.memory.earlierBytes,
  state,
  staleAfterSeconds: setup.staleAfterSeconds,
  shedAfterMs: setup.shedAfterMs,
  snapshot: () => current,
  whyNotReady: () => setup.noData,
  profile: assetNumber => asked(store => store.profile(assetNumber)),
  series: base => ({
    publishedCloses: (...wanted) => asked(store => store.series(base).publishedCloses(...wanted)),
    closes: (...wanted) => asked(store => store.series(base).closes(...wanted)),
    bars: (...wanted) => asked(store => store.series(base).bars(...wanted)),
    publishedBars: (...wanted) => asked(store => store.series(base).publishedBars(...wanted)),
    publishedOrigins: (...wanted) => asked(store => store.series(base).publishedOrigins(...wanted)),
    publishedSpans: assets => asked(store => store.series(base).publishedSpans(assets)),
  }),
  intervals: () => intervals,
  loads: numbers => asked(store => store.loadsOf(numbers)),
  facts: asset => asked(store => store.factsOf(asset)),
  reviews: {
    findings: () => reviewsNamed('findings'),
    actions: () => reviewsNamed('actions'),
  },
  readSources: sourcesOf,
  sourced: read => asked(store => store.sourced(read)),
  past: (current, wanted, requester) => past.get(current, wanted, requester),
  alerts: () => asked(store => store.alerts()),
  optional: current => optional.get(current),
  exportFile: request => supervisor.request('exportFile', request),
  exportLost: path => supervisor.send('exportLost', path),
  streams,
  slotOf: key => ring.withId(key)?.slot ?? 0,
  now: Date.now,
  identify: setup.openTier === null ? access.identify : () => null,
  authenticate: setup.openTier === null ? access.authenticate : openToAll(setup.openTier),
  metrics: () => metricsText(metricsParts()),
  observer: threadObserver({ ...setup, metrics, lines }),
  onInternalError: (error, id) => {
    const stack = (error instanceof Error ? error.stack : undefined) ?? String(error);
    supervisor.send('event', { event: 'request_failed', id, thread: setup.thread, stack });
  },
};
const connections = { ...CONNECTION_LIMITS, ...limitsFor(setup.connections) };
const server = createService(context, connections, serviceRoutes(context, setup.adminPort === null));
/** In every thread, so that all name the same routes in their metrics; only the first one listens. */
const adminServer = setup.adminPort === null ? null : createService(context, connections, operationalRoutes(context));

function metricsParts(): MetricsParts {
  const { confirmedAt, newestTick } = state;
  const { version, startedAt } = setup;
  const snapshot = current;
  return {
    version,
    startedAt,
    metrics,
    ring,
    limits,
    readiness: readiness(context),
    confirmedAt,
    newestTick,
    snapshot,
    loads,
  };
}

const supervisor = new Channel<ThreadCalls, SupervisorCalls>(port, {
  snapshot: ({ snapshot: descriptor, publications }) => {
    const before = current;
    const snapshot = attachSnapshot(descriptor);
    current = snapshot;
    optional.receive(snapshot);
    forgetSnapshot(before);
    streams.publish(snapshot, publications);
  },
  keys: keys => {
    ring.replace(keys);
    streams.checkKeys();
  },
  loads: latest => {
    loads = latest;
  },
  intervals: latest => {
    intervals = latest;
  },
  servers: count => {
    servers = count;
  },
  forgetPast: day => past.forget(day),
  // After the requests that are in progress.
  collect: async () => {
    await nextTurn();
    collectGarbage('regular');
  },
  listen: async publicPort => {
    if (adminServer !== null && setup.adminPort !== null && setup.thread === 1) {
      await listen(adminServer, { host: setup.host, port: setup.adminPort });
    }
    return listen(server, { ...setup, port: publicPort });
  },
  stop: async graceMs => {
    streams.stop();
    await Promise.all([server, adminServer].map(each => each && closeServer(each, graceMs)));
    lines.flush();
    await link.close();
    port.close();
  },
  closeConnections: () => {
    server.closeAllConnections();
    adminServer?.closeAllConnections();
  },
});
