// The labels of the catalogue, once it is here: pages show no column before.

import type { CatalogColumn } from '../../client/src/index.ts';
import { labelIn, shownInterval } from './interval.ts';

const labels = new Map<string, string>();

export function rememberLabels(columns: readonly Pick<CatalogColumn, 'name' | 'label'>[]): void {
  for (const { name, label } of columns) if (label !== undefined) labels.set(name, label);
}

/** `Change 7d` for change7, `Change 7h` where periods are hours; a column without a label, such as a computed one, has its own name. */
export function columnLabel(name: string): string {
  const label = labels.get(name);
  return label === undefined ? name : labelIn(label, shownInterval.value);
}
