// Exports a dataset with one row per asset into a folder: one file.

import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isInFiles } from '../../domain/columns.ts';
import type { SnapshotDatasetName } from '../../domain/datasets.ts';
import type { QuoteAsset } from '../../domain/quote.ts';
import { pastSnapshot } from '../../history/past-snapshot.ts';
import { renderChunks, reuseChunk } from '../../render/chunks.ts';
import { buildSnapshot } from '../../snapshot/build/build.ts';
import { rowNumbers } from '../../snapshot/columns/shared-memory.ts';
import type { Rows } from '../../snapshot/table.ts';
import type { Store } from '../../store/store.ts';
import { FileSink } from '../file-sink.ts';
import type { Sink } from '../parquet/parquet-writer.ts';
import { writeTable } from '../table-file.ts';
import { FolderError } from './export-history.ts';
import { type Manifest, OWN_FOLDER, writeManifest } from './manifest.ts';
import type { FileFormat } from './plan.ts';

export interface ListingJob {
  readonly store: Pick<Store, 'readConsistently'>;
  readonly folder: string;
  readonly dataset: SnapshotDatasetName;
  readonly format: FileFormat;
  readonly createdBy: string;
  readonly quote?: QuoteAsset | null;
}

const MODE = 0o666;

export async function exportListing({
  store,
  folder,
  dataset,
  format,
  createdBy,
  quote = null,
}: ListingJob): Promise<Manifest> {
  await mkdir(join(folder, OWN_FOLDER), { recursive: true });
  const found = (await readdir(folder)).filter(name => name !== OWN_FOLDER);
  if (found.length > 0) throw new FolderError(`${folder} has other files, such as ${found[0]}`);
  const newest = { interval: '1d', day: null, optional: false, inactive: false } as const;
  const { version, tables } =
    quote === null
      ? await store.readConsistently(async view => {
          const { version: current, rows } = await view.currentSince(0);
          const { assets } = await view.assetsSince(0);
          return buildSnapshot({ version: current, assets, rows, now: Date.now() });
        })
      : await pastSnapshot(store, { ...newest, quote: quote.assetNumber });
  const path = `part-000000.${format}`;
  const partial = join(folder, OWN_FOLDER, `${path}.partial`);
  const sink = await FileSink.create(partial, { mode: MODE });
  try {
    if (format === 'csv') await writeCsv(tables[dataset], sink);
    else await writeTable(tables[dataset], sink, { version, createdBy, quote: quote?.symbol ?? null });
  } catch (error) {
    await sink.abandon();
    await rm(partial, { force: true });
    throw error;
  }
  const sha256 = (await sink.finish()).toString('hex');
  await rename(partial, join(folder, path));
  const { rows } = tables[dataset];
  const manifest: Manifest = {
    format_version: 1,
    dataset,
    version,
    options: { format, ...(quote === null ? {} : { quote: quote.id }) },
    whole: true,
    complete: true,
    rows,
    parts_done: [0],
    files: [{ path, rows, bytes: sink.bytes, sha256, part: 0 }],
  };
  await writeManifest(folder, manifest);
  return manifest;
}

async function writeCsv(table: Rows, sink: Sink): Promise<void> {
  const columns = [...table.columns.keys()].filter(i => isInFiles(table.dataset.columns[i]!));
  for (const chunk of renderChunks({ table, rows: rowNumbers(table.rows), columns, temporary: true }, 'csv')) {
    await sink.write(Buffer.from(chunk));
    reuseChunk(chunk);
  }
}
