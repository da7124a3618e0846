// The topic of a listing query: the rows of its page, and after each publication how the page has changed. Each page is found once per
// publication and thread, whatever the number of subscribers.

import type { ByteCache } from '../common/byte-cache.ts';
import type { Steps } from '../common/steps.ts';
import type { AssetNumber } from '../domain/asset.ts';
import { TA_CUR } from '../domain/datasets.ts';
import type { ListedInterval } from '../domain/interval.ts';
import { type EarlierValues, earlierOfRows, withEarlier } from '../query/execute/earlier-values.ts';
import { executeInSteps } from '../query/execute/execute.ts';
import type { Plan } from '../query/parse/plan.ts';
import { pageOf } from '../render/computed-page.ts';
import { JSON_PAGE } from '../render/json.ts';
import { renderPage } from '../render/page.ts';
import { textAt } from '../snapshot/columns/texts.ts';
import type { Snapshot } from '../snapshot/table.ts';
import { eventBytes } from './event-text.ts';
import { type RowChanges, rowChanges, type ShownPage } from './row-changes.ts';
import type { Recipient, StreamedListing, Topic } from './topic.ts';

/** The newest `rows` events of the topics, for several clients that connect one after the other. */
export type RowsEvents = ByteCache<{ readonly version: number; readonly bytes: Buffer }, Topic>;

/** The values of earlier periods that a plan reads, for the listing of a snapshot. */
export type EarlierOf = (snapshot: Snapshot) => Promise<EarlierValues>;

const NO_VALUES: EarlierValues = new Map();

const SYMBOL = TA_CUR.columns.findIndex(column => column.name === 'symbol');

export class QueryTopic implements Topic {
  readonly subscribers = new Set<Recipient>();
  readonly listing: StreamedListing | null;
  readonly #plan: Plan;
  readonly #limit: number;
  readonly #rowsEvents: RowsEvents;
  /** Null for a plan that reads none. */
  readonly #earlierOf: EarlierOf | null;
  #prepared: PreparedSnapshot | null = null;
  #isPreparing = false;
  #page: PlannedPage;
  /** The event for clients that have seen the version before. */
  #changes: { readonly from: number; readonly bytes: Buffer } | null = null;

  private constructor(
    plan: Plan,
    limit: number,
    page: PlannedPage,
    rowsEvents: RowsEvents,
    earlierOf: EarlierOf | null,
    quote: AssetNumber | null,
  ) {
    this.#plan = plan;
    // Listings have no months.
    const interval = plan.interval as ListedInterval;
    const isCurrent = interval === '1d' && quote === null;
    this.listing = isCurrent ? null : { interval, optional: plan.usesOptional, quote };
    this.#limit = limit;
    this.#rowsEvents = rowsEvents;
    this.#page = page;
    this.#earlierOf = earlierOf;
  }

  static *create(
    plan: Plan,
    limit: number,
    snapshot: Snapshot,
    rowsEvents: RowsEvents,
    earlier: { readonly first: EarlierValues; readonly of: EarlierOf } | null = null,
    quote: AssetNumber | null = null,
  ): Steps<QueryTopic> {
    const page = yield* found(plan, limit, { snapshot, values: earlier?.first ?? NO_VALUES });
    return new QueryTopic(plan, limit, page, rowsEvents, earlier?.of ?? null, quote);
  }

  get version(): number {
    return this.#page.snapshot.version;
  }

  since(version: number | null): Buffer | null {
    if (version === this.version) return null;
    if (version !== null && version === this.#changes?.from) return this.#changes.bytes;
    const known = this.#rowsEvents.get(this);
    if (known?.version === this.version) return known.bytes;
    const bytes = eventBytes(
      'rows',
      this.version,
      `{"version":${this.version},"result":`,
      this.#json(this.#page.rows),
      '}',
    );
    this.#rowsEvents.set(this, { version: this.version, bytes }, bytes.length);
    return bytes;
  }

  prepare(snapshot: Snapshot): Promise<void> | null {
    if (this.#earlierOf === null || this.#isPreparing || snapshot.version === this.version) return null;
    if (snapshot === this.#prepared?.snapshot) return null;
    this.#isPreparing = true;
    return this.#earlierOf(snapshot)
      .then(values => {
        this.#prepared = { snapshot, values };
      })
      .finally(() => {
        this.#isPreparing = false;
      });
  }

  *refresh(snapshot: Snapshot): Steps<void> {
    const before = this.#page;
    const newest = this.#earlierOf === null ? { snapshot, values: NO_VALUES } : this.#prepared;
    if (newest === null || newest.snapshot.version === before.snapshot.version) return;
    this.#prepared = null;
    this.#page = yield* found(this.#plan, this.#limit, newest);
    yield;
    this.#changes = { from: before.snapshot.version, bytes: this.#changesEvent(before) };
  }

  release(): void {
    this.#changes = null;
  }

  #changesEvent(before: ShownPage): Buffer {
    const shown = this.#plan.computed.length === 0 ? this.#plan.columns : null;
    const { entered, left, changed } = bySymbol(rowChanges(before, this.#page, shown), before, this.#page);
    const symbols = JSON.stringify([...left].map(row => symbolOf(before, row)));
    return eventBytes(
      'changes',
      this.version,
      `{"version":${this.version},"entered":`,
      this.#json(entered),
      `,"left":${symbols},"changed":`,
      this.#json(changed),
      '}',
    );
  }

  #json(rows: Uint32Array): Buffer {
    return renderPage(pageOf(this.#page.plan, this.#page.snapshot.tables['ta-cur'], rows), JSON_PAGE);
  }
}

/** A snapshot with the values of earlier periods. */
interface PreparedSnapshot {
  readonly snapshot: Snapshot;
  readonly values: EarlierValues;
}

interface PlannedPage extends ShownPage {
  /** With the values of earlier periods of these rows: those of all rows would take much memory until the next publication. */
  readonly plan: Plan;
}

function* found(plan: Plan, limit: number, { snapshot, values }: PreparedSnapshot): Steps<PlannedPage> {
  const page = yield* executeInSteps(withEarlier(plan, values), snapshot.tables['ta-cur'], limit);
  // A copy, without the unused rest of the buffer.
  const rows = page.rows.slice();
  return { snapshot, rows, plan: withEarlier(plan, earlierOfRows(values, rows)) };
}

/** Clients know a row by its ticker. If another asset has taken over a ticker, the row has changed. */
function bySymbol(changes: RowChanges, before: ShownPage, after: ShownPage): RowChanges {
  const { entered, left, changed } = changes;
  if (entered.length === 0 || left.length === 0) return changes;
  const gone = new Set([...left].map(row => symbolOf(before, row)));
  const taken = entered.filter(row => gone.has(symbolOf(after, row)));
  if (taken.length === 0) return changes;
  const symbols = new Set([...taken].map(row => symbolOf(after, row)));
  return {
    entered: entered.filter(row => !symbols.has(symbolOf(after, row))),
    left: left.filter(row => !symbols.has(symbolOf(before, row))),
    changed: Uint32Array.of(...changed, ...taken),
  };
}

function symbolOf({ snapshot }: ShownPage, row: number): string {
  const data = snapshot.tables['ta-cur'].columns[SYMBOL];
  if (data?.kind !== 'text') throw new TypeError('the listing has no tickers');
  return textAt(data, row) ?? '';
}
