// Runs the serving threads: gives each what it needs before it listens, passes on new data, and replaces a thread that dies.

import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { RingKey } from '../access/key-ring.ts';
import { StreamPlaces } from '../access/stream-places.ts';
import { type Argument, Channel } from '../common/channel.ts';
import { moduleBeside, startThread } from '../common/thread.ts';
import type { KeptListing } from '../domain/kept-listings.ts';
import type { ServedInterval } from '../domain/served-intervals.ts';
import type { ServiceEvent } from '../observe/events.ts';
import { MAIN_AREA, SharedMetrics } from '../observe/shared-metrics.ts';
import type { EarlierValues } from '../query/execute/earlier-values.ts';
import type { Plan } from '../query/parse/plan.ts';
import { bytesOfSnapshot, describeSnapshot, type SharedSnapshot } from '../snapshot/build/share.ts';
import type { Snapshot } from '../snapshot/table.ts';
import { PUBLICATIONS_KEPT, type Publication, publicationBetween } from '../stream/publication.ts';
import type { SourceLoads } from './load-watch.ts';
import { leastMemory, memoryPlan } from './memory-plan.ts';
import { claimPort } from './port-claim.ts';
import type { ServerExportsOptions } from './server-exports.ts';
import type { SupervisorCalls, ThreadCalls, ThreadSetup } from './thread-messages.ts';
import { ThreadRequests } from './thread-requests.ts';

/** Linux shares the connections to one port among the threads that listen on it, and can keep other servers from it (port-claim.ts). */
const THREADS_SHARE_PORT = process.platform === 'linux';

/** Back-off for a thread that dies at once each time. */
const FIRST_RESTART_MS = 50;
const LAST_RESTART_MS = 5000;
/** After the grace, a thread has this long to end before it is terminated. */
const END_MS = 2000;
/** A thread that lived this long resets the back-off. */
const LIVED_MS = 10_000;

/**
 * The young generation of a thread's heap, a third of it in use at a time. V8 would let it grow to twice as much, which is not
 * faster, and buffers of answers are freed only when it is full. With half as much, requests that wait in a flood are promoted to
 * the old generation, whose collections then delay other clients.
 */
const YOUNG_MB = 24;

const THREAD = moduleBeside(import.meta.url, 'thread');

type ThreadChannel = Channel<SupervisorCalls, ThreadCalls>;

export interface SupervisorOptions {
  readonly setup: Omit<ThreadSetup, 'reusePort' | 'connections' | 'memory' | 'metrics' | 'streams' | 'thread'>;
  /** That the server may use in all. */
  readonly memoryBytes: number;
  /** At once, in all threads together. */
  readonly connections: number;
  /** 0: one for each core. */
  readonly threads: number;
  /** Where Parquet files are kept, and how many bytes of them. */
  readonly exports: Pick<ServerExportsOptions, 'folder' | 'maxBytes'>;
  readonly onEvent: (event: ServiceEvent) => void;
  /** Whole lines for the log. */
  readonly onLines: (text: string, count: number) => void;
  /** Listings that are built after each publication; null: that of hours, if the store has them. */
  readonly listings?: readonly KeptListing[] | null;
  /** What a thread runs. */
  readonly script?: URL;
}

export class Supervisor {
  /** Of this thread, in memory that all threads share. */
  readonly metrics: SharedMetrics;
  readonly #setup: Omit<ThreadSetup, 'thread'>;
  readonly #count: number;
  readonly #memoryBytes: number;
  readonly #options: Pick<SupervisorOptions, 'onEvent' | 'onLines'>;
  readonly #script: URL;
  readonly #threads = new Map<Worker, ThreadChannel>();
  readonly #freeNumbers: number[];
  #snapshot: SharedSnapshot | null = null;
  /** The latest ones, the oldest first. */
  #publications: readonly Publication[] = [];
  #keys: readonly RingKey[] = [];
  #servers = 1;
  #loads: readonly SourceLoads[] = [];
  #intervals: readonly ServedInterval[] = [];
  readonly #requests: ThreadRequests;
  /** Not counting those that took the place of another. */
  #started = 0;
  /** Null before `listen`. */
  #port: number | null = null;
  readonly #listening = new Set<Worker>();
  /** Of the port, by a thread that takes the place of the last one; settles without failing. */
  #claim: Promise<void> | null = null;
  #stopping = false;

