// A service for tests: the real server over real sockets, on a store of its own that the real pipeline fills.

import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceState } from '../../src/access/service-state.ts';
import { StreamPlaces } from '../../src/access/stream-places.ts';
import type { ServiceContext } from '../../src/api/context.ts';
import { createService } from '../../src/api/service.ts';
import { dayOfMillis } from '../../src/domain/day.ts';
import { type ServedInterval, servedIntervals } from '../../src/domain/served-intervals.ts';
import { pastSnapshot } from '../../src/history/past-snapshot.ts';
import { readReviews } from '../../src/history/review-table.ts';
import { readSourcesOf } from '../../src/history/source-reads.ts';
import { openToAll } from '../../src/http/authentication/open-access.ts';
import { closeServer, listen } from '../../src/http/listen.ts';
import { CONNECTION_LIMITS, type ConnectionLimits } from '../../src/http/protection/connection-limits.ts';
import { load } from '../../src/ingest/pipeline.ts';
import type { Source } from '../../src/ingest/source.ts';
import { addOptionalColumns } from '../../src/publish/upgrade-rows.ts';
import { SnapshotFeed } from '../../src/serve/feed.ts';
import { hasOptional, type Snapshot } from '../../src/snapshot/table.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { publicationBetween } from '../../src/stream/publication.ts';
import { Streams } from '../../src/stream/streams.ts';
import { exportsIn } from './exports.ts';
import { assertValidAnswer } from './openapi.ts';
import { UNOBSERVED } from './unobserved.ts';

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
  /** The body as JSON; fails where it is none. */
  json<T>(): T;
}

export type ServiceOptions = Partial<Omit<ServiceContext, 'snapshot' | 'profile' | 'series' | 'intervals'>> & {
  /** Loaded before the service starts. */
  readonly sources?: readonly Source[];
  /** Of an empty database; without it, a new file. */
  readonly storeUrl?: string;
  readonly connectionLimits?: Partial<ConnectionLimits>;
};

export class TestService {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly store: Store;
  readonly server: Server;
  readonly exportsFolder: string;
  readonly storeUrl: string;
  readonly #feed: SnapshotFeed;
  readonly #holder: { current: Snapshot | null };
  readonly #group: string;
  readonly #now: () => number;
  readonly #dispose: () => Promise<void>;
  #intervals: readonly ServedInterval[] = [];

  static async start(options: ServiceOptions = {}): Promise<TestService> {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-http-'));
    const { storeUrl = `sqlite:${join(folder, 'store.db')}` } = options;
    const store = await openStore(storeUrl);
    const holder: { current: Snapshot | null } = { current: null };
    const exportsFolder = join(folder, 'exports');
    const context = contextOf(store, holder, exportsFolder, options, {
      withOptional: () => service.#withOptional(),
      intervals: () => service.#intervals,
    });
    const server = createService(context, { ...CONNECTION_LIMITS, ...options.connectionLimits });
    const url = await listen(server, { host: '127.0.0.1', port: 0 });
    const dispose = async () => {
      await closeServer(server, 1000);
      await store.close();
      rmSync(folder, { recursive: true });
    };
    const { group = 'crypto', now = Date.now } = options;
    const service: TestService = new TestService({
      url,
      store,
      server,
      holder,
      context,
      group,
      now,
      exportsFolder,
      storeUrl,
      dispose,
    });
    try {
      for (const source of options.sources ?? []) await service.load(source);
    } catch (error) {
      // A server that goes on listening would keep the test from ending, and so from telling what is wrong.
      await service.close();
      throw error;
    }
    return service;
  }

  private constructor(parts: {
    url: string;
    store: Store;
    server: Server;
    holder: { current: Snapshot | null };
    context: ServiceContext;
    group: string;
    now: () => number;
    exportsFolder: string;
    storeUrl: string;
    dispose: () => Promise<void>;
  }) {
    this.url = parts.url;
    this.store = parts.store;
    this.server = parts.server;
    this.exportsFolder = parts.exportsFolder;
    this.storeUrl = parts.storeUrl;
    const onFailure = (error: unknown) => {
      throw error;
    };
    const onSnapshot = (snapshot: Snapshot) => {
      const before = parts.holder.current;
      parts.holder.current = snapshot;
      const isNew = before !== null && before.version !== snapshot.version;
      parts.context.streams.publish(snapshot, isNew ? [publicationBetween(before, snapshot)] : []);
    };
    const onConfirmed = (at: number) => {
      parts.context.state.confirmedAt = at;
    };
    this.#feed = new SnapshotFeed(parts.store, { onSnapshot, onConfirmed, onFailure }, parts.now);
    this.#holder = parts.holder;
    this.#group = parts.group;
    this.#now = parts.now;
    this.#dispose = parts.dispose;
  }

