// What the supervisor and its serving threads do for each other.

import type { RingKey } from '../access/key-ring.ts';
import type { ActivePeriods } from '../domain/active-periods.ts';
import type { ServedInterval } from '../domain/served-intervals.ts';
import type { Tier } from '../domain/tiers.ts';
import type { ExportFailure, ExportRequest } from '../export/export-files.ts';
import type { ExportFile } from '../export/export-folder.ts';
import type { PastDay } from '../history/past-snapshot.ts';
import type { SharedReviews } from '../history/review-table.ts';
import type { SourcesRead } from '../history/source-reads.ts';
import type { TrustedProxy } from '../http/wire/trusted-proxy.ts';
import type { ServiceEvent } from '../observe/events.ts';
import type { LogForm } from '../observe/log-form.ts';
import type { SnapshotDescriptor } from '../snapshot/build/share.ts';
import type { Publication } from '../stream/publication.ts';
import type { SourceLoads } from './load-watch.ts';
import type { MemoryPlan } from './memory-plan.ts';
import type { ReviewRequest } from './review-tables.ts';
import type { SourcesFailure, SourcesRequest } from './source-reads.ts';

/** What a thread is started with. */
export interface ThreadSetup {
  readonly host: string;
  readonly reusePort: boolean;
  /** Port for metrics and health, served by the first thread; null: they are on the public port. */
  readonly adminPort: number | null;
  readonly group: string;
  readonly publicUrl: string | null;
  readonly trustProxy: TrustedProxy | null;
  readonly maxAgeSeconds: number;
  readonly simulated: boolean;
  readonly keyCommand: string | null;
  /** Says how to load data. */
  readonly noData: string;
  /** The tier of every request, without an API key; null: requests need a key. */
  readonly openTier: Tier | null;
  /** For finished pages: of this thread, once the supervisor has shared it out. */
  readonly cacheBytes: number;
  /** For histories and bars of single assets, and for what clients of streams have not read: of this thread. */
  readonly memory: Omit<MemoryPlan, 'pastBytes'>;
  /** For data that is not in the snapshot, such as profiles: each thread reads it itself. */
  readonly storeUrl: string;
  readonly activePeriods: ActivePeriods;
  readonly staleAfterSeconds: number;
  readonly shedAfterMs: number;
  /** At once, in one thread. */
  readonly connections: number;
  /** Memory that all threads share. */
  readonly state: SharedArrayBuffer;
  readonly limits: SharedArrayBuffer;
  readonly penalties: SharedArrayBuffer;
  readonly metrics: SharedArrayBuffer;
  readonly streams: SharedArrayBuffer;
  /** Its number, beginning with 1, and its area of the metrics; a replacement has the same. */
  readonly thread: number;
  readonly log: LogForm;
  /** Of the program. */
  readonly version: string;
  /** Of the process, in milliseconds since 1970. */
  readonly startedAt: number;
}

/** What a serving thread does for the supervisor, see `Channel`. */
export interface ThreadCalls {
  /** `publications`: those that led to it and that the thread does not know, the oldest first. */
  snapshot(next: { readonly snapshot: SnapshotDescriptor; readonly publications: readonly Publication[] }): void;
  keys(keys: readonly RingKey[]): void;
  loads(loads: readonly SourceLoads[]): void;
  intervals(intervals: readonly ServedInterval[]): void;
  /** How many servers share the limits. */
  servers(count: number): void;
  /** The day is no longer cached. */
  forgetPast(past: PastDay): void;
  /** Frees what it no longer uses. Replies once that is done. */
  collect(): void;
  /** All that it needs has been sent. Returns the address. */
  listen(port: number): string;
  stop(graceMs: number): void;
  /** The grace is over. */
  closeConnections(): void;
}

/** What the supervisor does for a serving thread. */
export interface SupervisorCalls {
  /** The snapshot of a past day, or why there is none. Cancelled when the clients of the request have gone. */
  past(request: PastRequest): SentPast | PastFailure;
  /** The thread has freed what it was sent. */
  pastFreed(id: number): void;
  exportFile(request: ExportRequest): ExportFile | ExportFailure;
  exportLost(path: string): void;
  /** Publishes the optional columns. Returns whether that was possible; they come with the next snapshot. */
  optionalColumns(): boolean;
  /** The findings or actions, of the version of the thread's snapshot or of a newer one. */
  reviews(request: ReviewRequest): SharedReviews | 'unavailable';
  sources(request: SourcesRequest): SourcesRead | SourcesFailure;
  event(event: ServiceEvent): void;
  /** For the log: so many lines, whole ones. */
  lines(lines: { readonly text: string; readonly count: number }): void;
}

/** `fingerprint`: of the snapshot that the thread serves. `client`: the API key or address of the request. */
export interface PastRequest extends PastDay {
  readonly fingerprint: string;
  readonly client: string;
}

/** The snapshot of a past day on its way to a thread, which says when it has freed it. */
export interface SentPast {
  readonly id: number;
  readonly snapshot: SnapshotDescriptor;
}

export function nameOfPast({ interval, day, optional, inactive, quote = null, lag = 0 }: PastDay): string {
  const moment = `${interval} ${day ?? 'newest'}${quote === null ? '' : ` in ${quote}`}`;
  return `${moment}${optional ? ' optional' : ''}${inactive ? ' inactive' : ''}${lag > 0 ? ` lag ${lag}` : ''}`;
}

/** Too many days were requested at once; the store could not be read. */
export type PastFailure = 'busy' | 'unavailable';