  constructor({
    setup,
    memoryBytes,
    connections,
    threads,
    exports,
    listings = null,
    script = THREAD,
    ...options
  }: SupervisorOptions) {
    const wanted = threads === 0 ? availableParallelism() : threads;
    this.#count = THREADS_SHARE_PORT ? wanted : 1;
    this.metrics = new SharedMetrics(SharedMetrics.bufferFor(this.#count + 1), MAIN_AREA);
    const { pastBytes, ...memory } = memoryPlan(memoryBytes, this.#count);
    this.#memoryBytes = memoryBytes;
    this.#setup = {
      ...setup,
      reusePort: this.#count > 1,
      connections: Math.ceil(connections / this.#count),
      cacheBytes: setup.cacheBytes / this.#count,
      memory,
      metrics: this.metrics.buffer,
      streams: StreamPlaces.bufferFor(this.#count + 1),
    };
    this.#freeNumbers = Array.from({ length: this.#count }, (_, i) => i + 1);
    this.#options = options;
    this.#script = script;
    const { storeUrl, activePeriods, version } = setup;
    this.#requests = new ThreadRequests({
      ...{ ...exports, storeUrl, activePeriods, version, pastBytes, listings },
      onEvent: options.onEvent,
      onCollect: () => this.#collectInTurn(),
      onForgotten: past => this.#sendAll('forgetPast', past),
    });
  }

  get threads(): number {
    return this.#count;
  }

  /** Threads that listen now. */
  get listening(): number {
    return this.#listening.size;
  }

  /** Loads the program into as many threads as do not slow this one down; they listen when `listen` is called. */
  start(): void {
    this.#spawnUpTo(Math.min(this.#count, Math.max(1, availableParallelism() - 1)));
  }

  /** Returns the address once every thread listens on it; fails with EADDRINUSE when the port is in use. */
  async listen(port: number): Promise<string> {
    this.#spawnUpTo(this.#count);
    return claimPort(this.#setup.host, port, async claimed => {
      this.#port = claimed;
      const urls = await Promise.all([...this.#threads.keys()].map(thread => this.#listenOn(thread, claimed)));
      return urls[0]!;
    });
  }

  publish(snapshot: SharedSnapshot): void {
    const before = this.#snapshot;
    if (before === null) this.#checkMemory(snapshot);
    const isNew = before !== null && before.version !== snapshot.version;
    const publications = isNew ? [publicationBetween(before, snapshot)] : [];
    this.#snapshot = snapshot;
    this.#requests.publish(snapshot);
    this.#publications = [...this.#publications, ...publications].slice(-PUBLICATIONS_KEPT);
    this.#sendAll('snapshot', { snapshot: describeSnapshot(snapshot), publications });
  }

  #checkMemory(snapshot: SharedSnapshot): void {
    const cacheBytes = this.#setup.cacheBytes * this.#count;
    const needed = leastMemory(bytesOfSnapshot(describeSnapshot(snapshot)), cacheBytes, this.#count);
    if (needed <= this.#memoryBytes) return;
    const [memoryMb, neededMb] = [this.#memoryBytes, needed].map(bytes => Math.ceil(bytes / 1e6)) as [number, number]; // two of them
    this.#options.onEvent({ event: 'memory_too_small', memoryMb, neededMb });
  }

  setKeys(keys: readonly RingKey[]): void {
    this.#keys = keys;
    this.#sendAll('keys', keys);
  }

  setServers(count: number): void {
    if (count === this.#servers) return;
    this.#servers = count;
    this.#sendAll('servers', count);
  }

  setLoads(loads: readonly SourceLoads[]): void {
    this.#loads = loads;
    this.#sendAll('loads', loads);
  }

  setIntervals(intervals: readonly ServedInterval[]): void {
    this.#intervals = intervals;
    this.#requests.setIntervals(intervals);
    this.#sendAll('intervals', intervals);
  }

  /** The newest listing of an interval and a quote; null if it cannot be built now. */
  listing(plan: Pick<Plan, 'interval' | 'quote' | 'usesOptional'>): Promise<Snapshot | null> {
    return this.#requests.listing(plan);
  }

  /** Lets requests finish for at most `graceMs`, or until `hurry`. A thread that does not end is terminated. */
  async stop(graceMs: number, hurry: Promise<void> = new Promise(() => {})): Promise<void> {
    this.#stopping = true;
    const ends = Promise.all(
      [...this.#threads.keys()].map(thread => new Promise(resolve => thread.once('exit', resolve))),
    );
    this.#sendAll('stop', graceMs);
    void hurry.then(() => this.#sendAll('closeConnections', undefined));
    const endAll = () => [...this.#threads.keys()].map(thread => thread.terminate());
    const timer = setTimeout(endAll, graceMs + END_MS);
    await ends.finally(() => clearTimeout(timer));
    await this.#requests.stop();
  }

  #sendAll<Name extends keyof ThreadCalls>(name: Name, argument: Argument<ThreadCalls, Name>): void {
    for (const channel of this.#threads.values()) channel.send(name, argument);
  }

  /** One thread after the other: several at once would wait for a core, and their requests with them. */
  async #collectInTurn(): Promise<void> {
    // One that ends meanwhile holds nothing any more.
    for (const channel of [...this.#threads.values()]) await channel.request('collect', undefined).catch(() => {});
  }

  #reportFailed(task: string, error: unknown): void {
    const stack = (error instanceof Error ? error.stack : undefined) ?? String(error);
    this.#options.onEvent({ event: 'task_failed', task, stack });
  }

  earlier(plan: Plan, snapshot: Snapshot): Promise<EarlierValues | null> {
    return this.#requests.earlier(plan, snapshot);
  }

  addOptionalColumns(): Promise<boolean> {
    return this.#requests.addOptionalColumns();
  }

  #spawnUpTo(count: number): void {
    for (; this.#started < count; this.#started++) this.#spawn();
  }

  #spawn(): Worker {
    const number = this.#freeNumbers.shift()!; // as many as there are threads
    const workerData: ThreadSetup = { ...this.#setup, thread: number };
    const thread = startThread(this.#script, workerData, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    const born = performance.now();
    const { onEvent, onLines } = this.#options;
    const channel: ThreadChannel = new Channel<SupervisorCalls, ThreadCalls>(thread, {
      event: onEvent,
      lines: ({ text, count }) => onLines(text, count),
      ...this.#requests.handlers(thread),
    });
    this.#threads.set(thread, channel);
    this.metrics.set('threads', this.#threads.size);
    thread.on('error', error => {
      onEvent({ event: 'thread_failed', thread: number, stack: error.stack ?? error.message });
      channel.close(error);
    });
    thread.on('exit', () => {
      channel.close(new Error('a serving thread ended'));
      this.#threads.delete(thread);
      this.#listening.delete(thread);
      this.#requests.ended(thread);
      this.metrics.set('threads', this.#threads.size);
      this.metrics.clearGauges(number);
      new StreamPlaces(this.#setup.streams, number).clear();
      this.#freeNumbers.push(number);
      if (!this.#stopping) {
        this.#replace(number, performance.now() - born).catch(error => this.#reportFailed('replacing a thread', error));
      }
    });
    return thread;
  }

  #restartMs = FIRST_RESTART_MS;

  async #replace(thread: number, livedMs: number): Promise<void> {
    if (livedMs > LIVED_MS) this.#restartMs = FIRST_RESTART_MS;
    this.metrics.add('restarts');
    this.#options.onEvent({ event: 'thread_ended', thread, replacedInMs: this.#restartMs });
    await delay(this.#restartMs);
    this.#restartMs = Math.min(2 * this.#restartMs, LAST_RESTART_MS);
    if (this.#stopping) return;
    const other = this.#spawn();
    // A thread that cannot listen is ended, and replaced in turn.
    if (this.#port !== null) await this.#listenAgain(other, this.#port).catch(() => other.terminate());
  }

  /** While none of our threads listens, another server may take the port: the first one to listen again has to claim it. */
  async #listenAgain(thread: Worker, port: number): Promise<void> {
    while (this.#claim !== null) await this.#claim;
    if (this.#listening.size > 0) {
      await this.#listenOn(thread, port);
      return;
    }
    const claim = claimPort(this.#setup.host, port, () => this.#listenOn(thread, port));
    this.#claim = claim.then(
      () => {},
      () => {},
    );
    await claim.finally(() => {
      this.#claim = null;
    });
  }

  /** Calls arrive in order, so the thread has its snapshot and keys before it listens. */
  async #listenOn(thread: Worker, port: number): Promise<string> {
    const channel = this.#threads.get(thread)!; // until it ends
    channel.send('keys', this.#keys);
    channel.send('servers', this.#servers);
    channel.send('loads', this.#loads);
    channel.send('intervals', this.#intervals);
    const snapshot = this.#snapshot && describeSnapshot(this.#snapshot);
    if (snapshot !== null) channel.send('snapshot', { snapshot, publications: this.#publications });
    const url = await channel.request('listen', port);
    this.#listening.add(thread);
    return url;
  }
}
