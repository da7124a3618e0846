// Writes one part of an export in freqtrade's layout: one Feather file per asset, with the columns that freqtrade has.

import { rm } from 'node:fs/promises';
import type { Column } from '../../domain/columns.ts';
import { arrowFileChunks } from '../../render/arrow/arrow-file.ts';
import { reuseChunk } from '../../render/chunks.ts';
import type { StoreView } from '../../store/store.ts';
import { FileSink } from '../file-sink.ts';
import { type ExportedRows, rowsOf, spans } from './exported-rows.ts';
import { type FreqtradeLayout, pairFileName } from './freqtrade-names.ts';
import type { ManifestFile } from './manifest.ts';
import { MODE, type PartContext, partialOf } from './part-writer.ts';
import type { Part } from './plan.ts';

/** Assets without a day between the bounds have no file. */
export async function writePairFiles(
  view: StoreView,
  part: Part,
  context: PartContext,
  layout: FreqtradeLayout,
): Promise<ManifestFile[]> {
  const files: ManifestFile[] = [];
  for await (const rows of rowsOf(view, part, context)) {
    let done = 0;
    for (const { from, to } of spans(rows.days, context.request)) {
      const path = pairFileName(rows.asset.symbol, layout);
      files.push({
        path,
        rows: to - from,
        ...(await writePair(partialOf(context.folder, path), rows, from, to)),
        part: part.number,
      });
      done += to - from;
    }
    context.onProgress(done);
  }
  return files;
}

async function writePair(
  path: string,
  { dataset, columns, rows }: ExportedRows,
  from: number,
  to: number,
): Promise<Pick<ManifestFile, 'bytes' | 'sha256'>> {
  const sink = await FileSink.create(path, { mode: MODE });
  try {
    const renamed = dataset.columns.map(
      (column): Column => (column.name === 'datetimeUTC' ? { ...column, name: 'date' } : column),
    );
    const selection = {
      table: { dataset: { ...dataset, columns: renamed }, columns, rows },
      rows: Uint32Array.from({ length: to - from }, (_, i) => from + i),
      columns: [...columns.keys()],
      temporary: true,
    } as const;
    for (const chunk of arrowFileChunks(selection)) {
      sink.write(Buffer.from(chunk));
      reuseChunk(chunk);
    }
    const sha256 = (await sink.close()).toString('hex');
    return { bytes: sink.bytes, sha256 };
  } catch (error) {
    await sink.abandon().catch(() => {});
    await rm(path, { force: true });
    throw error;
  }
}
