// Where the rows of a listing come from: the current snapshot, or that of a past moment, of another interval or with the inactive assets.

import type { ByteCache } from '../../common/byte-cache.ts';
import type { VersionedCache } from '../../common/versioned-cache.ts';
import type { SnapshotDatasetName } from '../../domain/datasets.ts';
import { isoOfPeriod, LISTED_INTERVALS, type ListedInterval } from '../../domain/interval.ts';
import type { Requester } from '../../http/wire/answer.ts';
import { requireReached } from '../../query/as-of.ts';
import { requireInterval } from '../../query/known-interval.ts';
import type { Plan } from '../../query/parse/plan.ts';
import { statesOf } from '../../snapshot/asset-states.ts';
import type { Snapshot, Table } from '../../snapshot/table.ts';
import type { ServiceContext } from '../context.ts';
import { requireSnapshot } from '../served-snapshot.ts';
import type { RenderedPage } from './page.ts';

/** What decides on the table. */
export type ListedPlan = Pick<Plan, 'interval' | 'asOf' | 'usesOptional' | 'inactive'>;

/** Where the rows of a response come from. */
export interface Source {
  /** A function if the table is not in memory: it gives the source to use instead, perhaps of a newer snapshot. */
  readonly table: Table | (() => Promise<Source>);
  /** Different for any two sources with different rows. */
  readonly fingerprint: string;
  /** Of the snapshot. */
  readonly version: number;
  /** Rendered pages; null if none are cached. */
  readonly pages: ByteCache<RenderedPage> | null;
  /** Day of the closes, for the name of a CSV file; null or absent where the rows are days. */
  readonly day?: string | null;
}

/** The current table of a dataset, or that of a past moment, of another interval or with the inactive assets; with the optional columns if the plan needs one. */
export function listedSource(
  context: ServiceContext,
  { asOf: day, interval, usesOptional, inactive }: ListedPlan,
  name: SnapshotDatasetName,
  pages: VersionedCache<RenderedPage> | null,
  requester: Requester,
): Source {
  const current = requireSnapshot(context);
  const { fingerprint, version } = current;
  const known = pages?.of(fingerprint) ?? null;
  if (day === null && !inactive && interval === '1d') {
    const found = usesOptional ? context.optional(current) : current;
    const currentSource = (snapshot: Snapshot): Source => ({
      table: snapshot.tables[name],
      fingerprint: snapshot.fingerprint,
      version: snapshot.version,
      pages: snapshot.fingerprint === fingerprint ? known : null,
      day: statesOf(snapshot.tables.assets).newestDay,
    });
    if (!(found instanceof Promise)) return currentSource(found);
    return { ...currentSource(current), table: () => found.then(currentSource) };
  }
  requireInterval(context.intervals(), interval, LISTED_INTERVALS);
  if (day !== null) requireReached(day, context.now(), interval);
  const dayName = `${fingerprint} ${interval} ${day ?? 'newest'}${inactive ? ' inactive' : ''}`;
  const sourceOf = (past: Snapshot): Source => {
    const same = past.version === version;
    const named = same ? dayName : `${dayName} ${past.version}`;
    const pastPages = same ? known : null;
    return {
      table: past.tables[name],
      fingerprint: named,
      version: past.version,
      pages: pastPages,
      // A colon cannot be in the name of a file.
      day: (day === null ? statesOf(past.tables.assets).newestDay : isoOfPeriod(interval, day))?.replace(':', '') ?? null,
    };
  };
  // Listings have no months.
  const wanted = { interval: interval as ListedInterval, day, optional: usesOptional, inactive };
  const past = context.past(current, wanted, requester);
  if (!(past instanceof Promise)) return sourceOf(past);
  return { table: () => past.then(sourceOf), fingerprint: dayName, version, pages: known };
}
