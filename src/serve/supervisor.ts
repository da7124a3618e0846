// Runs the serving threads: gives each what it needs before it listens, passes on new data, and replaces a thread that dies.

import { getCompileCacheDir } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { RingKey } from '../access/key-ring.ts';
import { StreamPlaces } from '../access/stream-places.ts';
import { TaskThread } from '../common/task-thread.ts';
import type { ExportRequest } from '../export/export-files.ts';
import type { PastDay } from '../history/past-snapshot.ts';
import type { ServiceEvent } from '../observe/events.ts';
import { MAIN_AREA, SharedMetrics } from '../observe/shared-metrics.ts';
import type { SharedSnapshot } from '../snapshot/build/builder.ts';
import { describeSnapshot, type SnapshotDescriptor } from '../snapshot/build/share.ts';
import { PUBLICATIONS_KEPT, type Publication, publicationBetween } from '../stream/publication.ts';
import { collectGarbage } from './collect-garbage.ts';
import { LentMemory } from './lent-memory.ts';
import type { SourceLoads } from './load-watch.ts';
import { leastMemory, memoryPlan } from './memory-plan.ts';
import { bytesOf, PastDays } from './past-days.ts';
import { claimPort } from './port-claim.ts';
import { ServerExports, type ServerExportsOptions } from './server-exports.ts';
import type { FromThread, PastRequest, ThreadSetup, ToThread } from './thread-messages.ts';

/** Linux shares the connections to one port among the threads that listen on it, and can keep other servers from it (port-claim.ts). */
const THREADS_SHARE_PORT = process.platform === 'linux';

/** After the optional columns could not be published. */
const RETRY_OPTIONAL_MS = 10_000;
/** Back-off for a thread that dies at once each time. */
const FIRST_RESTART_MS = 50;
const LAST_RESTART_MS = 5000;
/** After the grace, a thread has this long to end before it is terminated. */
const LAST_WORDS_MS = 2000;
/** A thread that lived this long resets the back-off. */
const LIVED_MS = 10_000;

/**
 * The young generation of a thread's heap, a third of it in use at a time. V8 would let it grow to twice as much, which is not
 * faster, and buffers of answers are freed only when it is full. With half as much, requests that wait in a flood are promoted to
 * the old generation, whose collections then delay other clients.
 */
const YOUNG_MB = 24;

const THREAD = new URL('./start-thread.js', import.meta.url);
const PAST_THREAD = new URL('./start-past-thread.js', import.meta.url);

export interface SupervisorOptions {
  readonly setup: Omit<
    ThreadSetup,
    'reusePort' | 'compiled' | 'connections' | 'memory' | 'metrics' | 'streams' | 'thread'
  >;
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
  readonly #threads = new Set<Worker>();
  readonly #freeNumbers: number[];
  #snapshot: SharedSnapshot | null = null;
  /** The latest ones, the oldest first. */
  #publications: readonly Publication[] = [];
  #keys: readonly RingKey[] = [];
  #servers = 1;
  #loads: readonly SourceLoads[] = [];
  readonly #past: PastDays;
  readonly #pastMemory: LentMemory;
  readonly #pastThread: TaskThread<PastDay, SnapshotDescriptor>;
  readonly #optionalThread: TaskThread<'optional columns', string | null>;
  #addsOptional = false;
  #retryOptionalAt = 0;
  readonly #exports: ServerExports;
  /** Not counting those that took the place of another. */
  #started = 0;
  /** Null before `listen`. */
  #port: number | null = null;
  readonly #listening = new Set<Worker>();
  /** Of the port, by a thread that takes the place of the last one; settles without failing. */
  #claim: Promise<void> | null = null;
  #stopping = false;

