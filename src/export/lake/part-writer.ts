// Writes one part of an export: the days of some assets, into one file per year or one in all.
//
// A file gets its final name by `publishFiles`, once it is on the disk: meanwhile the thread writes the next part.

import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AssetNumber } from '../../domain/asset.ts';
import { type BarColumns, barColumns } from '../../domain/bar.ts';
import type { Column } from '../../domain/columns.ts';
import { ASSET_COLUMNS, isOptional } from '../../domain/columns.ts';
import type { Dataset } from '../../domain/datasets.ts';
import { MILLIS_PER_DAY } from '../../domain/day.ts';
import type { ReturnSeries } from '../../indicators/kernels/beta.ts';
import { renderChunks, reuseChunk } from '../../render/chunks.ts';
import { barsTable } from '../../snapshot/bars-table.ts';
import { historyTable } from '../../snapshot/history-table.ts';
import type { ColumnData, Rows } from '../../snapshot/table.ts';
import { repeatText } from '../../snapshot/texts.ts';
import type { StoreView } from '../../store/store.ts';
import { FileSink } from '../file-sink.ts';
import type { ColumnValues } from '../parquet/column-chunk.ts';
import { ParquetWriter } from '../parquet/parquet-writer.ts';
import { parquetColumn } from '../parquet/schema.ts';
import { fileMetadata } from '../table-file.ts';
import { type ManifestFile, OWN_FOLDER } from './manifest.ts';
import type { HistoryRequest, Part, PartAsset } from './plan.ts';

export interface PartContext {
  readonly request: HistoryRequest;
  readonly folder: string;
  readonly version: number;
  /** For the betas of a history. */
  readonly benchmark: ReturnSeries | null;
  readonly createdBy: string;
  /** Of each asset that is done. */
  readonly onProgress: (rows: number) => void;
}

/** Readable by everyone that the umask allows, as other programs read the folder. */
const MODE = 0o666;
/** Of a row group in memory: there is one per year. */
const GROUP_BYTES = 4 * 2 ** 20;

/** Rows of one file. */
interface PartFile {
  readonly sink: FileSink;
  add(rows: ExportedRows, from: number, to: number): Promise<void>;
  finish(): Promise<void>;
  rows: number;
}

/** The days of one asset. */
interface ExportedRows extends Rows {
  readonly asset: PartAsset;
  readonly days: Int32Array;
}

export async function writePart(view: StoreView, part: Part, context: PartContext): Promise<ManifestFile[]> {
  const files = new Map<string, PartFile>();
  try {
    const bars = await barsOf(view, part);
    for (const asset of part.assets) {
      const rows = rowsOf(asset, bars.get(asset.key), context);
      bars.delete(asset.key);
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
function partialOf(folder: string, path: string): string {
  return join(folder, OWN_FOLDER, `${path.replace('/', '-')}.partial`);
}

/** Read in the order of the asset numbers, in which the store reads fastest. */
async function barsOf(view: StoreView, { assets }: Part): Promise<Map<AssetNumber, BarColumns>> {
  const found = new Map<AssetNumber, BarColumns>();
  for (const { key, firstDay, lastDay } of assets.toSorted((a, b) => a.key - b.key)) {
    const { bars } = await view.publishedBars(key, firstDay, lastDay);
    if (bars !== null) found.set(key, bars);
  }
  return found;
}

function rowsOf(asset: PartAsset, bars: BarColumns = barColumns(0), context: PartContext): ExportedRows {
  const table = tableOf(asset, bars, context);
  const days = table.columns[table.dataset.columns.findIndex(({ name }) => name === 'datetimeUTC')];
  if (days?.kind !== 'day') throw new TypeError('a history without days');
  return { asset, days: days.values, ...table };
}

function tableOf(asset: PartAsset, bars: BarColumns, { request, benchmark }: PartContext): Rows {
  if (request.dataset === 'bars') return barsTable(bars, '1d');
  const { dataset, columns, rows } = historyTable(asset.symbol, bars, benchmark);
  const included = request.inclCols.split(',');
  const isWritten = (column: Column) => !isOptional(column) || included.includes(column.name);
  return {
    dataset: { ...dataset, columns: dataset.columns.filter(isWritten) },
    columns: columns.filter((_, i) => isWritten(dataset.columns[i]!)),
    rows,
  };
}

/** The rows that were asked for, per file. */
function* spans(days: Int32Array, { from, to, partition }: HistoryRequest) {
  const start = from === null ? 0 : days.findLastIndex(day => day < from) + 1;
  const last = to === null ? days.length - 1 : days.findLastIndex(day => day <= to);
  for (let at = start; at <= last; ) {
    if (partition === 'none') {
      yield { name: '', from: at, to: last + 1 };
      return;
    }
    const year = new Date(days[at]! * MILLIS_PER_DAY).getUTCFullYear();
    const nextYear = Date.UTC(year + 1, 0) / MILLIS_PER_DAY;
    let end = at;
    while (end <= last && days[end]! < nextYear) end++;
    yield { name: `year=${year}/`, from: at, to: end };
    at = end;
  }
}

/** Columns that the rows of one asset need beside those of many others. */
function identityColumns(dataset: Dataset): Column[] {
  const known = new Set(dataset.columns.map(({ name }) => name));
  return ASSET_COLUMNS.filter(({ name }) => (name === 'id' || name === 'symbol') && !known.has(name));
}

async function createFile(path: string, { dataset, columns }: Rows, context: PartContext): Promise<PartFile> {
  const sink = await FileSink.create(partialOf(context.folder, path), MODE);
  const identity = identityColumns(dataset);
  return context.request.format === 'csv'
    ? csvFile(sink, identity)
    : parquetFile(sink, identity, { dataset, columns }, context);
}

function parquetFile(
  sink: FileSink,
  identity: readonly Column[],
  { dataset, columns }: Pick<Rows, 'dataset' | 'columns'>,
  { version, createdBy }: PartContext,
): PartFile {
  const all = [...identity, ...dataset.columns];
  const kinds = [...identity.map(() => ({ kind: 'text' }) as const), ...columns];
  const writer = new ParquetWriter(sink, {
    columns: all.map((column, i) => parquetColumn(column, kinds[i]!)),
    maxRows: Math.ceil(GROUP_BYTES / (8 * all.length)),
    metadata: fileMetadata(dataset.name, all, version),
    createdBy,
    compression: 'worthwhile',
  });
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
    finish: () => writer.finish(),
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
