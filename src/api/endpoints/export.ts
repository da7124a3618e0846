// `export/{dataset}.parquet`: redirects to the file of the current publication.

import { EXPORT_FILE_PATH, EXPORT_PATH, fillPath } from '../../domain/paths.ts';
import { ApiError } from '../../errors.ts';
import { type ExportFile, versionOf } from '../../export/export-folder.ts';
import type { ApiRequest } from '../../http/wire/answer.ts';
import { headerLines } from '../../http/wire/head.ts';
import { requestedRange } from '../../http/wire/ranges.ts';
import { endpoint } from '../endpoint.ts';
import { EXPORT_ERRORS, EXPORT_PARAMETERS, EXPORTED, EXTENSION, madeFile, requireExport } from '../exports.ts';
import { OF_DATA } from '../responses.ts';
import { dataHeaders, requireSnapshot } from '../served-snapshot.ts';

export const exportDataset = endpoint({
  id: 'exportDataset',
  path: EXPORT_PATH,
  tag: 'Exports',
  summary: 'A whole dataset as one Parquet file: redirects to the file of the current version',
  description:
    'For tiers that include exports. The first request after a publication waits until the file is written, at most 20 seconds; then ' +
    'it is 503 with `Retry-After`, and the file goes on being made. Read byte ranges from the address in `Location`: a `Range` of this ' +
    'address is 416, because a later one could be of another file.',
  pathParameters: [EXPORTED],
  parameters: EXPORT_PARAMETERS,
  requestHeaders: ['Range', 'If-Range', 'If-Match'],
  errors: EXPORT_ERRORS,
  response: {
    307: { description: 'The address of the file.', headers: ['Location', 'Cache-Control', ...OF_DATA] },
  },
  handle: context => async request => {
    const dataset = requireExport(
      context,
      request,
      request.rest.endsWith(EXTENSION) ? request.rest.slice(0, -EXTENSION.length) : '',
    );
    requireSnapshot(context);
    const file = await madeFile(context, { dataset, name: null });
    const path = fillPath(EXPORT_FILE_PATH, { group: context.group, dataset, version: file.name });
    const query = request.sign === null ? '' : `?${request.sign(path)}`;
    const location = `${context.publicUrl ?? ''}${path}${query}`;
    if (mayMixVersions(request, file)) throw rangeNeedsVersion(file, location);
    const headers = headerLines('location', location, 'cache-control', `private, max-age=${context.maxAgeSeconds}`);
    return { status: 307, headers: dataHeaders(context, versionOf(file.name)) + headers, body: [''] };
  },
});

/**
 * A reader that asks this address for one range after the other would get ranges of different files once data is published: each
 * request is redirected to the newest one. `If-Range` and `If-Match` name the file that it began with.
 */
function mayMixVersions({ headers, isHead }: ApiRequest, { bytes }: ExportFile): boolean {
  if (isHead || headers['if-range'] !== undefined) return false;
  if (headers['if-match'] !== undefined && headers['if-match'].trim() !== '*') return false;
  return requestedRange(headers.range, bytes) !== null;
}

function rangeNeedsVersion({ bytes }: ExportFile, location: string): ApiError {
  return new ApiError(
    'range_needs_version',
    'This address redirects to another file after each publication, so that ranges of it would be of different files.',
    {
      hint: `Request it once without Range, and read the ranges from the address that it redirects to, now ${location}`,
      headers: { 'Content-Range': `bytes */${bytes}`, Link: `<${location}>; rel="latest-version"` },
    },
  );
}