  constructor({ setup, memoryBytes, connections, threads, exports, script = THREAD, ...options }: SupervisorOptions) {
    const wanted = threads === 0 ? availableParallelism() : threads;
    this.#count = THREADS_SHARE_PORT ? wanted : 1;
    this.metrics = new SharedMetrics(SharedMetrics.bufferFor(this.#count + 1), MAIN_AREA);
    const { pastBytes, ...memory } = memoryPlan(memoryBytes, this.#count);
    this.#memoryBytes = memoryBytes;
    // Each version of Node keeps its code in a folder of its own below the one that was named.
    const compiled = getCompileCacheDir();
    this.#setup = {
      ...setup,
      reusePort: this.#count > 1,
      connections: Math.ceil(connections / this.#count),
      cacheBytes: setup.cacheBytes / this.#count,
      memory,
      compiled: compiled === undefined ? null : dirname(compiled),
      metrics: this.metrics.buffer,
      streams: StreamPlaces.bufferFor(this.#count + 1),
    };
    this.#freeNumbers = Array.from({ length: this.#count }, (_, i) => i + 1);
    this.#options = options;
    this.#script = script;
    const { storeUrl, activeDays, version } = setup;
    const storeThread = <Task, Result>(event: 'past_day_failed' | 'optional_columns_failed') =>
      new TaskThread<Task, Result>(PAST_THREAD, { storeUrl, activeDays, compiled: this.#setup.compiled }, stack =>
        options.onEvent({ event, stack }),
      );
    this.#pastThread = storeThread('past_day_failed');
    this.#optionalThread = storeThread('optional_columns_failed');
    this.#exports = new ServerExports({
      ...exports,
      ...{ storeUrl, version, compiled: this.#setup.compiled },
      onFailed: stack => options.onEvent({ event: 'export_failed', stack }),
    });
    this.#pastMemory = new LentMemory(() => {
      this.#tellAll({ kind: 'collect' });
      setImmediate(() => collectGarbage());
    });
    this.#past = new PastDays({
      build: past => this.#pastThread.run(past),
      onForgotten: past => this.#tellAll({ kind: 'forget-past', past }),
      maxBytes: pastBytes,
      memory: this.#pastMemory,
      estimate: () => (this.#snapshot === null ? 0 : bytesOf(describeSnapshot(this.#snapshot))),
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
      const urls = await Promise.all([...this.#threads].map(thread => this.#listenOn(thread, claimed)));
      return urls[0]!;
    });
  }

  publish(snapshot: SharedSnapshot): void {
    const before = this.#snapshot;
    if (before === null) this.#checkMemory(snapshot);
    const isNew = before !== null && before.version !== snapshot.version;
    const publications = isNew ? [publicationBetween(before, snapshot)] : [];
    this.#snapshot = snapshot;
    if (before?.fingerprint !== snapshot.fingerprint) this.#past.published();
    this.#publications = [...this.#publications, ...publications].slice(-PUBLICATIONS_KEPT);
    this.#tellAll({ kind: 'snapshot', snapshot: describeSnapshot(snapshot), publications });
  }

  #checkMemory(snapshot: SharedSnapshot): void {
    const cacheBytes = this.#setup.cacheBytes * this.#count;
    const needed = leastMemory(bytesOf(describeSnapshot(snapshot)), cacheBytes, this.#count);
    if (needed <= this.#memoryBytes) return;
    const [memoryMb, neededMb] = [this.#memoryBytes, needed].map(bytes => Math.ceil(bytes / 1e6)) as [number, number]; // two of them
    this.#options.onEvent({ event: 'memory_too_small', memoryMb, neededMb });
  }

  setKeys(keys: readonly RingKey[]): void {
    this.#keys = keys;
    this.#tellAll({ kind: 'keys', keys });
  }

  setServers(count: number): void {
    if (count === this.#servers) return;
    this.#servers = count;
    this.#tellAll({ kind: 'servers', count });
  }

  setLoads(loads: readonly SourceLoads[]): void {
    this.#loads = loads;
    this.#tellAll({ kind: 'loads', loads });
  }

  /** Lets requests finish for at most `graceMs`, or until `hurry`. A thread that does not end is terminated. */
  async stop(graceMs: number, hurry: Promise<void> = new Promise(() => {})): Promise<void> {
    this.#stopping = true;
    const ends = Promise.all([...this.#threads].map(thread => new Promise(resolve => thread.once('exit', resolve))));
    this.#tellAll({ kind: 'stop', graceMs });
    void hurry.then(() => this.#tellAll({ kind: 'cut' }));
    const endAll = () => [...this.#threads].map(thread => thread.terminate());
    const timer = setTimeout(endAll, graceMs + LAST_WORDS_MS);
    await ends.finally(() => clearTimeout(timer));
    await Promise.all([this.#pastThread.stop(), this.#optionalThread.stop(), this.#exports.stop()]);
  }

  #tellAll(message: ToThread): void {
    for (const thread of this.#threads) thread.postMessage(message);
  }

  async #sendPast(thread: Worker, request: PastRequest): Promise<void> {
    const answer = await this.#past.get(request).catch((error: unknown) => {
      this.#tellFailed('building a past day', error);
      return 'unavailable' as const;
    });
    if (typeof answer === 'object') this.#pastMemory.lend(answer.id, thread);
    thread.postMessage({ kind: 'past', request, answer } satisfies ToThread);
  }

  async #sendExport(thread: Worker, id: number, request: ExportRequest): Promise<void> {
    const failed = (error: unknown) => {
      this.#tellFailed('writing an export', error);
      return 'failed' as const;
    };
    const answer = await this.#exports.find(this.#snapshot, request).catch(failed);
    thread.postMessage({ kind: 'export', id, answer } satisfies ToThread);
  }

  /** The message that starts a task does not wait for it: an error that leaves the task would end the process. */
  #tellFailed(task: string, error: unknown): void {
    const stack = (error instanceof Error ? error.stack : undefined) ?? String(error);
    this.#options.onEvent({ event: 'task_failed', task, stack });
  }

  /**
   * Runs once, however many threads ask. The snapshot with the columns arrives like any other. After a failure, requests that wait are
   * refused, and a request some seconds later tries again.
   */
  async addOptionalColumns(): Promise<void> {
    if (this.#addsOptional) return;
    if (performance.now() >= this.#retryOptionalAt) {
      this.#addsOptional = true;
      const failure = await this.#optionalThread.run('optional columns').catch(() => '');
      this.#addsOptional = false;
      if (failure === null) return;
      if (failure !== '') this.#options.onEvent({ event: 'optional_columns_failed', stack: failure });
      this.#retryOptionalAt = performance.now() + RETRY_OPTIONAL_MS;
    }
    this.#tellAll({ kind: 'optional-failed' });
  }

  #spawnUpTo(count: number): void {
    for (; this.#started < count; this.#started++) this.#spawn();
  }

  #spawn(): Worker {
    const number = this.#freeNumbers.shift()!; // as many as there are threads
    const workerData: ThreadSetup = { ...this.#setup, thread: number };
    const thread = new Worker(this.#script, { workerData, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    const born = performance.now();
    const { onEvent, onLines } = this.#options;
    this.#threads.add(thread);
    this.metrics.set('threads', this.#threads.size);
    thread.on('message', (message: FromThread) => {
      if (message.kind === 'event') onEvent(message.event);
      else if (message.kind === 'lines') onLines(message.text, message.count);
      else if (message.kind === 'past') void this.#sendPast(thread, message.request);
      else if (message.kind === 'past-withdrawn') this.#past.withdraw(message.request);
      else if (message.kind === 'past-freed') this.#pastMemory.freed(message.id, thread);
      else if (message.kind === 'export') void this.#sendExport(thread, message.id, message.request);
      else if (message.kind === 'export-lost') this.#exports.lost(message.path);
      else if (message.kind === 'want-optional') void this.addOptionalColumns();
    });
    thread.on('error', error =>
      onEvent({ event: 'thread_failed', thread: number, stack: error.stack ?? error.message }),
    );
    thread.on('exit', () => {
      this.#threads.delete(thread);
      this.#listening.delete(thread);
      this.#pastMemory.ended(thread);
      this.metrics.set('threads', this.#threads.size);
      this.metrics.clearGauges(number);
      new StreamPlaces(this.#setup.streams, number).clear();
      this.#freeNumbers.push(number);
      if (!this.#stopping) {
        this.#replace(number, performance.now() - born).catch(error => this.#tellFailed('replacing a thread', error));
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

  #snapshotMessage(): ToThread[] {
    if (this.#snapshot === null) return [];
    const snapshot = describeSnapshot(this.#snapshot);
    return [{ kind: 'snapshot', snapshot, publications: this.#publications }];
  }

  /** Messages arrive in order, so the thread has its snapshot and keys before it listens. */
  #listenOn(thread: Worker, port: number): Promise<string> {
    const messages: ToThread[] = [
      { kind: 'keys', keys: this.#keys },
      { kind: 'servers', count: this.#servers },
      { kind: 'loads', loads: this.#loads },
      ...this.#snapshotMessage(),
      { kind: 'listen', port },
    ];
    for (const message of messages) thread.postMessage(message);
    return new Promise((resolve, reject) => {
      thread.on('message', (message: FromThread) => {
        if (message.kind !== 'listening') return;
        this.#listening.add(thread);
        resolve(message.url);
      });
      thread.once('error', reject);
      thread.once('exit', () => reject(new Error('a serving thread ended before it listened')));
    });
  }
}