  /** As a server does when a client first asks for an optional column. */
  async #withOptional(): Promise<Snapshot> {
    await addOptionalColumns(this.store);
    await this.refresh();
    return this.#holder.current!;
  }

  /** Loads and shows what was loaded. */
  async load(source: Source): Promise<void> {
    const today = dayOfMillis(this.#now());
    if (today === null) throw new RangeError('the clock is out of range');
    await load({ store: this.store, source, today, signal: new AbortController().signal });
    await this.refresh();
  }

  /** Shows what is published. */
  async refresh(): Promise<void> {
    await this.#feed.refresh();
    this.#intervals = servedIntervals(await this.store.intervals());
  }

  /**
   * The path, or an address that the service gave. It is sent as it stands, without any normalising. Whatever comes back must
   * be an answer that the OpenAPI document allows.
   */
  async ask(pathOrUrl: string, options: AskOptions = {}): Promise<Answer> {
    const path = pathOrUrl.startsWith(this.url) ? pathOrUrl.slice(this.url.length) : pathOrUrl;
    const answer = await ask(this.url, path, options);
    assertValidAnswer(path, options.method ?? 'GET', answer.status, answer.headers, answer.body, this.#group);
    return answer;
  }

  /** The JSON of an answer that must be 200. */
  async get<T>(pathOrUrl: string, headers: Readonly<Record<string, string>> = {}): Promise<T> {
    const answer = await this.ask(pathOrUrl, { headers });
    if (answer.status !== 200) throw new Error(`${pathOrUrl} is answered with ${answer.status}: ${answer.text}`);
    return answer.json<T>();
  }

  close(): Promise<void> {
    return this.#dispose();
  }
}

function contextOf(
  store: Store,
  holder: { current: Snapshot | null },
  exportsFolder: string,
  options: ServiceOptions,
  { withOptional, intervals }: { withOptional: () => Promise<Snapshot>; intervals: ServiceContext['intervals'] },
): ServiceContext {
  const { sources: _, connectionLimits: __, storeUrl: ___, ...settings } = options;
  return {
    version: '0.0.0',
    group: 'crypto',
    publicUrl: null,
    trustProxy: null,
    maxAgeSeconds: 2,
    simulated: false,
    keyCommand: null,
    open: true,
    cacheBytes: 1e7,
    historyBytes: 64e6,
    barsBytes: 16e6,
    earlierBytes: 16e6,
    state: new ServiceState(),
    staleAfterSeconds: 0,
    // A test machine pauses for reasons other than load.
    shedAfterMs: 0,
    whyNotReady: () => 'The store of this test is empty.',
    now: Date.now,
    streams: new Streams({
      places: new StreamPlaces(),
      listingOf: (_, listing) => pastSnapshot(store, { ...listing, day: null, inactive: false }),
    }),
    slotOf: () => 0,
    identify: () => null,
    authenticate: openToAll(),
    metrics: async () => '',
    observer: UNOBSERVED,
    onInternalError: error => console.error(error),
    ...exportsIn(exportsFolder, store, () => holder.current, settings.now ?? Date.now),
    ...settings,
    snapshot: () => holder.current,
    profile: assetNumber => store.profile(assetNumber),
    loads: numbers => store.loadsOf(numbers),
    facts: asset => store.factsOf(asset),
    reviews: {
      findings: () => readReviews(store, 'findings'),
      actions: () => readReviews(store, 'actions'),
    },
    readSources: task => readSourcesOf(store, task),
    sourced: read => read(store),
    series: base => store.series(base),
    intervals,
    past: (_, wanted) => pastSnapshot(store, wanted),
    alerts: () => store.alerts(),
    optional: current => (hasOptional(current) ? current : withOptional()),
  };
}

const agent = new Agent({ keepAlive: true });

/** `base` is `http://HOST:PORT`; the path is sent as it stands. */
export function ask(
  base: string,
  path: string,
  { method = 'GET', headers = {}, body }: AskOptions = {},
): Promise<Answer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers, agent }, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        const text = body.toString('utf8');
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body,
          text,
          json: () => JSON.parse(text),
        });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
