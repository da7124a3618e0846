// Where each tile of the map stands: one box per tag with a title, and the assets of the tag within it.

import { type Box, squarify } from './treemap.ts';
import type { MapAsset } from './use-map.ts';

export interface Tile extends Box {
  readonly asset: MapAsset;
}

export interface Group extends Box {
  /** Null: the assets without one of the tags. */
  readonly tag: string | null;
  readonly tiles: readonly Tile[];
  /** It has room for a title. */
  readonly titled: boolean;
}

const TITLE_HEIGHT = 18;
/** Between groups. */
const GAP = 2;
/** A smaller box has no title. */
const FOR_TITLE = { width: 56, height: 44 };

/** `assets` descend by size. */
export function layOut(
  assets: readonly MapAsset[],
  groupOf: ReadonlyMap<string, string>,
  width: number,
  height: number,
): Group[] {
  if (assets.length === 0 || width <= 0 || height <= 0) return [];
  const byTag = [...Map.groupBy(assets, ({ symbol }) => groupOf.get(symbol) ?? null)]
    .map(([tag, members]) => ({ tag, members, size: members.reduce((sum, { size }) => sum + size, 0) }))
    .sort((a, b) => b.size - a.size);
  const whole = { x: 0, y: 0, width, height };
  const boxes = squarify(
    byTag.map(({ size }) => size),
    whole,
  );
  return byTag.map(({ tag, members }, i) => group(tag, members, boxes[i]!, byTag.length > 1));
}

function group(tag: string | null, members: readonly MapAsset[], box: Box, isOneOfMany: boolean): Group {
  const titled = isOneOfMany && box.width >= FOR_TITLE.width && box.height >= FOR_TITLE.height;
  const gap = isOneOfMany ? GAP : 0;
  const top = gap + (titled ? TITLE_HEIGHT : 0);
  const inner = {
    x: box.x + gap,
    y: box.y + top,
    width: Math.max(0, box.width - 2 * gap),
    height: Math.max(0, box.height - top - gap),
  };
  const rectangles = squarify(
    members.map(({ size }) => size),
    inner,
  );
  return { ...box, tag, titled, tiles: members.map((asset, i) => ({ asset, ...rectangles[i]! })) };
}

/** The nearest tile in a direction, by the gap between the edges; what lies aside of the middle counts twice. */
export function neighbour(tiles: readonly Tile[], from: Tile, dx: number, dy: number): Tile {
  const gapTo = (tile: Tile) => {
    if (dx !== 0) return dx > 0 ? tile.x - from.x - from.width : from.x - tile.x - tile.width;
    return dy > 0 ? tile.y - from.y - from.height : from.y - tile.y - tile.height;
  };
  const asideOf = (tile: Tile) =>
    dx === 0
      ? outside(from.x + from.width / 2, tile.x, tile.width)
      : outside(from.y + from.height / 2, tile.y, tile.height);
  let best = from;
  let least = Number.POSITIVE_INFINITY;
  for (const tile of tiles) {
    const gap = gapTo(tile);
    const cost = gap + 2 * asideOf(tile);
    // Edges that touch may differ by a rounding error.
    if (tile === from || gap < -0.5 || cost >= least) continue;
    best = tile;
    least = cost;
  }
  return best;
}

/** How far a place is from an interval; 0 within it. */
function outside(place: number, start: number, length: number): number {
  return Math.max(0, start - place, place - start - length);
}
