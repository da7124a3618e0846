// Normalises filters so that equal requests have equal plans: one range per column, one direction of comparisons, no duplicates, a
// fixed order.

import { OPERATORS } from '../operators.ts';
import type { Filter } from './plan.ts';

type Range = Extract<Filter, { kind: 'range' }>;
type Comparison = Extract<Filter, { kind: 'comparison' }>;

export function normaliseFilters(filters: readonly Filter[]): Filter[] {
  const ranges = new Map<number, Range>();
  const comparisons = new Map<string, Comparison>();
  const notNull = new Set<number>();
  for (const filter of filters) {
    if (filter.kind === 'range') ranges.set(filter.column, intersection(filter, ranges.get(filter.column)));
    else if (filter.kind === 'not_null') notNull.add(filter.column);
    else {
      const comparison = leftFirst(filter);
      comparisons.set(filterText(comparison), comparison);
    }
  }
  // A null is in no range, and every comparison with it is false.
  for (const column of ranges.keys()) notNull.delete(column);
  for (const { left, right } of comparisons.values()) {
    notNull.delete(left);
    notNull.delete(right);
  }
  return [
    ...[...ranges.values()].sort((a, b) => a.column - b.column),
    ...[...comparisons.values()].sort(
      (a, b) => a.left - b.left || a.right - b.right || (a.operator < b.operator ? -1 : 1),
    ),
    ...[...notNull].sort((a, b) => a - b).map(column => ({ kind: 'not_null', column }) as const),
  ];
}

function intersection(range: Range, other: Range | undefined): Range {
  if (other === undefined) return range;
  return { ...range, low: Math.max(range.low, other.low), high: Math.min(range.high, other.high) };
}

/** The column that comes first in the dataset becomes the left one. */
function leftFirst(comparison: Comparison): Comparison {
  const { left, operator, right } = comparison;
  if (left <= right) return comparison;
  return { kind: 'comparison', left: right, operator: OPERATORS[operator].flipped, right: left };
}

/** Different filters have different texts. */
export function filterText(filter: Filter): string {
  switch (filter.kind) {
    case 'range':
      return `${filter.column}:${filter.low}:${filter.high}`;
    case 'comparison':
      return `${filter.left}${filter.operator}${filter.right}`;
    case 'not_null':
      return `${filter.column}!`;
  }
}
