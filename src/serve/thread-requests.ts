// What the supervisor does at the request of its serving threads, in threads of lower priority: it builds past days, reads findings and
// actions, writes export files, and publishes the optional columns.

import type { Worker } from 'node:worker_threads';
import type { Handlers } from '../common/channel.ts';
import { resultInSlices } from '../common/run-in-slices.ts';
import { TaskThread } from '../common/task-thread.ts';
import { moduleBeside } from '../common/thread.ts';
import type { AssetNumber } from '../domain/asset.ts';
import { isHistory } from '../domain/datasets.ts';
import type { ListedInterval } from '../domain/interval.ts';
import type { KeptListing } from '../domain/kept-listings.ts';
import type { ServedInterval } from '../domain/served-intervals.ts';
import type { ExportFailure, ExportRequest } from '../export/export-files.ts';
import type { ExportFile } from '../export/export-folder.ts';
import type { PastDay } from '../history/past-snapshot.ts';
import type { SourcesRead, SourcesTask } from '../history/source-reads.ts';
import type { ServiceEvent } from '../observe/events.ts';
import { type EarlierValues, earlierOfListing } from '../query/execute/earlier-values.ts';
import { findQuote } from '../query/execute/find-named.ts';
import type { LagNode, RowValues } from '../query/expression/nodes.ts';
import type { Plan } from '../query/parse/plan.ts';
import { attachSnapshot, bytesOfSnapshot, describeSnapshot, type SharedSnapshot } from '../snapshot/build/share.ts';
import type { Snapshot } from '../snapshot/table.ts';
import { collectGarbage } from './collect-garbage.ts';
import { guarded } from './guarded.ts';
import { LentMemory } from './lent-memory.ts';
import { type BuiltPast, type PastAnswer, PastDays } from './past-days.ts';
import type { PastThreadSetup } from './past-thread.ts';
import { ReviewTables } from './review-tables.ts';
import { repeat } from './schedule.ts';
import { ServerExports, type ServerExportsOptions } from './server-exports.ts';
import { SourceReads } from './source-reads.ts';
import type { PastRequest, SupervisorCalls } from './thread-messages.ts';

const PAST_THREAD = moduleBeside(import.meta.url, 'past-thread');
/** Threads that read now and then end after so long without work, and return their memory. */
const IDLE_MS = 10_000;
/** How often the memory of forgotten snapshots is looked at. */
const FREE_MS = 10_000;
/** After the optional columns could not be published. */
const RETRY_OPTIONAL_MS = 10_000;

/** Of the memory of past days, for what the newest listings of intervals are made of. */
const KEPT = 1 / 2;

const HOURS: KeptListing = { interval: '1h', quote: null };

export interface ThreadRequestsOptions
  extends Omit<PastThreadSetup, 'keptBytes'>,
    Omit<ServerExportsOptions, 'onFailed'> {
  /** Of past days. */
  readonly pastBytes: number;
  readonly onEvent: (event: ServiceEvent) => void;
  /** All threads are to free what they no longer use. Resolves once they have. */
  readonly onCollect: () => Promise<void>;
  readonly onForgotten: (past: PastDay) => void;
  /** Listings that are built after each publication; null: that of hours, if the store has them. */
  readonly listings: readonly KeptListing[] | null;
}

export class ThreadRequests {
  readonly #onEvent: (event: ServiceEvent) => void;
  readonly #past: PastDays;
  readonly #memory: LentMemory;
  readonly #pastThread: TaskThread<PastDay, BuiltPast>;
  readonly #optionalThread: TaskThread<'optional columns', string | null>;
  /** While they are being added. */
  #optionalAdded: Promise<boolean> | null = null;
  #retryOptionalAt = 0;
  readonly #reviews: ReviewTables;
  readonly #sources: SourceReads;
  readonly #sourcesThread: TaskThread<SourcesTask, SourcesRead>;
  readonly #exports: ServerExports;
  readonly #stopFreeing: () => Promise<void>;
  readonly #ended = new WeakSet<Worker>();
  readonly #listings: readonly KeptListing[] | null;
  #snapshot: SharedSnapshot | null = null;
  #intervals: readonly ServedInterval[] = [];

