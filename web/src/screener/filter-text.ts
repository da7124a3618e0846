// A filter as a sentence.

import { columnLabel } from '../column-label.ts';
import { formatCount, formatLarge } from '../format.ts';
import type { Filter } from './conditions.ts';
import { OPERATORS } from './operators.ts';

export function filterText(filter: Filter): string {
  switch (filter.kind) {
    case 'range':
      return `${columnLabel(filter.column)} ${rangeWords(filter.low, filter.high)}`;
    case 'comparison': {
      const right = typeof filter.right === 'number' ? numberText(filter.right) : columnLabel(filter.right);
      return `${columnLabel(filter.left)} ${OPERATORS[filter.operator].words} ${right}`;
    }
    case 'not_null':
      return `${columnLabel(filter.column)} has a value`;
  }
}

function rangeWords(low: number | null, high: number | null): string {
  if (low === null) return `at most ${numberText(high)}`;
  if (high === null) return `at least ${numberText(low)}`;
  return low === high ? `is ${numberText(low)}` : `from ${numberText(low)} to ${numberText(high)}`;
}

/** As it was typed, whole ones grouped, and large ones by their size if that says all of them: 1 B, but 1,234,567. */
function numberText(value: number | null): string {
  if (value === null || !Number.isSafeInteger(value)) return String(value);
  if (Math.abs(value) < 1e6 || Number(value.toPrecision(3)) !== value) return formatCount(value);
  return formatLarge(value).replace(/\D?0+(?= \w)/, '');
}
