// A filter as a sentence.

import { columnLabel } from '../column-label.ts';
import { type Filter, OPERATORS } from './view.ts';

export function filterText(filter: Filter): string {
  switch (filter.kind) {
    case 'range':
      return `${columnLabel(filter.column)} ${rangeWords(filter.low, filter.high)}`;
    case 'comparison':
      return `${columnLabel(filter.left)} ${OPERATORS[filter.operator].words} ${columnLabel(filter.right)}`;
    case 'not_null':
      return `${columnLabel(filter.column)} has a value`;
  }
}

function rangeWords(low: number | null, high: number | null): string {
  if (low === null) return `at most ${high}`;
  if (high === null) return `at least ${low}`;
  return low === high ? `is ${low}` : `from ${low} to ${high}`;
}
