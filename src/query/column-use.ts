// The columns that a query uses: whether it needs one that a store publishes on demand, or one whose past values are not known.

import type { Column } from '../domain/columns.ts';
import type { Dataset } from '../domain/datasets.ts';
import { needsBars } from '../domain/optional-columns.ts';
import type { BooleanNode, NumberNode } from './expression/nodes.ts';
import type { Filter } from './plan.ts';

export type Use = number | Filter | NumberNode | BooleanNode | undefined | readonly Use[];

export function usesOptional(dataset: Dataset, uses: Use): boolean {
  return usesColumn(dataset, uses, needsBars);
}

/** `uses` are columns, and what refers to columns. Computed columns are behind those of the table. */
export function usesColumn({ columns }: Dataset, uses: Use, isMeant: (column: Column) => boolean): boolean {
  /** Computed columns may use each other many times. */
  const seen = new Set<Use>();
  const refersTo = (use: Use): boolean => {
    if (use === undefined) return false;
    if (typeof use === 'number') return columns[use] !== undefined && isMeant(columns[use]);
    if (seen.has(use)) return false;
    seen.add(use);
    if (isList(use)) return use.some(refersTo);
    switch (use.kind) {
      case 'range':
      case 'not_null':
      case 'column':
      case 'missing text':
      case 'text':
      case 'flag':
        return refersTo(use.column);
      case 'comparison':
      case 'compare':
        return refersTo(use.left) || refersTo(use.right);
      case 'operation':
      case 'and':
      case 'or':
        return use.operands.some(refersTo);
      case 'is null':
      case 'not':
        return refersTo(use.operand);
      case 'constant':
      case 'truth':
      case 'profile':
        return false;
    }
  };
  return refersTo(uses);
}

/** `Array.isArray` does not narrow a readonly list. */
function isList(use: Use): use is readonly Use[] {
  return Array.isArray(use);
}
