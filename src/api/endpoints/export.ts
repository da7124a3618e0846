// `export/{dataset}.parquet`: redirects to the file of the current publication.

import type { Dataset } from '../../domain/datasets.ts';
import { INTERVALS, type Interval } from '../../domain/interval.ts';
import { EXPORT_FILE_PATH, EXPORT_PATH, fillPath } from '../../domain/paths.ts';
import { DOLLAR } from '../../domain/quote.ts';
import { ApiError } from '../../errors.ts';
import { type ExportFile, versionOf } from '../../export/export-folder.ts';
import type { ApiRequest } from '../../http/wire/answer.ts';
import { headerLines } from '../../http/wire/head.ts';
import { requestedRange } from '../../http/wire/ranges.ts';
import { requireInterval, requireQuote } from '../../query/execute/find-named.ts';
import { absentParameter, PARAMETERS } from '../../query/parameters.ts';
import { intervalsOf } from '../../query/parse/parse-plan.ts';
import type { ServiceContext } from '../context.ts';
import { endpoint } from '../endpoint.ts';
import { addressedName, EXPORT_ERRORS, EXPORTED, EXTENSION, madeFile, requireExport } from '../exports.ts';
import { requireBarsOfQuote } from '../listing/source.ts';
import { invalidValue, queryParameters } from '../parameters.ts';
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
  parameters: queryParameters<{ interval: Interval; quote: string }>({
    interval: {
      doc: 'The length of a period of the rows. Not for `assets`; `1mo` for `bars` only.',
      takes: `one of ${INTERVALS.join(', ')}`,
      schema: { type: 'string', enum: [...INTERVALS], default: '1d' },
      parse: text => INTERVALS.find(each => each === text.toLowerCase()) ?? null,
    },
    quote: {
      doc: `${PARAMETERS.quote.doc} Not for \`assets\`.`,
      takes: PARAMETERS.quote.takes,
      schema: { type: 'string', default: DOLLAR },
      parse: text => text.trim() || null,
    },
  }),
  requestHeaders: ['Range', 'If-Range', 'If-Match'],
  errors: [...EXPORT_ERRORS, 'unknown_interval', 'unknown_quote'],
  response: {
    307: { description: 'The address of the file.', headers: ['Location', 'Cache-Control', ...OF_DATA] },
  },
  handle:
    context =>
    async (request, { interval, quote: named }) => {
      const dataset = requireExport(
        context,
        request,
        request.rest.endsWith(EXTENSION) ? request.rest.slice(0, -EXTENSION.length) : '',
      );
      const snapshot = requireSnapshot(context);
      if (interval !== null) requireIntervalOf(context, dataset, interval);
      if (named !== null) requireParameter(dataset, 'quote');
      const quote = requireQuote(snapshot, named === null || named.toUpperCase() === DOLLAR ? null : named);
      if (quote !== null) await requireBarsOfQuote(context, quote, interval ?? '1d', snapshot.version);
      const file = await madeFile(context, {
        ...{ dataset: dataset.name, interval: interval ?? '1d', name: null, quote: quote?.assetNumber ?? null },
        ...(quote === null
          ? {}
          : { quoteAsset: { assetNumber: quote.assetNumber, id: quote.id, symbol: quote.symbol } }),
      });
      const path = fillPath(EXPORT_FILE_PATH, {
        ...{ group: context.group, dataset: dataset.name },
        version: addressedName(file),
      });
      const query = request.sign === null ? '' : `?${request.sign(path)}`;
      const location = `${context.publicUrl ?? ''}${path}${query}`;
      if (mayMixVersions(request, file)) throw rangeNeedsVersion(file, location);
      const headers = headerLines('location', location, 'cache-control', `private, max-age=${context.maxAgeSeconds}`);
      return { status: 307, headers: dataHeaders(context, versionOf(file.name)) + headers, body: [''] };
    },
});

function requireIntervalOf(context: ServiceContext, dataset: Dataset, interval: Interval): void {
  requireParameter(dataset, 'interval');
  const taken = intervalsOf(dataset);
  if (!taken.includes(interval)) throw invalidValue('interval', interval, `one of ${taken.join(', ')}`);
  requireInterval(context.intervals(), interval, taken);
}

function requireParameter(dataset: Dataset, param: 'interval' | 'quote'): void {
  if (dataset.extraParameters.includes(param)) return;
  throw new ApiError('unknown_parameter', `Unknown parameter "${param}" for ${dataset.name}.`, {
    param,
    hint: absentParameter(param, []) ?? 'Leave it out.',
  });
}

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
