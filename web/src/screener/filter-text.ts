// A filter as a sentence.

import { columnLabel } from '../column-label.ts';
import type { Filter } from './conditions.ts';
import { OPERATORS } from './operators.ts';

export function filterText(filter: Filter): string {
  switch (filter.kind) {
    case 'range':
      return `${columnLabel(filter.column)} ${rangeWords(filter.low, filter.high)}`;
    case 'comparison': {
      const right = typeof filter.right === 'number' ? filter.right : columnLabel(filter.right);
      return `${columnLabel(filter.left)} ${OPERATORS[filter.operator].words} ${right}`;
    }
    case 'not_null':
      return `${columnLabel(filter.column)} has a value`;
  }
}

function rangeWords(low: number | null, high: number | null): string {
  if (low === null) return `at most ${high}`;
  if (high === null) return `at least ${low}`;
  return low === high ? `is ${low}` : `from ${low} to ${high}`;
}
