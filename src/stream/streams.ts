// The streams of one thread: topics with their subscribers, delivery after each publication, heartbeats, and the end of a stream.

import type { StreamPlaces } from '../access/stream-places.ts';
import { runInSlices } from '../common/run-in-slices.ts';
import { ApiError } from '../errors.ts';
import type { OpenStream, Sink } from '../http/wire/answer.ts';
import type { Snapshot } from '../snapshot/table.ts';
import { goodbyeBytes, HEARTBEAT } from './event-text.ts';
import type { Publication } from './publication.ts';
import { PublicationTopic } from './publication-topic.ts';
import { Deliveries, Subscriber } from './subscriber.ts';
import type { StreamedListing, Topic } from './topic.ts';

/** SPEC 17: a comment every 15 seconds. It is sent when nothing else was. */
const SILENT_MS = 14_000;
const CHECK_MS = 1000;
/** Of all clients of a thread that do not read; beyond it their connections are closed. */
const MAX_PENDING_BYTES = 64 * 2 ** 20;
/** Browsers of a server that stops connect again at different times within these. */
const RETRY_MS = { least: 500, most: 3500 };

/** Different queries that one client may stream at once, per thread: each is evaluated after every publication. */
const MAX_QUERIES = 64;

/** Between two slices of writing, unless the next publication is already there. */
const PAUSE_MS = 2;

/** After the rows of earlier periods could not be computed, because the store was unreachable or too many were requested. */
const RETRY_PREPARING_MS = 2000;

/** A write takes some 20 µs. A step for each would make as much garbage as the write. */
const WRITES_PER_STEP = 10;

export interface StreamsOptions {
  readonly places: StreamPlaces;
  /** How many servers share the limits. */
  readonly servers?: () => number;
  /** Why an API key is no longer accepted; null: it is. */
  readonly refusalOf?: (key: string) => string | null;
  /** The listing of another interval or quote, of the publication of `current` or a newer one. */
  readonly listingOf?: (current: Snapshot, listing: StreamedListing) => Snapshot | Promise<Snapshot>;
  readonly onUpdate?: () => void;
  /** An update that cannot be made must not end the thread with all its connections. */
  readonly onFailure?: (error: unknown) => void;
  readonly silentMs?: number;
  readonly checkMs?: number;
  readonly maxPendingBytes?: number;
}

/** Who opens a stream. */
export interface StreamClient {
  /** Public id of the API key; null without one. */
  readonly key: string | null;
  /** Where its streams are counted, and how many it may have. */
  readonly place: number;
  readonly limit: number;
}

/** A query that clients stream. */
interface StreamedQuery {
  readonly topic: Topic;
  /** Of the client that opened the first stream. */
  readonly place: number;
  /** That its latest refresh took. */
  steps: number;
}

