// Where the rows of a listing come from: the current snapshot, or that of a past moment, of another interval, in another quote or with the
// inactive assets.

import { setTimeout as wait } from 'node:timers/promises';
import type { ByteCache } from '../../common/byte-cache.ts';
import type { VersionedCache } from '../../common/versioned-cache.ts';
import type { SnapshotDatasetName } from '../../domain/datasets.ts';
import { baseOf, type Interval, isoOfPeriod, LISTED_INTERVALS, type ListedInterval } from '../../domain/interval.ts';
import type { QuoteAsset } from '../../domain/quote.ts';
import type { PastDay } from '../../history/past-snapshot.ts';
import type { ApiRequest, Requester } from '../../http/wire/answer.ts';
import { type EarlierValues, withEarlier } from '../../query/execute/earlier-values.ts';
import { noBarsOfQuote, requireInterval, requireQuote, requireReached } from '../../query/execute/find-named.ts';
import type { Plan } from '../../query/parse/plan.ts';
import { statesOf } from '../../snapshot/asset-states.ts';
import type { ListedRows, Snapshot, Table } from '../../snapshot/table.ts';
import { publishedOf, type ServiceContext } from '../context.ts';
import { requireSnapshot } from '../served-snapshot.ts';
import { earlierColumnsOf, type FoundEarlier, type LaggedListing } from './earlier-columns.ts';
import type { RenderedPage } from './page.ts';

/** What decides on the table. */
export type ListedPlan = Pick<Plan, 'interval' | 'quote' | 'asOf' | 'usesOptional' | 'inactive'>;

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
  /** Of the rows of a listing. */
  readonly listed?: ListedRows;
  /** The plan with the values of earlier periods that it reads, and with its unit; absent if it is the one of the request. */
  readonly plan?: Plan;
  readonly earlier?: EarlierValues;
}

/**
 * The current table of a dataset, or that of a past moment, of another interval, in another quote or with the inactive assets; with the
 * optional columns if the plan needs one.
 */
export function listedSource(
  context: ServiceContext,
  plan: ListedPlan,
  name: SnapshotDatasetName,
  pages: VersionedCache<RenderedPage> | null,
  requester: Requester,
): Source {
  const { asOf: day, interval, usesOptional, inactive } = plan;
  const current = requireSnapshot(context);
  const { fingerprint, version } = current;
  const known = pages?.of(fingerprint) ?? null;
  const quote = requireQuote(current, plan.quote);
  if (day === null && !inactive && interval === '1d' && quote === null) {
    const found = usesOptional ? context.optional(current) : current;
    const currentSource = (snapshot: Snapshot): Source => ({
      table: snapshot.tables[name],
      fingerprint: snapshot.fingerprint,
      version: snapshot.version,
      pages: snapshot.fingerprint === fingerprint ? known : null,
      day: statesOf(snapshot.tables.assets).newestDay,
      listed: snapshot.listed,
    });
    if (!(found instanceof Promise)) return currentSource(found);
    return { ...currentSource(current), table: awaited(found, currentSource) };
  }
  requireInterval(context.intervals(), interval, LISTED_INTERVALS);
  if (day !== null) requireReached(day, context.now(), interval);
  const dayName = `${fingerprint} ${interval} ${day ?? 'newest'}${inactive ? ' inactive' : ''}${quote === null ? '' : ` in ${quote.assetNumber}`}`;
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
      day:
        (day === null ? statesOf(past.tables.assets).newestDay : isoOfPeriod(interval, day))?.replace(':', '') ?? null,
      listed: past.listed,
    };
  };
  const found = () => context.past(current, pastOf(plan, quote), requester);
  const past =
    quote === null ? found() : (requireBarsOfQuote(context, quote, interval, version)?.then(found) ?? found());
  if (!(past instanceof Promise)) return sourceOf(past);
  return { table: awaited(past, sourceOf), fingerprint: dayName, version, pages: known };
}