  constructor({ pastBytes, onEvent, onCollect, onForgotten, listings, ...options }: ThreadRequestsOptions) {
    this.#listings = listings;
    const { storeUrl, activePeriods, folder, maxBytes, version } = options;
    const setup: PastThreadSetup = { storeUrl, activePeriods, keptBytes: KEPT * pastBytes };
    // Never idle: it keeps what the next listings of intervals are made from.
    this.#pastThread = new TaskThread(PAST_THREAD, setup, stack => onEvent({ event: 'past_day_failed', stack }));
    const onOptionalFailed = (stack: string) => onEvent({ event: 'optional_columns_failed', stack });
    this.#optionalThread = new TaskThread(PAST_THREAD, setup, onOptionalFailed, { idleMs: IDLE_MS });
    this.#onEvent = onEvent;
    const readingThread = <Task, Result>(what: string) =>
      new TaskThread<Task, Result>(
        PAST_THREAD,
        setup,
        stack => onEvent({ event: 'task_failed', task: `reading ${what}`, stack }),
        { idleMs: IDLE_MS },
      );
    this.#reviews = new ReviewTables(readingThread('findings or actions'));
    this.#sourcesThread = readingThread('the sources of an asset');
    this.#sources = new SourceReads(task => this.#sourcesThread.run(task));
    const onFailed = (stack: string) => onEvent({ event: 'export_failed', stack });
    this.#exports = new ServerExports({ storeUrl, folder, maxBytes, version, onFailed });
    this.#memory = new LentMemory(async () => {
      await onCollect();
      collectGarbage('regular');
    });
    this.#past = new PastDays({
      build: past => this.#pastThread.run(past),
      onForgotten,
      maxBytes: pastBytes,
      memory: this.#memory,
      estimate: () => (this.#snapshot === null ? 0 : bytesOfSnapshot(describeSnapshot(this.#snapshot))),
    });
    this.#stopFreeing = repeat(
      FREE_MS,
      guarded('freeing memory', onEvent, () => this.#past.freeForgotten()),
    );
  }

  /** Those of one thread. */
  handlers(thread: Worker): Omit<Handlers<SupervisorCalls>, 'event' | 'lines'> {
    return {
      past: (request, withdrawn) => this.#pastDay(thread, request, withdrawn),
      pastFreed: id => this.#memory.freed(id, thread),
      exportFile: request =>
        this.#exportFile(request).catch(error => this.#failed('writing an export', error, 'failed')),
      exportLost: path => this.#exports.lost(path),
      optionalColumns: () => this.addOptionalColumns(),
      reviews: request => this.#reviews.get(request),
      sources: request => this.#sources.get(request),
    };
  }

  /** To be called with every new snapshot. */
  publish(snapshot: SharedSnapshot): void {
    const before = this.#snapshot;
    this.#snapshot = snapshot;
    if (before?.fingerprint === snapshot.fingerprint) return;
    this.#past.published();
    this.#buildListings(snapshot);
  }

  /** To be called with what the store has, after each publication. */
  setIntervals(intervals: readonly ServedInterval[]): void {
    const isNew = intervals.map(each => each.interval).join() !== this.#intervals.map(each => each.interval).join();
    this.#intervals = intervals;
    if (isNew && this.#snapshot !== null) this.#buildListings(this.#snapshot);
  }

  async #exportFile(request: ExportRequest): Promise<ExportFile | ExportFailure> {
    const snapshot = this.#snapshot;
    if (snapshot === null) return 'failed';
    const { dataset, interval, quote } = request;
    if ((interval === '1d' && quote === null) || isHistory(dataset))
      return this.#exports.find({ ...snapshot, describe: () => describeSnapshot(snapshot) }, request);
    // The listing is not needed for a file that was made.
    if (request.name !== null) return this.#exports.find(null, request);
    const answer = await this.#past.get(
      newestListing({ interval: interval as ListedInterval, quote }, false, snapshot),
    ); // no months
    if (typeof answer === 'string') return answer === 'busy' ? 'busy' : 'failed';
    return this.#exports.find({ ...answer.snapshot, describe: () => answer.snapshot }, request);
  }

  /** The newest listing of an interval and a quote, for this thread; null if it cannot be built now. */
  async listing(plan: Pick<Plan, 'interval' | 'quote' | 'usesOptional'>): Promise<Snapshot | null> {
    const [{ interval, usesOptional }, quote] = [plan, this.#quoteOf(plan)];
    if (this.#snapshot === null || quote === undefined) return null;
    const listing = { interval: interval as ListedInterval, quote }; // no months
    const answer = await this.#past.get(newestListing(listing, usesOptional, this.#snapshot));
    return typeof answer === 'string' ? null : attachSnapshot(answer.snapshot);
  }

  /** Those of the setting, before a client asks for them. A quote that the store does not have is left out. */
  #buildListings(snapshot: SharedSnapshot): void {
    const served = this.#intervals.map(each => each.interval);
    for (const { interval, quote: name } of this.#listings ?? [HOURS]) {
      const quote = this.#quoteOf({ quote: name });
      if (quote === undefined || (interval === '1d' && quote === null)) continue;
      if (interval !== '1d' && !served.includes(interval)) continue;
      void this.#past.get(newestListing({ interval, quote }, false, snapshot));
    }
  }

  /** Null for dollars; undefined if the store has no such asset. */
  #quoteOf({ quote }: Pick<Plan, 'quote'>): AssetNumber | null | undefined {
    if (quote === null) return null;
    const found = this.#snapshot && findQuote(this.#snapshot, quote);
    return found === null || found.lastDay === null ? undefined : found.assetNumber;
  }

  /** To be called when a thread has ended. */
  ended(thread: Worker): void {
    this.#ended.add(thread);
    this.#memory.ended(thread);
  }

  /**
   * Runs once, however many threads ask. Returns whether it was possible; the snapshot with the columns arrives like any other. After a
   * failure, a request some seconds later tries again.
   */
  async addOptionalColumns(): Promise<boolean> {
    if (this.#optionalAdded === null && performance.now() < this.#retryOptionalAt) return false;
    this.#optionalAdded ??= this.#addOptionalColumns().finally(() => {
      this.#optionalAdded = null;
    });
    return this.#optionalAdded;
  }

  /**
   * The values of earlier periods that the plan of an alert reads; null if they cannot be computed now, or are of another publication than
   * the snapshot.
   */
  async earlier(plan: Plan, snapshot: Snapshot): Promise<EarlierValues | null> {
    const { interval, lags, usesOptional: optional } = plan;
    const quote = this.#quoteOf(plan);
    if (quote === undefined) return null;
    const values = new Map<string, RowValues>();
    for (const [lag, same] of Map.groupBy(lags, ({ periods }) => periods)) {
      // Listings have no months.
      const past = { interval: interval as ListedInterval, day: null, optional, inactive: false, quote, lag };
      const found = await this.#earlier(same, snapshot, past);
      if (found === null) return null;
      for (const [name, column] of found) values.set(name, column);
    }
    return values;
  }

  async stop(): Promise<void> {
    const threads = [this.#pastThread, this.#optionalThread, this.#sourcesThread, this.#reviews, this.#exports];
    // Not awaited: it may be waiting for threads to free memory.
    void this.#stopFreeing();
    await Promise.all(threads.map(each => each.stop()));
  }

  async #pastDay(thread: Worker, request: PastRequest, withdrawn: AbortSignal): Promise<PastAnswer> {
    withdrawn.addEventListener('abort', () => this.#past.withdraw(request));
    try {
      const answer = await this.#past.get(request);
      if (typeof answer === 'object' && !this.#ended.has(thread)) this.#memory.lend(answer.id, thread);
      return answer;
    } catch (error) {
      return this.#failed('building a past day', error, 'unavailable');
    }
  }

  async #earlier(lags: readonly LagNode[], snapshot: Snapshot, past: PastDay): Promise<EarlierValues | null> {
    const answer = await this.#past.get({ fingerprint: snapshot.fingerprint, client: 'alerts', ...past });
    if (typeof answer === 'string' || answer.snapshot.version !== snapshot.version) return null;
    return resultInSlices(earlierOfListing(lags, snapshot, attachSnapshot(answer.snapshot)));
  }

  async #addOptionalColumns(): Promise<boolean> {
    const failure = await this.#optionalThread.run('optional columns').catch(() => '');
    if (failure === null) return true;
    if (failure !== '') this.#onEvent({ event: 'optional_columns_failed', stack: failure });
    this.#retryOptionalAt = performance.now() + RETRY_OPTIONAL_MS;
    return false;
  }

  #failed<Reply>(task: string, error: unknown, reply: Reply): Reply {
    const stack = (error instanceof Error ? error.stack : undefined) ?? String(error);
    this.#onEvent({ event: 'task_failed', task, stack });
    return reply;
  }
}

/** As a request of the server itself. */
function newestListing(
  listing: Pick<PastDay, 'interval' | 'quote'>,
  optional: boolean,
  { fingerprint }: SharedSnapshot,
): PastRequest {
  return { ...listing, day: null, optional, inactive: false, fingerprint, client: 'server' };
}
