// Where the rows of a listing come from: the current snapshot, or that of a past day or with the inactive assets.

import type { ByteCache } from '../../common/byte-cache.ts';
import type { VersionedCache } from '../../common/versioned-cache.ts';
import type { SnapshotDatasetName } from '../../domain/datasets.ts';
import { isoFromDay } from '../../domain/day.ts';
import type { Requester } from '../../http/wire/answer.ts';
import { requireReached } from '../../query/as-of.ts';
import type { Plan } from '../../query/parse/plan.ts';
import { statesOf } from '../../snapshot/asset-states.ts';
import type { Snapshot, Table } from '../../snapshot/table.ts';
import type { ServiceContext } from '../context.ts';
import { requireSnapshot } from '../served-snapshot.ts';
import type { RenderedPage } from './page.ts';

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

/** The current table of a dataset, or that of a past day or with the inactive assets; with the optional columns if the plan needs one. */
export function listedSource(
  context: ServiceContext,
  { asOf: day, usesOptional, inactive }: Pick<Plan, 'asOf' | 'usesOptional' | 'inactive'>,
  name: SnapshotDatasetName,
  pages: VersionedCache<RenderedPage> | null,
  requester: Requester,
): Source {
  const current = requireSnapshot(context);
  const { fingerprint, version } = current;
  const known = pages?.of(fingerprint) ?? null;
  if (day === null && !inactive) {
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
  if (day !== null) requireReached(day, context.now());
  const dayName = `${fingerprint} ${day ?? 'newest'}${inactive ? ' inactive' : ''}`;
  const sourceOf = (past: Snapshot): Source => {
    const same = past.version === version;
    const named = same ? dayName : `${dayName} ${past.version}`;
    const pastPages = same ? known : null;
    return {
      table: past.tables[name],
      fingerprint: named,
      version: past.version,
      pages: pastPages,
      day: day === null ? statesOf(past.tables.assets).newestDay : isoFromDay(day),
    };
  };
  const past = context.past(current, { day, optional: usesOptional, inactive }, requester);
  if (!(past instanceof Promise)) return sourceOf(past);
  return { table: () => past.then(sourceOf), fingerprint: dayName, version, pages: known };
}
