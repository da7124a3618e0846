// Tables from plain objects, the slow and obvious way; only the indexes are the snapshot's own.

import assert from 'node:assert/strict';
import type { Dataset } from '../../../src/domain/datasets.ts';
import { SearchIndex, searchIndexData } from '../../../src/snapshot/indexes/search-index.ts';
import { SymbolIndex, symbolIndexData } from '../../../src/snapshot/indexes/symbol-index.ts';
import type { ColumnData, ProfileLookup, Table, TextData } from '../../../src/snapshot/table.ts';

export type Cell = string | number | boolean | null;

/** A row as it would be served, and the number of closes that it does not show. */
export interface PlainRow {
  readonly cells: Readonly<Record<string, Cell>>;
  readonly history: number;
  /** Of its asset. */
  readonly profile?: { readonly tag: readonly string[]; readonly type: readonly string[] };
}

const MILLIS_PER_DAY = 86_400_000;

/** By code point for texts; null is not for here. */
export function compareCells(a: Cell, b: Cell): number {
  return typeof a === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) : Number(a) - Number(b);
}

/** The rows in the order in which a table holds them. */
export function inTableOrder(dataset: Dataset, rows: readonly PlainRow[]): PlainRow[] {
  const key = (row: PlainRow) => row.cells[dataset.tieBreaker] ?? null;
  return [...rows].sort((a, b) => compareCells(key(a), key(b)));
}

/** `rows` in table order. */
export function tableOf(dataset: Dataset, rows: readonly PlainRow[]): Table {
  const cellsOf = (name: string) => rows.map(({ cells }) => cells[name] ?? null);
  const histories = rows.map(({ history }) => history);
  const texts = (name: string) => textData(cellsOf(name).map(cell => (cell === null ? null : String(cell))));
  const searched = dataset.extraParameters.includes('q') ? ['id', 'name', 'symbol'].map(texts) : null;
  return {
    dataset,
    rows: rows.length,
    columns: dataset.columns.map(({ name, kind }) => columnData(kind, cellsOf(name))),
    history: floats(histories),
    historyOrder: counts(orderOf(histories)),
    symbols: new SymbolIndex(texts('symbol'), symbolIndexData(texts('symbol'))),
    search: searched && new SearchIndex(searchIndexData(searched)),
    profiles: dataset.ofOneAsset ? null : profilesOf(rows),
    order: column => counts(orderOf(cellsOf(dataset.columns[column]!.name))),
  };
}

function profilesOf(rows: readonly PlainRow[]): ProfileLookup {
  const valuesOf = (fact: 'tag' | 'type') => rows.flatMap(({ profile }) => profile?.[fact] ?? []);
  return {
    bitmap: (fact, values) => bitmapOf(rows, fact, values),
    values: fact => [...new Set(valuesOf(fact).map(value => value.toUpperCase()))],
    counts: () => assert.fail('these queries count no tags'),
  };
}

function bitmapOf(rows: readonly PlainRow[], fact: 'tag' | 'type', values: readonly string[]): Int32Array {
  const words = new Int32Array(Math.ceil(rows.length / 32));
  for (const [row, { profile }] of rows.entries()) {
    const has = profile?.[fact].some(each => values.includes(each.toUpperCase()));
    if (has) words[row >>> 5]! |= 1 << (row & 31);
  }
  return words;
}

function orderOf(cells: readonly Cell[]): number[] {
  const compare = (a: Cell, b: Cell) =>
    a === null || b === null ? Number(a === null) - Number(b === null) : compareCells(a, b);
  return cells.map((_, row) => row).sort((a, b) => compare(cells[a] ?? null, cells[b] ?? null));
}

function columnData(kind: string, cells: readonly Cell[]): ColumnData {
  switch (kind) {
    case 'text':
      return textData(cells.map(cell => (cell === null ? null : String(cell))));
    case 'time':
      return { kind: 'day', interval: '1d', values: integers(cells.map(dayOf)) };
    case 'flag':
      return { kind: 'flag', values: bytes(cells.map(Number)) };
    default:
      return {
        kind: 'number',
        values: floats(cells.map(cell => (cell === null ? Number.NaN : Number(cell)))),
      };
  }
}

function dayOf(cell: Cell): number {
  return cell === null ? -1 : Date.parse(String(cell)) / MILLIS_PER_DAY;
}

function textData(texts: readonly (string | null)[]): TextData {
  const encoded = texts.map(text => Buffer.from(text ?? ''));
  let end = 0;
  const offsets = [0, ...encoded.map(({ length }) => (end += length))];
  return {
    kind: 'text',
    bytes: bytes([...Buffer.concat(encoded)]),
    offsets: counts(offsets),
    missing: bytes(texts.map(text => Number(text === null))),
  };
}

function floats(values: readonly number[]): Float64Array<SharedArrayBuffer> {
  return filled(new Float64Array(new SharedArrayBuffer(values.length * 8)), values);
}

function integers(values: readonly number[]): Int32Array<SharedArrayBuffer> {
  return filled(new Int32Array(new SharedArrayBuffer(values.length * 4)), values);
}

function counts(values: readonly number[]): Uint32Array<SharedArrayBuffer> {
  return filled(new Uint32Array(new SharedArrayBuffer(values.length * 4)), values);
}

function bytes(values: readonly number[]): Uint8Array<SharedArrayBuffer> {
  return filled(new Uint8Array(new SharedArrayBuffer(values.length)), values);
}

function filled<T extends { set(values: readonly number[]): void }>(array: T, values: readonly number[]): T {
  array.set(values);
  return array;
}
