// Writes one part of an export: the days of some assets, into one file per year or one in all.
//
// A file gets its final name by `publishFiles`, once it is on the disk: meanwhile the thread writes the next part.

import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AssetNumber } from '../../domain/asset.ts';
import { ASSET_COLUMNS } from '../../domain/catalogue.ts';
import type { Column } from '../../domain/columns.ts';
import type { Dataset, HistoryDatasetName } from '../../domain/datasets.ts';
import type { Interval } from '../../domain/interval.ts';
import { publishedQuote, publishedSpans } from '../../history/published-spans.ts';
import type { QuoteCloses } from '../../history/quote-closes.ts';
import { renderChunks, reuseChunk } from '../../render/chunks.ts';
import { repeatText } from '../../snapshot/columns/texts.ts';
import type { ColumnData, Rows } from '../../snapshot/table.ts';
import type { StoreView } from '../../store/store.ts';
import type { MadeFile } from '../export-files.ts';
import { FileSink } from '../file-sink.ts';
import type { ColumnChunk, ColumnValues } from '../parquet/column-chunk.ts';
import { newChunks, ParquetWriter } from '../parquet/parquet-writer.ts';
import { parquetColumn } from '../parquet/schema.ts';
import { fileMetadata } from '../table-file.ts';
import { type ExportedRows, type RowsContext, rowsOf, spans } from './exported-rows.ts';
import { type ManifestFile, OWN_FOLDER } from './manifest.ts';
import { type HistoryRequest, intervalOf, type Part, planByIdOf } from './plan.ts';

export interface PartContext extends RowsContext {
  readonly folder: string;
  readonly version: number;
  readonly createdBy: string;
  /** Of each asset that is done. */
  readonly onProgress: (rows: number) => void;
}

/** Readable by everyone that the umask allows, as other programs read the folder. */
export const MODE = 0o666;
/** Of a row group in memory: there is one per year. */
const GROUP_BYTES = 4 * 2 ** 20;
/** Of the finished files of this thread, all of which have the same columns: the next files use their memory. */
const unusedChunks: (readonly ColumnChunk[])[] = [];

/** Rows of one file. */
interface PartFile {
  readonly sink: FileSink;
  add(rows: ExportedRows, from: number, to: number): Promise<void>;
  finish(): Promise<void>;
  rows: number;
}

export async function writePart(view: StoreView, part: Part, context: PartContext): Promise<ManifestFile[]> {
  const files = new Map<string, PartFile>();
  try {
    for await (const rows of rowsOf(view, part, context)) {
      let done = 0;
      for (const { name, from, to } of spans(rows.days, context.request)) {
        const path = `${name}part-${String(part.number).padStart(6, '0')}.${context.request.format}`;
        const file = files.get(path) ?? (await createFile(path, rows, context));
        files.set(path, file);
        await file.add(rows, from, to);
        file.rows += to - from;
        done += to - from;
      }
      context.onProgress(done);
    }
    return await finishAll(files, part);
  } catch (error) {
    for (const [path, { sink }] of files) {
      await sink.abandon().catch(() => {});
      await rm(partialOf(context.folder, path), { force: true });
    }
    throw error;
  }
}

/** All periods of all assets, of one publication, in one Parquet file. */
export interface WholeHistory {
  readonly dataset: HistoryDatasetName;
  readonly interval: Interval;
  /** Null for dollars. */
  readonly quote: NonNullable<HistoryRequest['quote']> | null;
  /** Where nothing is yet. */
  readonly path: string;
  readonly maxBytes: number;
  readonly createdBy: string;
}

async function wholeQuote(view: StoreView, interval: Interval, quote: AssetNumber): Promise<QuoteCloses> {
  const { rows } = await view.currentSince(0);
  return publishedQuote(view, interval, await publishedSpans(view, interval, rows), quote);
}

/** A failure may leave a part of the file. */
export async function writeWholeHistory(
  view: StoreView,
  { dataset, interval, quote, path, maxBytes, createdBy }: WholeHistory,
): Promise<MadeFile | 'too large'> {
  const options = { from: null, to: null, inclCols: '', sinceVersion: null } as const;
  const request: HistoryRequest = {
    ...{ dataset, interval, format: 'parquet', partition: 'none', ...options },
    ...(quote === null ? {} : { quote }),
  };
  const { parts, version } = await planByIdOf(view, dataset, interval);
  const quoteCloses = quote === null ? null : await wholeQuote(view, interval, quote.assetNumber);
  const context = { request, benchmark: null, version, createdBy, quoteCloses };
  const sink = await FileSink.create(path, { flags: 'wx' });
  let file: PartFile | null = null;
  try {
    for (const part of parts) {
      for await (const rows of rowsOf(view, part, context)) {
        file ??= parquetFile(sink, identityColumns(rows.dataset), rows, context, []);
        await file.add(rows, 0, rows.rows);
        file.rows += rows.rows;
        if (sink.bytes > maxBytes) {
          await sink.abandon();
          return 'too large';
        }
      }
    }
    if (file === null) throw new Error('no asset has prices');
    await file.finish();
  } catch (error) {
    await sink.abandon().catch(() => {});
    throw error;
  }
  const sha256 = (await sink.close()).toString('base64url');
  return sink.bytes > maxBytes ? 'too large' : { rows: file.rows, sha256, version };
}