/** An open stream. */
export class Streams {
  readonly #options: StreamsOptions;
  readonly #deliveries: Deliveries;
  readonly #publications: PublicationTopic = new PublicationTopic();
  /** By what their clients request, as long as there are any. */
  readonly #queries = new Map<string, StreamedQuery>();
  readonly #subscribers = new Set<Subscriber>();
  #snapshot: Snapshot | null = null;
  /** The newest ones of other intervals and quotes that are streamed, by name. */
  readonly #listings = new Map<string, Snapshot>();
  #isDelivering = false;
  #isNew = false;
  #checks: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: StreamsOptions) {
    this.#options = options;
    const { onUpdate = () => {}, maxPendingBytes = MAX_PENDING_BYTES } = options;
    this.#deliveries = new Deliveries(maxPendingBytes, onUpdate);
  }

  /** How many are open. */
  get open(): number {
    return this.#subscribers.size;
  }

  /** Of messages that some client has not read. */
  get pendingBytes(): number {
    return this.#deliveries.pendingBytes;
  }

  /** A new snapshot is served. `publications` led to it, the oldest first. */
  publish(snapshot: Snapshot, publications: readonly Publication[]): void {
    this.#snapshot = snapshot;
    this.#publications.add(publications);
    this.#publications.show(snapshot);
    this.#deliver();
    this.#fetchListings();
  }

  /** Of each publication, those that clients stream. A listing that cannot be built comes with the next publication. */
  #fetchListings(): void {
    const { listingOf } = this.#options;
    const topics = [...this.#queries.values()].map(({ topic }) => topic);
    const wanted = new Map(topics.flatMap(({ listing }) => (listing ? [[nameOf(listing), listing] as const] : [])));
    for (const name of this.#listings.keys()) if (!wanted.has(name)) this.#listings.delete(name);
    const current = this.#snapshot;
    if (current === null || listingOf === undefined) return;
    for (const [name, listing] of wanted) {
      if (this.#listings.get(name)?.version === current.version) continue;
      const show = (found: Snapshot) => {
        if ((this.#listings.get(name)?.version ?? 0) > found.version) return;
        this.#listings.set(name, found);
        this.#deliver();
      };
      Promise.resolve(listingOf(current, listing)).then(show, error => this.#options.onFailure?.(error));
    }
  }

  /** Publications after the version that the client has seen; null: none. Throws if the client has too many streams. */
  openPublications(client: StreamClient, seen: number | null, sink: Sink): OpenStream {
    return this.#open(this.#publications, client, sink, this.#publications.since(seen) ?? HEARTBEAT, () => {});
  }

  /** The topic of a query that is streamed already. */
  topicOf(name: string): Topic | null {
    return this.#queries.get(name)?.topic ?? null;
  }

  /**
   * The rows of a query, and then their changes. `name` is the same for all clients that request the same rows. Throws if the client has too
   * many streams, or streams of too many different queries.
   */
  openQuery(name: string, created: Topic, client: StreamClient, sink: Sink): OpenStream {
    const query = this.#queries.get(name) ?? { topic: created, place: client.place, steps: 0 };
    const { topic } = query;
    if (!this.#queries.has(name) && this.#queriesOf(client.place) >= MAX_QUERIES) throw tooManyQueries(client.key);
    const opened = this.#open(topic, client, sink, topic.since(null) ?? HEARTBEAT, () => {
      if (topic.subscribers.size === 0 && this.#queries.get(name) === query) this.#queries.delete(name);
    });
    this.#queries.set(name, query);
    // There may have been a publication since the topic was created.
    if (this.#snapshot !== null && topic.version !== this.#snapshot.version) {
      this.#deliver();
      this.#fetchListings();
    }
    return opened;
  }

  #queriesOf(place: number): number {
    let count = 0;
    for (const query of this.#queries.values()) if (query.place === place) count++;
    return count;
  }

  /** Ends the streams whose API keys are no longer accepted. */
  checkKeys(): void {
    const { refusalOf = () => null } = this.#options;
    const refusals = new Map<string, string | null>();
    for (const subscriber of this.#subscribers) {
      const { key } = subscriber;
      if (key === null) continue;
      if (!refusals.has(key)) refusals.set(key, refusalOf(key));
      const refusal = refusals.get(key) ?? null;
      if (refusal !== null) subscriber.end(goodbyeBytes(refusal, null));
    }
  }

  /** The server stops: ends every stream, also those that are opened later. */
  stop(): void {
    this.#stopped = true;
    for (const subscriber of this.#subscribers) subscriber.end(stopping());
  }

  #open(topic: Topic, client: StreamClient, sink: Sink, first: Buffer, onClosed: () => void): OpenStream {
    const { places, servers = () => 1 } = this.#options;
    const { key, place } = client;
    // Each server gives out its part, and at least one.
    const limit = Math.min(client.limit, Math.max(1, Math.floor(client.limit / servers())));
    if (!places.take(place, limit)) throw tooMany(key, limit);
    const subscriber = new Subscriber(topic, key, sink, this.#deliveries, performance.now());
    topic.subscribers.add(subscriber);
    this.#subscribers.add(subscriber);
    this.#checks ??= setInterval(() => this.#check(), this.#options.checkMs ?? CHECK_MS).unref();
    return {
      begin: () => {
        subscriber.send(first, performance.now());
        if (this.#stopped) subscriber.end(stopping());
      },
      closed: () => {
        subscriber.closed();
        places.release(place);
        topic.subscribers.delete(subscriber);
        this.#subscribers.delete(subscriber);
        onClosed();
        if (this.#subscribers.size > 0) return;
        clearInterval(this.#checks);
        this.#checks = undefined;
      },
    };
  }

  #deliver(): void {
    this.#isNew = true;
    if (this.#isDelivering || this.#subscribers.size === 0) return;
    this.#isDelivering = true;
    this.#isNew = false;
    const then = () => {
      this.#isDelivering = false;
      if (this.#isNew) this.#deliver();
    };
    runInSlices(this.#deliveryTo(), then, () => (this.#isNew ? 0 : PAUSE_MS), this.#options.onFailure);
  }

  /** One topic after the other, so that the bytes of one at a time are kept. */
  *#deliveryTo(): Generator<void, void, undefined> {
    const publications = { topic: this.#publications, place: 0, steps: 0 };
    // A costly query delays costlier ones only.
    const queries = [...this.#queries.values()].sort((a, b) => a.steps - b.steps);
    for (const query of [publications, ...queries]) {
      const { topic } = query;
      const shown = topic.listing ? this.#listings.get(nameOf(topic.listing)) : this.#snapshot;
      if (topic.subscribers.size === 0 || !shown) continue;
      query.steps = 0;
      this.#prepare(topic, shown);
      for (const _ of topic.refresh(shown)) {
        query.steps++;
        yield;
      }
      const now = performance.now();
      yield* inSteps(topic.subscribers, subscriber => subscriber.update(now));
      topic.release();
    }
  }

  /** What is prepared is delivered then. */
  #prepare(topic: Topic, snapshot: Snapshot): void {
    topic
      .prepare?.(snapshot)
      ?.then(() => this.#deliver())
      .catch(() => setTimeout(() => this.#deliver(), RETRY_PREPARING_MS).unref());
  }

  #check(): void {
    this.checkKeys();
    runInSlices(
      this.#heartbeats(),
      () => {},
      () => PAUSE_MS,
      this.#options.onFailure,
    );
  }

  *#heartbeats(): Generator<void, void, undefined> {
    const now = performance.now();
    const { silentMs = SILENT_MS } = this.#options;
    yield* inSteps(this.#subscribers, subscriber => subscriber.keepAlive(HEARTBEAT, now, silentMs));
  }
}

/** Iterates over a copy, because an iterator over a set makes an object per item. A subscriber that has closed meanwhile gets nothing. */
function* inSteps<T>(set: ReadonlySet<T>, work: (item: T) => void): Generator<void, void, undefined> {
  const items = [...set];
  for (let i = 0; i < items.length; i++) {
    work(items[i]!);
    if (i % WRITES_PER_STEP === WRITES_PER_STEP - 1) yield;
  }
}

function nameOf({ interval, optional, quote = null }: StreamedListing): string {
  return `${interval}${optional ? ' optional' : ''}${quote === null ? '' : ` in ${quote}`}`;
}

function stopping(): Buffer {
  return goodbyeBytes('stopping', Math.round(RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least)));
}

function tooManyQueries(key: string | null): ApiError {
  const owner = key === null ? 'Your address' : 'The API key';
  return new ApiError('too_many_streams', `${owner} may stream ${MAX_QUERIES} different queries at once.`, {
    hint: 'Close a stream first, or select the rows of several streams from one.',
  });
}

function tooMany(key: string | null, limit: number): ApiError {
  const owner = key === null ? 'Your address' : 'The API key';
  return new ApiError('too_many_streams', `${owner} may have ${limit} streams open at once.`, {
    hint: 'Close one first.',
  });
}
