// `_tidemark/manifest.json`: the files of an export, by which a killed export is resumed and a reader knows that it is complete.

import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

export interface ManifestFile {
  /** Relative to the folder, with slashes. */
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  /** Hexadecimal, as `sha256sum` writes it. */
  readonly sha256: string;
  readonly part: number;
}

export interface Manifest {
  readonly format_version: 1;
  readonly dataset: string;
  /** Of the publication. */
  readonly version: number;
  /** The other options of the export. */
  readonly options: Readonly<Record<string, string | number | object | null>>;
  /** All rows of the dataset that the options allow; false: only those of changed assets. */
  readonly whole: boolean;
  /** Assets that the layout has no place for; absent if it has one for all. */
  readonly left_out?: number;
  /** Every part is written. */
  readonly complete: boolean;
  readonly rows: number;
  readonly parts_done: readonly number[];
  readonly files: readonly ManifestFile[];
}

/** What is not data. Spark, Trino, Hive and pyarrow pass over names that begin with an underscore, and would read any other file. */
export const OWN_FOLDER = '_tidemark';
const NAME = join(OWN_FOLDER, 'manifest.json');

/** Null if there is none. */
export async function readManifest(folder: string): Promise<Manifest | null> {
  const text = await readFile(join(folder, NAME), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const found: unknown = JSON.parse(text);
  if (typeof found !== 'object' || found === null || !('format_version' in found) || found.format_version !== 1) {
    throw new SyntaxError('it was not written by this version of tidemark export');
  }
  return found as Manifest; // written by `writeManifest`
}

/** In one step: a reader finds the manifest before or the one after. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await mkdir(join(folder, OWN_FOLDER), { recursive: true });
  const partial = join(folder, `${NAME}.partial`);
  const file = await open(partial, 'w');
  try {
    await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, join(folder, NAME));
}