function finishAll(files: ReadonlyMap<string, PartFile>, part: Part): Promise<ManifestFile[]> {
  const finished = [...files].map(async ([path, file]): Promise<ManifestFile> => {
    await file.finish();
    const sha256 = (await file.sink.close()).toString('hex');
    return { path, rows: file.rows, bytes: file.sink.bytes, sha256, part: part.number };
  });
  return Promise.all(finished);
}

/** Gives files of a written part their final names, once they are on the disk. */
export async function publishFiles(folder: string, files: readonly ManifestFile[]): Promise<void> {
  for (const { path } of files) {
    const [partial, final] = [partialOf(folder, path), join(folder, path)];
    const file = await open(partial, 'r+');
    await file.sync().finally(() => file.close());
    await mkdir(dirname(final), { recursive: true });
    await rename(partial, final);
  }
}

/** Where no reader looks for data. */
export function partialOf(folder: string, path: string): string {
  return join(folder, OWN_FOLDER, `${path.replace('/', '-')}.partial`);
}

/** Columns that the rows of one asset need beside those of many others. */
function identityColumns(dataset: Dataset): Column[] {
  const known = new Set(dataset.columns.map(({ name }) => name));
  return ASSET_COLUMNS.filter(({ name }) => (name === 'id' || name === 'symbol') && !known.has(name));
}

async function createFile(path: string, { dataset, columns }: Rows, context: PartContext): Promise<PartFile> {
  const sink = await FileSink.create(partialOf(context.folder, path), { mode: MODE });
  const identity = identityColumns(dataset);
  return context.request.format === 'csv'
    ? csvFile(sink, identity)
    : parquetFile(sink, identity, { dataset, columns }, context, unusedChunks);
}

function parquetFile(
  sink: FileSink,
  identity: readonly Column[],
  { dataset, columns }: Pick<Rows, 'dataset' | 'columns'>,
  { version, createdBy, request }: Pick<PartContext, 'version' | 'createdBy' | 'request'>,
  unused: (readonly ColumnChunk[])[],
): PartFile {
  const all = [...identity, ...dataset.columns];
  const kinds = [...identity.map(() => ({ kind: 'text' }) as const), ...columns];
  const facts = {
    columns: all.map((column, i) => parquetColumn(column, kinds[i]!)),
    maxRows: Math.ceil(GROUP_BYTES / (8 * all.length)),
    metadata: fileMetadata(dataset.name, all, {
      version,
      interval: intervalOf(request),
      quote: request.quote?.symbol ?? null,
    }),
    createdBy,
  } as const;
  const chunks = unused.pop() ?? newChunks(facts);
  const writer = new ParquetWriter(sink, facts, chunks);
  return {
    sink,
    rows: 0,
    add: ({ asset, columns: values }, from, to) => {
      const texts = { id: asset.id, symbol: asset.symbol };
      const repeated = (name: string): ColumnValues => ({
        kind: 'repeated',
        text: name === 'id' ? texts.id : texts.symbol,
      });
      const own = values.map((data, i) => (data.kind === 'text' ? repeated(dataset.columns[i]!.name) : data));
      return writer.add([...identity.map(({ name }) => repeated(name)), ...own], from, to);
    },
    finish: async () => {
      await writer.finish();
      unused.push(chunks);
    },
  };
}

function csvFile(sink: FileSink, identity: readonly Column[]): PartFile {
  const file: PartFile = {
    sink,
    rows: 0,
    add: async ({ asset, dataset, columns, rows }, from, to) => {
      const own = identity.map(({ name }): ColumnData => repeatText(name === 'id' ? asset.id : asset.symbol, rows));
      const all = {
        dataset: { ...dataset, columns: [...identity, ...dataset.columns] },
        columns: [...own, ...columns],
        rows,
      };
      const selection = {
        table: all,
        rows: Uint32Array.from({ length: to - from }, (_, i) => from + i),
        columns: [...all.columns.keys()],
        temporary: true,
      } as const;
      for (const chunk of renderChunks(selection, file.rows === 0 ? 'csv' : 'csv-without-header')) {
        await sink.write(Buffer.from(chunk));
        reuseChunk(chunk);
      }
    },
    finish: async () => {},
  };
  return file;
}