/**
 * What is requested already may fail before the table is asked for, or without that: when the client leaves while its request waits. Without a
 * handler, the failure would end the thread.
 */
function awaited(found: Promise<Snapshot>, sourceOf: (snapshot: Snapshot) => Source): () => Promise<Source> {
  found.catch(() => {});
  return () => found.then(sourceOf);
}

/** Listings have no months. */
function pastOf(
  { interval, asOf: day, usesOptional: optional, inactive }: ListedPlan,
  quote: QuoteAsset | null,
): PastDay {
  return { interval: interval as ListedInterval, day, optional, inactive, ...quoteOf(quote) };
}

/** As `PastDay` has it. */
export function quoteOf(quote: QuoteAsset | null): Pick<PastDay, 'quote'> {
  return quote === null ? {} : { quote: quote.assetNumber };
}

/** Null if it certainly has bars: each quote has days. */
export function requireBarsOfQuote(
  context: ServiceContext,
  quote: QuoteAsset,
  interval: Interval,
  version: number,
): Promise<void> | null {
  if (baseOf(interval) === '1d') return null;
  return publishedOf(context)
    .span(quote, interval, version)
    .then(({ span }) => {
      if (span === null) throw noBarsOfQuote(quote, interval);
    });
}

/** How long a server may be behind its store. */
const MAX_WAIT_MS = 2000;
const RETRY_MS = 100;

/** The same, for a plan that may read earlier periods. */
export function plannedSource(
  context: ServiceContext,
  plan: Plan,
  name: SnapshotDatasetName,
  pages: VersionedCache<RenderedPage> | null,
  { run, slot, requester }: Pick<ApiRequest, 'run' | 'slot' | 'requester'>,
): Source {
  const source = listedSource(context, plan, name, pages, requester);
  const quote = requireQuote(requireSnapshot(context), plan.quote);
  const planned = quote === null ? plan : { ...plan, unit: quote.symbol };
  if (plan.lags.length === 0) return quote === null ? source : withPlan(source, planned);
  const earlier = earlierColumnsOf(context);
  const past = pastOf(plan, quote);
  const whole = async (): Promise<Source> => {
    for (const waitUntil = performance.now() + MAX_WAIT_MS; ; await wait(RETRY_MS)) {
      const { table, ...found } = listedSource(context, plan, name, pages, requester);
      const listing = typeof table === 'function' ? await table() : { ...found, table };
      const values = await earlier.get(plan.lags, lagged(listing), past, { requester, run });
      if (isOfOneVersion(values) || performance.now() > waitUntil) return bound(listing, planned, values);
    }
  };
  if (typeof source.table !== 'function') {
    const values = earlier.known(plan.lags, lagged(source));
    if (values.size === plan.lags.length) return bound(source, planned, { values, versions: [source.version] });
  }
  return { ...source, table: () => slot(whole) };
}

function withPlan(source: Source, plan: Plan): Source {
  const { table } = source;
  return {
    ...source,
    plan,
    table: typeof table === 'function' ? () => table().then(found => withPlan(found, plan)) : table,
  };
}

function lagged({ fingerprint, version, listed }: Source): LaggedListing {
  if (listed === undefined) throw new Error('the rows of a listing are not in memory');
  return { fingerprint, version, listed };
}

function isOfOneVersion({ versions }: FoundEarlier): boolean {
  return new Set(versions).size === 1;
}

/** What is of several publications has a name of its own in every cache. */
function bound(listing: Source, plan: Plan, found: FoundEarlier): Source {
  const { values: earlier } = found;
  const ready = withEarlier(plan, earlier);
  if (isOfOneVersion(found)) return { ...listing, plan: ready, earlier };
  const versions = found.versions.join('.');
  const where = ready.where && { ...ready.where, key: `${ready.where.key} ${versions}` };
  const fingerprint = `${listing.fingerprint} ${versions}`;
  return { ...listing, fingerprint, pages: null, plan: { ...ready, where }, earlier };
}
