// What the two endpoints of exports have in common: their dataset, the right to it, and the file of a version.

import { DATASETS, type Dataset, type DatasetName } from '../domain/datasets.ts';
import { INTERVALS } from '../domain/interval.ts';
import { EXPORT_PATH, fillPath } from '../domain/paths.ts';
import { ApiError, type ErrorCode } from '../errors.ts';
import type { ExportFailure, ExportRequest } from '../export/export-files.ts';
import { type ExportFile, termsOf } from '../export/export-folder.ts';
import type { ApiRequest } from '../http/wire/answer.ts';
import type { ServiceContext } from './context.ts';
import { type JsonObject, pathParameter } from './json-schema.ts';

export const EXTENSION = '.parquet';
/** How long a request waits for a file that is being made. Less than a response may take. */
const WAIT_MS = 20_000;

export const EXPORTED: JsonObject = pathParameter('dataset', 'The dataset.', {
  type: 'string',
  enum: DATASETS.map(({ name }) => name),
});

export const EXPORT_ERRORS: readonly ErrorCode[] = [
  'bad_path',
  'bad_signature',
  'not_in_tier',
  'not_found',
  'export_gone',
  'precondition_failed',
  'range_needs_version',
  'range_not_satisfiable',
  'export_failed',
  'export_pending',
];

/** Waits for the file, but not for ever. */
export async function madeFile(context: ServiceContext, request: ExportRequest): Promise<ExportFile> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'pending'>(resolve => {
    timer = setTimeout(resolve, WAIT_MS, 'pending');
  });
  const found = await Promise.race([context.exportFile(request), late]).finally(() => clearTimeout(timer));
  return requireFile(context, request.dataset, found);
}

/** The dataset of an export that the API key may read. */
export function requireExport(context: ServiceContext, { tier }: ApiRequest, name: string): Dataset<DatasetName> {
  const found = DATASETS.find(dataset => dataset.name === name);
  if (found === undefined) {
    const paths = DATASETS.map(dataset => exportPath(context, dataset.name));
    throw new ApiError('not_found', 'There is no such export.', { hint: `There are ${paths.join(', ')}.` });
  }
  if (tier.export) return found;
  throw new ApiError('not_in_tier', `The tier ${tier.name} does not include exports.`, {
    hint: 'Request the listing page by page, or ask the operator for a tier with exports.',
  });
}

function requireFile(
  context: ServiceContext,
  dataset: DatasetName,
  found: ExportFile | ExportFailure | 'pending',
): ExportFile {
  switch (found) {
    case 'gone':
      throw gone(context, dataset);
    case 'pending':
      throw new ApiError('export_pending', 'The file is being made.', {
        hint: 'Retry after Retry-After seconds.',
      });
    case 'too large':
      throw new ApiError('export_failed', 'The file is larger than the server may keep.', {
        hint: `Ask the operator for a larger --exports-size, or for a folder made by 'tidemark export --dataset ${dataset}'.`,
      });
    case 'busy':
      throw new ApiError('overloaded', 'Too many exports are being made.', {
        hint: 'Retry after Retry-After seconds.',
      });
    case 'failed':
      throw new ApiError('export_failed', 'The export could not be written.', {
        hint: 'Retry later. The log of the service has the reason.',
      });
    default:
      return found;
  }
}

export function gone(context: ServiceContext, dataset: DatasetName): ApiError {
  return new ApiError('export_gone', 'The server does not have the file of this version.', {
    hint: `${exportPath(context, dataset)} redirects to the current version.`,
  });
}

function exportPath({ group }: ServiceContext, dataset: DatasetName): string {
  return fillPath(EXPORT_PATH, { group, dataset });
}

/** What the address of a file ends with, without the extension: its name, and an interval other than a day or a quote. */
export function addressedName(file: ExportFile): string {
  return `${file.name}${termsOf(file)}`;
}

/** The same, read from an address; null if it cannot be that of a file. */
export function addressOf(text: string): Pick<ExportFile, 'name' | 'interval' | 'quote'> | null {
  const [, name, written = '1d', quote] =
    /^(\d{1,16}-[\w-]{10})(?:\.(\d{1,2}\w{1,2}))?(?:\.q(\d{1,9}))?\.parquet$/.exec(text) ?? [];
  const interval = INTERVALS.find(each => each === written);
  if (name === undefined || interval === undefined) return null;
  return { name, interval, quote: quote === undefined ? null : Number(quote) };
}
