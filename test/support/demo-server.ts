// The service over the simulated universe of a fixed day, in this process: equal requests get equal rows, always.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceState } from '../../src/access/service-state.ts';
import { StreamPlaces } from '../../src/access/stream-places.ts';
import type { ServiceContext } from '../../src/api/context.ts';
import { createService } from '../../src/api/service.ts';
import { dayFromIso } from '../../src/domain/day.ts';
import type { BaseInterval } from '../../src/domain/interval.ts';
import { servedIntervals } from '../../src/domain/served-intervals.ts';
import { type PastDay, pastSnapshot } from '../../src/history/past-snapshot.ts';
import type { PublishedSeries } from '../../src/history/published-series.ts';
import { readReviews } from '../../src/history/review-table.ts';
import { readSourcesOf } from '../../src/history/source-reads.ts';
import { openToAll } from '../../src/http/authentication/open-access.ts';
import { closeServer, listen } from '../../src/http/listen.ts';
import { demoSource } from '../../src/ingest/demo/demo-source.ts';
import { load } from '../../src/ingest/pipeline.ts';
import { addOptionalColumns } from '../../src/publish/upgrade-rows.ts';
import { SnapshotFeed } from '../../src/serve/feed.ts';
import type { Snapshot } from '../../src/snapshot/table.ts';
import { openStore } from '../../src/store/open.ts';
import { Streams } from '../../src/stream/streams.ts';
import { copyPreparedStore } from './demo-store.ts';
import { exportsIn } from './exports.ts';
import { type Answer, type AskOptions, ask } from './service.ts';
import { UNOBSERVED } from './unobserved.ts';

export const DEMO_DAY = '2026-06-30';
/** Where the docs say that the service is. */
export const DEMO_URL = 'http://127.0.0.1:8080';

const NOON = Date.parse(`${DEMO_DAY}T12:00:00Z`);
/** Enough for every kind of asset, few enough to load in a second. */
const ASSETS = 120;

/** Of `startDemo`: a store that has days only. */
export function startDailyDemo(changes: Partial<ServiceContext> = {}): Promise<DemoServer> {
  return startDemo(changes, ASSETS, false);
}

export interface DemoServer {
  readonly context: ServiceContext;
  /** Where it really is. */
  readonly url: string;
  /** Asks over a socket; the path is sent as it stands. */
  ask(path: string, options?: AskOptions): Promise<Answer>;
  close(): Promise<void>;
}

/** With every asset that the demo has, it takes several seconds longer. Without hours, it has days only. */
export async function startDemo(
  changes: Partial<ServiceContext> = {},
  assets = ASSETS,
  withHours = true,
): Promise<DemoServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-demo-'));
  const path = join(folder, 'demo.db');
  const name = `demo-${assets}${withHours ? '' : '-days'}`;
  await copyPreparedStore(name, DEMO_DAY, path, file => loadDemo(file, assets, withHours));
  const store = await openStore(`sqlite:${path}`);
  const holder: { current: Snapshot | null } = { current: null };
  const rethrow = (error: unknown) => {
    throw error;
  };
  const state = new ServiceState();
  state.confirmedAt = NOON;
  const streams = new Streams({ places: new StreamPlaces() });
  const onSnapshot = (snapshot: Snapshot) => {
    holder.current = snapshot;
    streams.publish(snapshot, []);
  };
  await new SnapshotFeed(store, { onSnapshot, onFailure: rethrow }, () => NOON).refresh();
  const past = readOnce((wanted: PastDay) => pastSnapshot(store, wanted));
  const seriesOf = (base: BaseInterval): PublishedSeries => {
    const own = store.series(base);
    return { ...own, publishedOrigins: readOnce(own.publishedOrigins), publishedBars: readOnce(own.publishedBars) };
  };
  const series = { '1m': seriesOf('1m'), '1h': seriesOf('1h'), '1d': seriesOf('1d') };
  const intervals = servedIntervals(await store.intervals());
  const context: ServiceContext = {
    version: '0.0.0',
    group: 'crypto',
    publicUrl: DEMO_URL,
    trustProxy: null,
    maxAgeSeconds: 2,
    simulated: true,
    keyCommand: null,
    open: true,
    cacheBytes: 1e7,
    historyBytes: 64e6,
    barsBytes: 16e6,
    earlierBytes: 16e6,
    state,
    staleAfterSeconds: 0,
    shedAfterMs: 0,
    snapshot: () => holder.current,
    whyNotReady: () => 'The store holds no prices yet.',
    profile: assetNumber => store.profile(assetNumber),
    facts: asset => store.factsOf(asset),
    series: base => series[base],
    intervals: () => intervals,
    reviews: {
      findings: () => readReviews(store, 'findings'),
      actions: () => readReviews(store, 'actions'),
    },
    loads: numbers => store.loadsOf(numbers),
    readSources: task => readSourcesOf(store, task),
    sourced: read => read(store),
    alerts: () => store.alerts(),
    past: (_, wanted) => past(wanted),
    ...exportsIn(join(folder, 'exports'), store, () => holder.current, Date.now),
    streams,
    slotOf: () => 0,
    optional: current => current,
    now: () => NOON,
    identify: () => null,
    authenticate: openToAll(),
    metrics: async () => '',
    observer: UNOBSERVED,
    onInternalError: error => console.error(error),
    ...changes,
  };
  const server = createService(context);
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    context,
    url,
    ask: (path, options) => ask(url, path, options),
    close: async () => {
      await closeServer(server, 1000);
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function loadDemo(file: string, assets: number, withHours: boolean): Promise<void> {
  const store = await openStore(`sqlite:${file}`);
  const today = dayFromIso(DEMO_DAY)!;
  const source = demoSource({ today, now: NOON, assets, withHours });
  await load({ store, source, today, signal: new AbortController().signal });
  await addOptionalColumns(store);
  await store.close();
}

/** What was read is kept: nothing is published later. */
function readOnce<A extends readonly unknown[], T>(read: (...wanted: A) => Promise<T>): (...wanted: A) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (...wanted) => {
    const name = JSON.stringify(wanted);
    const found = known.get(name) ?? read(...wanted);
    known.set(name, found);
    return found;
  };
}
