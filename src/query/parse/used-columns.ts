// The columns that the parts of a query refer to.

import { type Column, needsBars } from '../../domain/columns.ts';
import type { Dataset } from '../../domain/datasets.ts';
import type { BooleanNode, NumberNode } from '../expression/nodes.ts';
import type { Filter } from './plan.ts';

export type Use = number | Filter | NumberNode | BooleanNode | undefined | readonly Use[];

/** Indexes into the columns of the dataset. `uses` are columns, and what refers to columns. */
export function usedColumns(uses: Use): Set<number> {
  const found = new Set<number>();
  /** Computed columns may use each other many times. */
  const open = new Set<Use>([uses]);
  for (const use of open) {
    if (typeof use === 'number') found.add(use);
    else for (const part of partsOf(use)) open.add(part);
  }
  return found;
}

function partsOf(use: Exclude<Use, number>): readonly Use[] {
  if (use === undefined) return [];
  if (isList(use)) return use;
  switch (use.kind) {
    case 'range':
    case 'not_null':
    case 'column':
    case 'lag':
    case 'values':
    case 'missing text':
    case 'text':
    case 'flag':
      return [use.column];
    case 'comparison':
    case 'compare':
      return [use.left, use.right];
    case 'operation':
    case 'and':
    case 'or':
      return use.operands;
    case 'is null':
    case 'not':
      return [use.operand];
    case 'constant':
    case 'truth':
    case 'profile':
      return [];
  }
}

/** Whether any of the columns, or of those that computed columns use, is meant. Computed columns are behind those of the table. */
export function usesColumn({ columns }: Dataset, uses: Use, isMeant: (column: Column) => boolean): boolean {
  return usedColumns(uses)
    .values()
    .some(index => columns[index] !== undefined && isMeant(columns[index]));
}

/** Whether any of the columns is an optional one that a store publishes on demand. */
export function usesOptional(dataset: Dataset, uses: Use): boolean {
  return usesColumn(dataset, uses, needsBars);
}

/** `Array.isArray` does not narrow a readonly list. */
function isList(use: Use): use is readonly Use[] {
  return Array.isArray(use);
}
