// Runs the serving threads: gives each what it needs before it listens, passes on what is new, and replaces one that dies.

import { getCompileCacheDir } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { RingKey } from '../access/key-ring.ts';
import type { ServiceEvent } from '../observe/events.ts';
import { MAIN_AREA, SharedMetrics } from '../observe/shared-metrics.ts';
import type { SharedSnapshot } from '../snapshot/builder.ts';
import { describeSnapshot } from '../snapshot/share.ts';
import type { SourceLoads } from './load-watch.ts';
import { claimPort } from './port-claim.ts';
import type { FromThread, ThreadSetup, ToThread } from './thread-messages.ts';

/** Linux shares the connections to one port among the threads that listen on it, and can keep other servers from it (port-claim.ts). */
const THREADS_SHARE_PORT = process.platform === 'linux';

/** A thread that dies at once each time is replaced ever more slowly. */
const FIRST_RESTART_MS = 50;
const LAST_RESTART_MS = 5000;
/** What a thread may need beyond the grace to end, before it is ended. */
const LAST_WORDS_MS = 2000;
/** One that lived for so long had no fault from the start. */
const LIVED_MS = 10_000;

/**
 * For what a thread makes anew, a third of it in use at a time. The engine would let it grow to four times as much: it is no faster
 * so, and the bytes of answers that hang on it are freed only when it is full.
 */
const YOUNG_MB = 12;

const THREAD = new URL('./start-thread.js', import.meta.url);

export interface SupervisorOptions {
  readonly setup: Omit<ThreadSetup, 'reusePort' | 'compiled' | 'connections' | 'metrics' | 'thread'>;
  /** At once, in all threads together. */
  readonly connections: number;
  /** 0: one for each core. */
  readonly threads: number;
  readonly onEvent: (event: ServiceEvent) => void;
  /** Whole lines for the log. */
  readonly onLines: (text: string, count: number) => void;
  /** What a thread runs. */
  readonly script?: URL;
}

export class Supervisor {
  /** Those of this thread; in the same memory are those of the others. */
  readonly metrics: SharedMetrics;
  readonly #setup: Omit<ThreadSetup, 'thread'>;
  readonly #count: number;
  readonly #options: Pick<SupervisorOptions, 'onEvent' | 'onLines'>;
  readonly #script: URL;
  readonly #threads = new Set<Worker>();
  readonly #freeNumbers: number[];
  #snapshot: SharedSnapshot | null = null;
  #keys: readonly RingKey[] = [];
  #servers = 1;
  #loads: readonly SourceLoads[] = [];
  /** Not counting those that took the place of another. */
  #started = 0;
  /** Null before `listen`. */
  #port: number | null = null;
  readonly #listening = new Set<Worker>();
  #stopping = false;

  constructor({ setup, connections, threads, script = THREAD, ...options }: SupervisorOptions) {
    const wanted = threads === 0 ? availableParallelism() : threads;
    this.#count = THREADS_SHARE_PORT ? wanted : 1;
    this.metrics = new SharedMetrics(SharedMetrics.bufferFor(this.#count + 1), MAIN_AREA);
    // Each version of Node keeps its code in a folder of its own below the one that was named.
    const compiled = getCompileCacheDir();
    this.#setup = {
      ...setup,
      reusePort: this.#count > 1,
      connections: Math.ceil(connections / this.#count),
      cacheBytes: setup.cacheBytes / this.#count,
      compiled: compiled === undefined ? null : dirname(compiled),
      metrics: this.metrics.buffer,
    };
    this.#freeNumbers = Array.from({ length: this.#count }, (_, i) => i + 1);
    this.#options = options;
    this.#script = script;
  }

  get threads(): number {
    return this.#count;
  }

  /** Loads the program into threads, as many as do not take time from this one; they listen when `listen` is called. */
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
    this.#snapshot = snapshot;
    this.#tellAll({ kind: 'snapshot', snapshot: describeSnapshot(snapshot) });
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

  /** What has begun is finished, unless it takes longer than `graceMs` or until `hurry`. A thread that does not end is ended. */
  async stop(graceMs: number, hurry: Promise<void> = new Promise(() => {})): Promise<void> {
    this.#stopping = true;
    const ends = Promise.all([...this.#threads].map(thread => new Promise(resolve => thread.once('exit', resolve))));
    this.#tellAll({ kind: 'stop', graceMs });
    void hurry.then(() => this.#tellAll({ kind: 'cut' }));
    const endAll = () => [...this.#threads].map(thread => thread.terminate());
    const timer = setTimeout(endAll, graceMs + LAST_WORDS_MS);
    await ends.finally(() => clearTimeout(timer));
  }

  #tellAll(message: ToThread): void {
    for (const thread of this.#threads) thread.postMessage(message);
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
    });
    thread.on('error', error =>
      onEvent({ event: 'thread_failed', thread: number, stack: error.stack ?? error.message }),
    );
    thread.on('exit', () => {
      this.#threads.delete(thread);
      this.#listening.delete(thread);
      this.metrics.set('threads', this.#threads.size);
      this.metrics.clearGauges(number);
      this.#freeNumbers.push(number);
      if (!this.#stopping) void this.#replace(number, performance.now() - born);
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
    const port = this.#port;
    if (port === null) return;
    const listen = () => this.#listenOn(other, port);
    // While none of our threads listened, another server may have taken the port.
    const listening = this.#listening.size > 0 ? listen() : claimPort(this.#setup.host, port, listen);
    // A thread that cannot listen is ended, and replaced in turn.
    await listening.catch(() => other.terminate());
  }

  /** Messages arrive in order, so the thread has its snapshot and keys before it listens. */
  #listenOn(thread: Worker, port: number): Promise<string> {
    const messages: ToThread[] = [
      { kind: 'keys', keys: this.#keys },
      { kind: 'servers', count: this.#servers },
      { kind: 'loads', loads: this.#loads },
      ...(this.#snapshot === null ? [] : [{ kind: 'snapshot', snapshot: describeSnapshot(this.#snapshot) } as const]),
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
