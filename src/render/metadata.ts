// What each field of an answer means: the members of `metadata`, and the columns in the catalogue of datasets.

import type { Column } from '../domain/columns.ts';
import type { Dataset } from '../domain/datasets.ts';

export interface FieldMetadata {
  readonly type: Column['type'];
  readonly unit: string | null;
  readonly nullable: boolean;
  readonly description: string;
  /** Of indicators only: length in days, formula, and the closes that a full window needs. */
  readonly window?: number;
  readonly formula?: string;
  readonly min_history?: number;
}

export function fieldMetadata(column: Column): FieldMetadata {
  const { type, unit, nullable, description } = column;
  const common = { type, unit, nullable, description };
  if (!('window' in column)) return common;
  return { ...common, window: column.window, formula: column.formula, min_history: column.minHistory };
}

/** One member for each of these columns, in their order: JSON as a byte string, one character for each byte of UTF-8. */
export function metadataText(dataset: Dataset, columns: readonly number[]): string {
  return `{${columns.map(index => memberText(dataset.columns[index]!)).join()}}`;
}

const members = new WeakMap<Column, string>();

function memberText(column: Column): string {
  const known = members.get(column);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(column.name)}:${JSON.stringify(fieldMetadata(column))}`;
  const bytes = Buffer.from(text).toString('latin1');
  members.set(column, bytes);
  return bytes;
}
