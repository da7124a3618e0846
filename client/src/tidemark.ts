// The client: one method per endpoint.

import { events, type StreamOptions } from './event-source.ts';
import { Rows } from './rows.ts';
import type { Known, Selected } from './selected.ts';
import { type RequestOptions, type TidemarkOptions, Transport } from './transport.ts';
import type {
  ActionsGroups,
  ActionsQuery,
  ActionsRow,
  Alerts,
  AssetsGroups,
  AssetsQuery,
  AssetsRow,
  BarsGroups,
  BarsQuery,
  BarsRow,
  Catalog,
  Closes,
  ClosesQuery,
  Explanation,
  FindingsGroups,
  FindingsQuery,
  FindingsRow,
  Profile,
  Sources,
  TaCurFacetsQuery,
  TaCurFacetsRow,
  TaCurGroups,
  TaCurQuery,
  TaCurRow,
  TaCurStatsQuery,
  TaCurStatsRow,
  TaHistGroups,
  TaHistQuery,
  TaHistRow,
} from './types.ts';

/** The `signal` aborts the request, or the loop over it. */
export type ReadOptions = Pick<RequestOptions, 'signal'>;

type Read<T> = (response: Response) => Promise<T>;

/** One asset, by its ticker or its id. */
type OneAsset = { readonly symbol: string } | { readonly id: string };

/** A stream of a query: first the page, then what each publication changes in it. */
export type ListingEvent<Row> =
  | { readonly event: 'rows'; readonly version: number; readonly result: readonly Row[] }
  | {
      readonly event: 'changes';
      readonly version: number;
      readonly entered: readonly Row[];
      /** Tickers. */
      readonly left: readonly string[];
      readonly changed: readonly Row[];
    };

export interface PublicationEvent {
  readonly event: 'publication';
  readonly version: number;
  /** UTC day of the newest close; null without rows. */
  readonly newest_day: string | null;
  /** The service does not know what the client has seen: load everything. The counts are null then. */
  readonly all: boolean;
  readonly changed: number | null;
  readonly added: number | null;
  readonly removed: number | null;
}

export class Tidemark {
  readonly #transport: Transport;
  readonly #group: string;

  constructor(options: TidemarkOptions) {
    this.#transport = new Transport(options);
    this.#group = `/v1/${options.group ?? 'crypto'}/`;
  }

  /** The current indicators, one row per asset. */
  listing<const Q extends TaCurQuery = object>(
    query?: Q & Known<Q, TaCurQuery, TaCurRow, TaCurGroups>,
    options?: ReadOptions,
  ): Rows<Selected<TaCurRow, TaCurGroups, Q>> {
    return this.rows('ta-cur', query, options);
  }

  /** The indicators of one asset, one row per day. */
  history<const Q extends TaHistQuery & OneAsset>(
    query: Q & Known<Q, TaHistQuery, TaHistRow, TaHistGroups>,
    options?: ReadOptions,
  ): Rows<Selected<TaHistRow, TaHistGroups, Q>> {
    return this.rows('ta-hist', query, options);
  }

  /** The OHLCV bars of one asset, by day, week or month. */
  bars<const Q extends BarsQuery & OneAsset>(
    query: Q & Known<Q, BarsQuery, BarsRow, BarsGroups>,
    options?: ReadOptions,
  ): Rows<Selected<BarsRow, BarsGroups, Q>> {
    return this.rows('bars', query, options);
  }

  /** The assets, with a search by `q`. */
  assets<const Q extends AssetsQuery = object>(
    query?: Q & Known<Q, AssetsQuery, AssetsRow, AssetsGroups>,
    options?: ReadOptions,
  ): Rows<Selected<AssetsRow, AssetsGroups, Q>> {
    return this.rows('assets', query, options);
  }

  /** What is in doubt about the bars, one row per finding. */
  findings<const Q extends FindingsQuery = object>(
    query?: Q & Known<Q, FindingsQuery, FindingsRow, FindingsGroups>,
    options?: ReadOptions,
  ): Rows<Selected<FindingsRow, FindingsGroups, Q>> {
    return this.rows('findings', query, options);
  }

