// The schema of a Parquet file, from the catalogue's columns.

import type { Column } from '../../domain/columns.ts';
import type { ColumnData } from '../../snapshot/table.ts';
import { binary, bool, i32, struct, type ThriftStruct, type ThriftValue } from './thrift.ts';

/** The numbers that parquet.thrift gives to what is used here. */
export const PHYSICAL = { boolean: 0, int64: 2, double: 5, bytes: 6 } as const;
const REPETITION = { required: 0, optional: 1 } as const;
const CONVERTED = { text: 0, timestampMillis: 9 } as const;
const LOGICAL = { text: 1, timestamp: 8 } as const;
const MILLIS = 1;

/** How values are stored: a double, a whole number, a timestamp in milliseconds UTC, a flag, a text. */
export type ParquetKind = 'double' | 'int' | 'timestamp' | 'flag' | 'text';

export interface ParquetColumn {
  readonly name: string;
  readonly kind: ParquetKind;
  readonly nullable: boolean;
}

export function parquetColumn({ name, type, nullable }: Column, data: Pick<ColumnData, 'kind'>): ParquetColumn {
  const kind = data.kind === 'number' ? (type === 'integer' ? 'int' : 'double') : data.kind;
  // JSON has null for a number that is not finite, in whatever column.
  return { name, kind: kind === 'day' ? 'timestamp' : kind, nullable: nullable || data.kind === 'number' };
}

export const PHYSICAL_OF: Readonly<Record<ParquetKind, number>> = {
  double: PHYSICAL.double,
  int: PHYSICAL.int64,
  timestamp: PHYSICAL.int64,
  flag: PHYSICAL.boolean,
  text: PHYSICAL.bytes,
};

/** The root, then the columns. */
export function schemaElements(columns: readonly ParquetColumn[]): ThriftValue[] {
  return [struct({ 4: binary('schema'), 5: i32(columns.length) }), ...columns.map(column => struct(element(column)))];
}

function element({ name, kind, nullable }: ParquetColumn): ThriftStruct {
  return {
    1: i32(PHYSICAL_OF[kind]),
    3: i32(nullable ? REPETITION.optional : REPETITION.required),
    4: binary(name),
    ...(kind === 'text' ? { 6: i32(CONVERTED.text), 10: struct({ [LOGICAL.text]: struct({}) }) } : {}),
    ...(kind === 'timestamp'
      ? {
          6: i32(CONVERTED.timestampMillis),
          10: struct({ [LOGICAL.timestamp]: struct({ 1: bool(true), 2: struct({ [MILLIS]: struct({}) }) }) }),
        }
      : {}),
  };
}
