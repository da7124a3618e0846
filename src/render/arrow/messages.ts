// The messages of an Arrow IPC stream: a schema, record batches, and the end; and the footer of a file (Arrow columnar format, "Serialization").

import type { Column } from '../../domain/columns.ts';
import type { ColumnData } from '../../snapshot/table.ts';
import { fieldMetadata } from '../metadata.ts';
import { FlatBuilder, type Slot } from './flat-builder.ts';

/** The numbers that Schema.fbs and Message.fbs give to what is used here. */
const VERSION_5 = 4;
const MESSAGE = { schema: 1, recordBatch: 3 } as const;
const TYPE = { int: 2, double: 3, text: 5, flag: 6, timestamp: 10 } as const;
const DOUBLE_PRECISION = 2;
const MILLISECONDS = 1;

const CONTINUES = 0xffffffff;
/** The mark of a message and the length of its description. */
const START_BYTES = 8;
export const END_OF_STREAM: Buffer = Buffer.from([255, 255, 255, 255, 0, 0, 0, 0]);

/** How a column is written. */
export type FieldKind = 'double' | 'int' | 'timestamp' | 'flag' | 'text';

export function fieldKind(column: Column, data: ColumnData): FieldKind {
  if (data.kind === 'number') return column.type === 'integer' ? 'int' : 'double';
  return data.kind === 'day' ? 'timestamp' : data.kind;
}

export interface Field {
  readonly column: Column;
  readonly kind: FieldKind;
}

/** `described`: each field has its unit, description and formula. `quote`: the ticker that replaces the dollar in units. */
export function schemaMessage(fields: readonly Field[], described: boolean, quote: string | null = null): Buffer {
  const builder = new FlatBuilder();
  return message(builder, MESSAGE.schema, schemaTable(builder, fields, described, quote), 0);
}

/** What an Arrow file ends with. `batches`: of each one its place, the bytes of its description and those of its body. */
export function footer(fields: readonly Field[], batches: readonly number[]): Buffer {
  const builder = new FlatBuilder();
  const schema = schemaTable(builder, fields, false);
  const dictionaries = builder.structs([], 3);
  const places = builder.structs(batches, 3);
  return builder.finish(builder.table([{ size: 2, value: VERSION_5 }, schema, dictionaries, places]));
}

/** Of the description at the start of a message. */
export function messageBytes(message: Buffer): number {
  return START_BYTES + message.readUInt32LE(4);
}

function schemaTable(
  builder: FlatBuilder,
  fields: readonly Field[],
  described: boolean,
  quote: string | null = null,
): Slot {
  const built = fields.map(field => fieldTable(builder, field, described, quote));
  return builder.table([null, builder.tables(built)]);
}

function fieldTable(builder: FlatBuilder, { column, kind }: Field, described: boolean, quote: string | null): Slot {
  const metadata = described ? builder.tables(keyValues(builder, fieldMetadata(column, '1d', quote))) : null;
  const children = builder.tables([]);
  const type = builder.table(typeSlots(builder, kind));
  const name = builder.string(column.name);
  // JSON has null for a number that is not finite, in whatever column.
  const nullable = column.nullable || kind === 'double' || kind === 'int';
  return builder.table([name, byte(Number(nullable)), byte(TYPE[kind]), type, null, children, metadata]);
}

function keyValues(builder: FlatBuilder, facts: object): Slot[] {
  const known = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined);
  return known.map(([key, value]) => {
    const text = builder.string(String(value));
    return builder.table([builder.string(key), text]);
  });
}

function typeSlots(builder: FlatBuilder, kind: FieldKind): (Slot | null)[] {
  switch (kind) {
    case 'int':
      return [{ size: 4, value: 64 }, byte(1)];
    case 'double':
      return [{ size: 2, value: DOUBLE_PRECISION }];
    case 'timestamp':
      return [{ size: 2, value: MILLISECONDS }, builder.string('UTC')];
    case 'text':
    case 'flag':
      return [];
  }
}

/** Of a record batch: `nodes` are the rows and the nulls of each column, `buffers` the place and the size of each buffer. */
export function batchMessage(
  rows: number,
  nodes: readonly number[],
  buffers: readonly number[],
  bodyBytes: number,
): Buffer {
  const builder = new FlatBuilder();
  const places = builder.structs(buffers, 2);
  const counts = builder.structs(nodes, 2);
  const batch = builder.table([{ size: 8, value: rows }, counts, places]);
  return message(builder, MESSAGE.recordBatch, batch, bodyBytes);
}

function message(builder: FlatBuilder, kind: number, header: Slot, bodyBytes: number): Buffer {
  const version: Slot = { size: 2, value: VERSION_5 };
  const metadata = builder.finish(builder.table([version, byte(kind), header, { size: 8, value: bodyBytes }]));
  const start = Buffer.alloc(START_BYTES);
  start.writeUInt32LE(CONTINUES);
  start.writeUInt32LE(metadata.length, 4);
  return Buffer.concat([start, metadata]);
}

function byte(value: number): Slot {
  return { size: 1, value };
}