  /** Redenominations and migrations of assets. */
  actions<const Q extends ActionsQuery = object>(
    query?: Q & Known<Q, ActionsQuery, ActionsRow, ActionsGroups>,
    options?: ReadOptions,
  ): Rows<Selected<ActionsRow, ActionsGroups, Q>> {
    return this.rows('actions', query, options);
  }

  /** Summary statistics of a listing query, one row per column. */
  stats(query?: TaCurStatsQuery, options?: ReadOptions): Rows<TaCurStatsRow> {
    return this.rows('ta-cur/stats', query, options);
  }

  /** The types and tags of the assets that a listing query selects, with their numbers of assets. */
  facets(query?: TaCurFacetsQuery, options?: ReadOptions): Rows<TaCurFacetsRow> {
    return this.rows('ta-cur/facets', query, options);
  }

  /** The latest daily closes of several assets, for small charts. */
  closes(query: ClosesQuery, options?: ReadOptions): Promise<Closes> {
    return this.#json(`${this.#group}closes`, query, options);
  }

  /** The profile of one asset. `asset` is an id, or a ticker that only one asset has. */
  profile(asset: string, options?: ReadOptions): Promise<Profile> {
    return this.#json(`${this.#group}assets/${encodeURIComponent(asset)}`, {}, options);
  }

  /** How one number was computed. `as_of` is a day such as 2026-01-31, or a time of it. */
  explain(
    asset: string,
    column: Explanation['column'],
    query: Pick<ClosesQuery, 'as_of' | 'interval' | 'quote'> = {},
    options?: ReadOptions,
  ): Promise<Explanation> {
    const path = `${this.#group}explain/${encodeURIComponent(asset)}/${encodeURIComponent(column)}`;
    return this.#json(path, query, options);
  }

  /** What each source has of one asset, and how often it decided the price. `interval` is one that is stored. */
  sources(
    id: string,
    query: { readonly interval?: Sources['interval'] | undefined } = {},
    options?: ReadOptions,
  ): Promise<Sources> {
    return this.#json(`${this.#group}sources`, { id, ...query }, options);
  }

  /** The datasets and their columns, with units and formulas. */
  catalog(options?: ReadOptions): Promise<Catalog> {
    return this.#json('/v1/catalog', {}, options);
  }

  /** The saved alerts, for API keys whose tier has them. */
  alerts(options?: ReadOptions): Promise<Alerts> {
    return this.#json(`${this.#group}alerts`, {}, options);
  }

  /** A page of the listing now, and its changes with each publication. */
  stream<const Q extends TaCurQuery = object>(
    query?: Q & Known<Q, TaCurQuery, TaCurRow, TaCurGroups>,
    options: StreamOptions = {},
  ): AsyncGenerator<ListingEvent<Selected<TaCurRow, TaCurGroups, Q>>, void, undefined> {
    return events(this.#transport, `${this.#group}ta-cur`, { ...query, format: 'sse' }, options);
  }

  /** Every publication of new data. */
  publications(options: StreamOptions = {}): AsyncGenerator<PublicationEvent, void, undefined> {
    return events(this.#transport, `${this.#group}events`, {}, options);
  }

  /** The rows of any dataset, such as `ta-cur`, for queries and columns that are known at run time only. */
  rows<Row>(dataset: string, query: object = {}, options: ReadOptions = {}): Rows<Row> {
    return new Rows<Row>(this.#transport, this.#group + dataset, query, options);
  }

  /**
   * Any other request, with the same key, retries and errors: another `format`, a file of the export, a header. `path` is that of a
   * dataset such as `ta-cur`, or begins with a slash. Without `read` you get the response before its body; with it, a connection that
   * breaks in the body is a failed attempt too.
   */
  request(path: string, query?: object, options?: RequestOptions): Promise<Response>;
  request<T>(path: string, query: object, options: RequestOptions & { readonly read: Read<T> }): Promise<T>;
  request(path: string, query: object = {}, options: RequestOptions & { readonly read?: Read<unknown> } = {}) {
    const full = path.startsWith('/') ? path : this.#group + path;
    return this.#transport.send(full, query, options.read ?? (async response => response), options);
  }

  #json<T>(path: string, query: object, options: ReadOptions = {}): Promise<T> {
    return this.#transport.send(path, query, response => response.json() as Promise<T>, options); // as the OpenAPI document says
  }
}
