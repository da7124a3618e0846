// The assets of the map, largest first, and the tags that they are grouped by.

import { type Cell, type Params, tidemark } from '../api.ts';
import type { ColumnFacts } from '../catalog.ts';
import { dayOfMoment } from '../day.ts';
import { failureIn } from '../failure.ts';
import { type Requested, useRequest } from '../use-request.ts';
import { type AreaId, areasToTry, hasValues, type MapView } from './map-view.ts';

export interface MapAsset {
  readonly symbol: string;
  /** Of the page; the ticker where the asset is not known by name. */
  readonly id: string;
  readonly name: string;
  readonly price: number | null;
  /** In proportion to its area. */
  readonly size: number;
  readonly colour: number | null;
}

export interface Tag {
  readonly value: string;
  readonly count: number;
}

export interface MapData {
  /** Of the rectangles: the wanted one, or the first that any asset of a past day has. */
  readonly area: AreaId;
  readonly assets: readonly MapAsset[];
  /** The listing has more assets than these. */
  readonly more: boolean;
  /** Of the assets that the filters select, the most frequent first. */
  readonly tags: readonly Tag[];
  /** The tag that an asset is drawn in, by ticker. */
  readonly groupOf: ReadonlyMap<string, string>;
}

/** Tiles that can be told apart. */
export const MOST_TILES = 300;
/** Groups that can be told apart. */
const MOST_GROUPS = 12;
/** With fewer rows per request the groups would cost more requests than they are worth. */
const FEWEST_TO_GROUP = 100;

type Row = Readonly<Record<string, Cell>> & { readonly symbol: string };

export function useMap(view: MapView, columns: readonly ColumnFacts[]): Requested<MapData> {
  const { area, colour, tag, filters } = view;
  return useRequest(JSON.stringify([area, colour, tag, filters]), async signal => {
    const [wanted = area, ...others] = areasToTry(view);
    let data = await mapOf(wanted, view, columns, signal);
    for (const other of others) {
      if (data.assets.length > 0) break;
      const next = await mapOf(other, view, columns, signal);
      // If no area has values, the message is about the wanted one.
      if (next.assets.length > 0) data = next;
    }
    return data;
  });
}

async function mapOf(
  area: AreaId,
  { colour, tag, filters }: MapView,
  columns: readonly ColumnFacts[],
  signal: AbortSignal,
): Promise<MapData> {
  const sort = area === 'equal' ? (hasValues('market_cap') ? 'market_cap' : 'symbol') : area;
  const shown = new Set(['symbol', 'price', sort, colour]);
  const listOf = (some: readonly ColumnFacts[]) => some.map(({ name }) => name).join() || undefined;
  const params = {
    ...filters,
    tag: tag ?? undefined,
    sort,
    order: 'desc',
    not_null: area === 'equal' ? undefined : area,
    limit: MOST_TILES,
    incl_cols: listOf(columns.filter(({ name, group }) => group !== undefined && shown.has(name))),
    excl_cols: listOf(columns.filter(({ name, group }) => group === undefined && !shown.has(name))),
  };
  const [{ result, next, limitApplied }, tags] = await Promise.all([
    tidemark.rows<Row>('ta-cur', params, { signal }).page(),
    tagsOf(filters, signal),
  ]);
  const symbols = result.map(({ symbol }) => symbol);
  const mayGroup = tag === null && (limitApplied ?? MOST_TILES) >= FEWEST_TO_GROUP;
  const [groupOf, names] = await Promise.all([
    mayGroup
      ? groups(tags, { ...params, incl_cols: undefined, excl_cols: othersThanSymbol(columns) }, signal)
      : new Map(),
    namesOf(symbols, typeof filters['as_of'] === 'string' ? dayOfMoment(filters['as_of']) : undefined, signal),
  ]);
  const assets = result.flatMap(row => assetOfRow(row, names.get(row.symbol), area === 'equal' ? null : area, colour));
  return { area, assets, more: next !== null, tags, groupOf };
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** By ticker. A map without names is still a map. */
async function namesOf(
  symbols: readonly string[],
  day: Params[string],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Named>> {
  if (symbols.length === 0) return new Map();
  try {
    // Several assets may share a ticker; the best-ranked active one has the row.
    const query = { symbol: symbols.join(), limit: 2 * symbols.length, sort: 'rank', order: 'desc', as_of: day };
    const { result } = await tidemark
      .rows<Named & { symbol: string; is_active: boolean }>('assets', query, { signal })
      .page();
    return new Map(result.filter(asset => asset.is_active || day !== undefined).map(asset => [asset.symbol, asset]));
  } catch (error) {
    failureIn(error);
    return new Map();
  }
}

function assetOfRow(row: Row, named: Named | undefined, area: string | null, colour: string): MapAsset[] {
  const size = area === null ? 1 : row[area];
  if (typeof size !== 'number' || size <= 0) return [];
  const number = (name: string) => (typeof row[name] === 'number' ? row[name] : null);
  const { symbol } = row;
  return [
    {
      symbol,
      id: named?.id ?? symbol,
      name: named?.name ?? symbol,
      price: number('price'),
      size,
      colour: number(colour),
    },
  ];
}

/** The most frequent first. */
async function tagsOf(filters: object, signal: AbortSignal): Promise<readonly Tag[]> {
  try {
    const query = { ...filters, limit: 500 };
    const { result } = await tidemark.facets(query, { signal }).page();
    return result.filter(({ facet }) => facet === 'tag');
  } catch (error) {
    // Without the tags the map is one group.
    failureIn(error);
    return [];
  }
}

/** An asset with several of the frequent tags is in the rarest, which says most about it. */
async function groups(tags: readonly Tag[], params: object, signal: AbortSignal): Promise<Map<string, string>> {
  const frequent = tags.slice(0, MOST_GROUPS);
  const members = await Promise.all(
    frequent.map(async ({ value }) =>
      tidemark.rows<{ symbol: string }>('ta-cur', { ...params, tag: value }, { signal }).page(),
    ),
  );
  const groupOf = new Map<string, string>();
  for (const [i, { value }] of frequent.entries()) {
    for (const { symbol } of members[i]!.result) groupOf.set(symbol, value);
  }
  return groupOf;
}

function othersThanSymbol(columns: readonly ColumnFacts[]): string {
  return columns.flatMap(({ name, group }) => (group === undefined && name !== 'symbol' ? [name] : [])).join();
}
