// The squarified treemap of Bruls, Huizing and van Wijk: rectangles whose areas are proportional to values, as square as possible.

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** One rectangle per value, in the same order; together they cover the box. Values descend and are above 0. */
export function squarify(values: readonly number[], box: Box): Box[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  const scale = (box.width * box.height) / total;
  const rectangles: Box[] = [];
  let rest = box;
  let from = 0;
  while (from < values.length) {
    const to = rowEnd(values, from, Math.min(rest.width, rest.height), scale);
    const areas = values.slice(from, to).map(value => value * scale);
    const isLast = to === values.length;
    rest = placeRow(areas, rest, isLast, rectangles);
    from = to;
  }
  return rectangles;
}

/** The row grows while its worst rectangle becomes more like a square. `side` is the length of the row. */
function rowEnd(values: readonly number[], from: number, side: number, scale: number): number {
  let sum = 0;
  let worst = Number.POSITIVE_INFINITY;
  let to = from;
  while (to < values.length) {
    const area = sum + values[to]! * scale;
    // The first of a row is its largest, the one that is added its smallest.
    const largest = (side * side * values[from]! * scale) / (area * area);
    const smallest = (area * area) / (side * side * values[to]! * scale);
    const ratio = Math.max(largest, smallest);
    if (ratio > worst) break;
    worst = ratio;
    sum = area;
    to++;
  }
  return to;
}

/** Along the shorter side; returns the part of the box that is left. The last row takes all of it, however numbers were rounded. */
function placeRow(areas: readonly number[], box: Box, isLast: boolean, out: Box[]): Box {
  const sum = areas.reduce((total, area) => total + area, 0);
  const across = box.width >= box.height;
  const side = across ? box.height : box.width;
  const room = across ? box.width : box.height;
  // A value that is next to nothing may find no room at all.
  const depth = isLast || side === 0 ? room : Math.min(room, sum / side);
  let at = 0;
  for (const area of areas) {
    const length = (area / sum) * side;
    out.push(
      across
        ? { x: box.x, y: box.y + at, width: depth, height: length }
        : { x: box.x + at, y: box.y, width: length, height: depth },
    );
    at += length;
  }
  return across
    ? { ...box, x: box.x + depth, width: box.width - depth }
    : { ...box, y: box.y + depth, height: box.height - depth };
}
