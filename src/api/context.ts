// What the endpoints work with. A serving thread puts it together (src/serve/thread.ts).

import type { ServiceState } from '../access/service-state.ts';
import type { AssetNumber } from '../domain/asset.ts';
import type { SourcedProfile } from '../domain/profile.ts';
import type { ServedInterval } from '../domain/served-intervals.ts';
import type { ExportFailure, ExportRequest } from '../export/export-files.ts';
import type { ExportFile } from '../export/export-folder.ts';
import type { PastDay } from '../history/past-snapshot.ts';
import { PublishedHistories, type SeriesOf } from '../history/published-series.ts';
import type { ReviewsOf } from '../history/review-table.ts';
import type { ReadSources } from '../history/source-reads.ts';
import type { HttpService } from '../http/service.ts';
import type { Requester } from '../http/wire/answer.ts';
import type { PublicAddress } from '../http/wire/base-url.ts';
import type { AssetReviewsStore } from '../publish/asset-reviews.ts';
import type { Snapshot } from '../snapshot/table.ts';
import type { Store } from '../store/store.ts';
import type { Streams } from '../stream/streams.ts';
import type { ApiObserver } from './observer.ts';

export interface ServiceContext extends HttpService, PublicAddress {
  /** Of the program. */
  readonly version: string;
  readonly group: string;
  /** How long a client may cache a response. */
  readonly maxAgeSeconds: number;
  /** Requests need no API key. */
  readonly open: boolean;
  /** The command that creates an API key for this server, for people who are on its machine; null: it is not shown. */
  readonly keyCommand: string | null;
  /** Memory for parsed plans and rendered pages. */
  readonly cacheBytes: number;
  /** For histories of single assets, and for their bars. */
  readonly historyBytes: number;
  readonly barsBytes: number;
  /** For columns of earlier periods that expressions read. */
  readonly earlierBytes: number;
  /** State of the service, shared with the other threads. */
  readonly state: ServiceState;
  /** The service is not ready once its data is older than this; 0: never. */
  readonly staleAfterSeconds: number;
  /** Null until there is data. */
  snapshot(): Snapshot | null;
  /** Why there is no data yet, and what to do. */
  readonly whyNotReady: () => string;
  profile(assetNumber: AssetNumber): Promise<SourcedProfile | null>;
  /** What is published of a base interval. */
  readonly series: SeriesOf;
  /** The intervals that the store has, from the shortest to the longest. */
  readonly intervals: () => readonly ServedInterval[];
  readonly loads: Store['loadsOf'];
  /** The facts of one asset on past days. */
  readonly facts: Store['factsOf'];
  /** What is in doubt about the bars, and what people have said about it. */
  readonly reviews: ReviewsOf;
  /** Reads what the sources of assets say. */
  /** What the sources of an asset say. */
  readonly readSources: ReadSources;
  readonly sourced: <T>(read: (store: AssetReviewsStore & Pick<Store, 'assets'>) => Promise<T>) => Promise<T>;
  /** The snapshot of a past day, or one with the inactive assets. It may be of a newer publication than `current`. Fails with an ApiError if too many days are requested. */
  past(current: Snapshot, wanted: PastDay, requester: Requester): Snapshot | Promise<Snapshot>;
  readonly alerts: Store['alerts'];
  /**
   * The current snapshot with the optional columns. If it has none, they are published first, from then on with each publication. Fails
   * with an ApiError if that takes too long.
   */
  optional(current: Snapshot): Snapshot | Promise<Snapshot>;
  /** The Parquet file of a dataset, made if it is of the current publication. */
  exportFile(request: ExportRequest): Promise<ExportFile | ExportFailure>;
  /** An export file that should exist does not. */
  exportLost(path: string): void;
  /** The open streams of this thread. */
  readonly streams: Streams;
  /** The slot of an API key that `authenticate` accepted, by its public id. */
  slotOf(key: string): number;
  /** The metrics in Prometheus' text format. */
  readonly metrics: () => Promise<string>;
  readonly observer: ApiObserver;
}

/** One value per context, made when it is first needed: what several endpoints of a thread share. */
export function perContext<T>(make: (context: ServiceContext) => T): (context: ServiceContext) => T {
  const made = new WeakMap<ServiceContext, { readonly value: T }>();
  return context => {
    const known = made.get(context) ?? { value: make(context) };
    made.set(context, known);
    return known.value;
  };
}

/** The published histories of a thread: what several endpoints read. */
export const publishedOf = perContext(context => new PublishedHistories(base => context.series(base)));
