// A whole table as one Parquet file.

import { type Column, isInFiles } from '../domain/columns.ts';
import type { Interval } from '../domain/interval.ts';
import { fieldMetadata } from '../render/metadata.ts';
import type { Rows } from '../snapshot/table.ts';
import type { MadeFile } from './export-files.ts';
import { FileSink } from './file-sink.ts';
import { ParquetWriter, type Sink } from './parquet/parquet-writer.ts';
import { type ParquetColumn, parquetColumn } from './parquet/schema.ts';

/** As DuckDB has them: large enough to be read in one go, small enough that several fit into memory. */
const GROUP_ROWS = 122_880;

export interface FileFacts {
  readonly version: number;
  readonly createdBy: string;
  /** Days without it. */
  readonly interval?: Interval;
  /** Ticker of the quote; dollars without it. */
  readonly quote?: string | null;
}

export async function writeTable(table: Rows, sink: Sink, facts: FileFacts): Promise<void> {
  const { dataset, rows } = table;
  const columns = table.columns.filter((_, i) => isInFiles(dataset.columns[i]!));
  const written = dataset.columns.filter(isInFiles);
  const writer = new ParquetWriter(sink, {
    columns: written.map((column, i): ParquetColumn => parquetColumn(column, columns[i]!)),
    maxRows: Math.max(1, Math.min(GROUP_ROWS, rows)),
    metadata: fileMetadata(dataset.name, written, facts),
    createdBy: facts.createdBy,
  });
  await writer.add(columns, 0, rows);
  await writer.finish();
}

/** `tidemark.columns` is one JSON object with the unit, the description and the formula of each column. */
export function fileMetadata(
  dataset: string,
  columns: readonly Column[],
  { version, interval = '1d', quote = null }: Omit<FileFacts, 'createdBy'>,
): Record<string, string> {
  // Bars of a month say nothing about windows.
  const words = interval === '1mo' ? '1d' : interval;
  const described = Object.fromEntries(columns.map(column => [column.name, fieldMetadata(column, words, quote)]));
  return {
    'tidemark.dataset': dataset,
    'tidemark.version': String(version),
    ...(quote === null ? {} : { 'tidemark.quote': quote }),
    'tidemark.columns': JSON.stringify(described),
  };
}

/** Writes the table into a new file, which may not be on the disk yet; a failure may leave a part of it. */
export async function writeTableFile(table: Rows, path: string, facts: FileFacts): Promise<MadeFile> {
  const sink = await FileSink.create(path, { flags: 'wx' });
  try {
    await writeTable(table, sink, facts);
  } catch (error) {
    await sink.abandon();
    throw error;
  }
  const { version } = facts;
  return { rows: table.rows, sha256: (await sink.close()).toString('base64url'), version };
}
