// Where SQLite keeps the bars of each base interval: in which tables, how many assets share a tile, and in which order the tiles lie.
//
// A new day comes for all assets at once: tiles of 32 assets, those of the same days side by side, are written in one place. Minutes and
// hours of an asset come by the thousand: they have tiles of their own, side by side, so that a load writes each page once, and assets
// without such bars take no space.

import type { AssetNumber } from '../../domain/asset.ts';
import type { BaseInterval } from '../../domain/interval.ts';
import { GROUP_SIZE } from './asset-groups.ts';
import type { TableName } from './layout.ts';

export interface SeriesLayout {
  readonly interval: BaseInterval;
  readonly tiles: TableName;
  readonly origins: TableName;
  readonly coverage: TableName;
  readonly replaced: TableName;
  /** Assets per tile. */
  readonly groupSize: number;
  /** The places of a tile and of a row of origins. */
  placeOf(place: TilePlace): number;
  originPlaceOf(place: OriginPlace): number;
  tileAt(place: number): TilePlace;
  originsAt(place: number): OriginPlace;
}

export interface OriginPlace {
  readonly group: number;
  readonly block: number;
}

export interface TilePlace extends OriginPlace {
  readonly field: number;
}

const FIELD_SPACE = 8;
/** Asset numbers have 27 bits at most, and blocks of fine intervals 22: a place is an exact number. */
const GROUP_SPACE = 2 ** 27;
const BLOCK_SPACE = 2 ** 22;

const BY_DAY = {
  groupSize: GROUP_SIZE,
  placeOf: ({ block, field, group }: TilePlace) => (block * FIELD_SPACE + field) * GROUP_SPACE + group,
  originPlaceOf: ({ block, group }: OriginPlace) => block * GROUP_SPACE + group,
  tileAt: (place: number) => {
    const rest = Math.floor(place / GROUP_SPACE);
    return { block: Math.floor(rest / FIELD_SPACE), field: rest % FIELD_SPACE, group: place % GROUP_SPACE };
  },
  originsAt: (place: number) => ({ group: place % GROUP_SPACE, block: Math.floor(place / GROUP_SPACE) }),
};

const BY_ASSET = {
  groupSize: 1,
  placeOf: ({ block, field, group }: TilePlace) => (group * BLOCK_SPACE + block) * FIELD_SPACE + field,
  originPlaceOf: ({ block, group }: OriginPlace) => group * BLOCK_SPACE + block,
  tileAt: (place: number) => {
    const rest = Math.floor(place / FIELD_SPACE);
    return { group: Math.floor(rest / BLOCK_SPACE), block: rest % BLOCK_SPACE, field: place % FIELD_SPACE };
  },
  originsAt: (place: number) => ({ group: Math.floor(place / BLOCK_SPACE), block: place % BLOCK_SPACE }),
};

/** From the shortest interval to the longest. */
export const SERIES: Readonly<Record<BaseInterval, SeriesLayout>> = {
  '1m': {
    interval: '1m',
    ...{ tiles: 'tiles_1m', origins: 'origins_1m', coverage: 'coverage_1m', replaced: 'replaced_1m' },
    ...BY_ASSET,
  },
  '1h': {
    interval: '1h',
    ...{ tiles: 'tiles_1h', origins: 'origins_1h', coverage: 'coverage_1h', replaced: 'replaced_1h' },
    ...BY_ASSET,
  },
  '1d': { interval: '1d', tiles: 'tiles', origins: 'origins', coverage: 'coverage', replaced: 'replaced', ...BY_DAY },
};

/** The number of the tiles of an asset. */
export function tileGroup({ groupSize }: SeriesLayout, asset: AssetNumber): number {
  return Math.floor(asset / groupSize);
}
