// What the map shows, as the page's address says it: `?area=turnover30&colour=change7&tag=defi&where=…`. The filters are the screener's.

import { encode, type Query as Params } from '../../../client/src/query-string.ts';
import { isAbsent } from '../market-columns.ts';
import { screenFilters } from '../screen-filters.ts';

export const AREAS = [
  { id: 'market_cap', label: 'Market cap', unit: 'USD' },
  { id: 'turnover', label: 'Turnover of the day', unit: 'USD' },
  { id: 'turnover30', label: 'Turnover, mean of 30 days', unit: 'USD' },
  { id: 'vol30', label: 'Volatility of 30 days', unit: 'percent' },
  { id: 'equal', label: 'Equal', unit: null },
] as const;

export type AreaId = (typeof AREAS)[number]['id'];

export interface MapView {
  /** What is wanted; of a past day it may not be known. */
  readonly area: AreaId;
  /** A column that has a direction. */
  readonly colour: string;
  /** Null: all. */
  readonly tag: string | null;
  /** The same as a table. */
  readonly table: boolean;
  /** Parameters of the listing, besides the tag. */
  readonly filters: Params;
}

const DEFAULT_COLOUR = 'change1';

/** `colours` are the columns that there are to choose from. */
export function parseMapView(search: string, colours: ReadonlySet<string>): MapView {
  const params = new URLSearchParams(search);
  const { tag: _, ...filters } = screenFilters(search);
  const colour = params.get('colour') ?? '';
  const area = AREAS.find(each => each.id === params.get('area'))?.id ?? 'market_cap';
  return {
    area: hasValues(area) ? area : fallback(params.has('as_of')),
    colour: colours.has(colour) ? colour : DEFAULT_COLOUR,
    tag: params.get('tag') || null,
    table: params.get('view') === 'table',
    filters,
  };
}

/** Own files may have neither supplies nor volumes. */
export function hasValues(area: AreaId): boolean {
  if (area === 'market_cap') return !isAbsent('market_cap');
  return !area.startsWith('turnover') || !isAbsent('turnover');
}

function fallback(isPast: boolean): AreaId {
  if (hasValues('market_cap')) return 'market_cap';
  return isAbsent('turnover') ? 'vol30' : isPast ? 'turnover30' : 'turnover';
}

/** The areas to try, the wanted one first: of a past day market caps may not be recorded, or there are fewer than 30 days before it. */
export function areasToTry({ area, filters }: Pick<MapView, 'area' | 'filters'>): readonly AreaId[] {
  if (!('as_of' in filters) || area === 'equal') return [area];
  const others = (['turnover30', 'turnover', 'vol30'] as const).filter(other => other !== area && hasValues(other));
  return [area, ...others];
}

/** The address of the same page with these parameters changed; null removes one. */
export function mapAddress(search: string, changes: Readonly<Record<string, string | null>>, path = '/map'): string {
  const pairs = [...new URLSearchParams(search)].filter(([name]) => !(name in changes));
  for (const [name, value] of Object.entries(changes)) if (value !== null) pairs.push([name, value]);
  const query = pairs.map(([name, value]) => `${name}=${encode(value)}`).join('&');
  return query === '' ? path : `${path}?${query}`;
}

/** The screener with the same filters. */
export function screenerOf(search: string): string {
  return mapAddress(search, { area: null, colour: null, view: null }, '/');
}
