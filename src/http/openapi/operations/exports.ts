// Whole datasets as files.

import { DATASETS } from '../../../domain/datasets.ts';
import { PARQUET_TYPE } from '../../handlers/export.ts';
import type { ResponseHeader } from '../../wire/headers.ts';
import { problemExample } from '../examples.ts';
import type { JsonObject } from '../json-schema.ts';
import { KEYED_HEADERS, problemResponses } from '../problem-responses.ts';
import { headersOf } from '../response-headers.ts';
import { CONDITIONAL, OF_DATA, pathParameter, queryParameter, requestHeaders, unchanged } from './parts.ts';

const EXPORTED = pathParameter('dataset', 'The dataset.', {
  type: 'string',
  enum: DATASETS.map(({ name }) => name),
});
const OF_FILES: readonly ResponseHeader[] = [...CONDITIONAL, ...OF_DATA, ...KEYED_HEADERS, 'Accept-Ranges'];

export function exportRedirect(): JsonObject {
  const operationId = 'exportDataset';
  return {
    get: {
      operationId,
      tags: ['Exports'],
      summary: 'A whole dataset as one Parquet file: redirects to the file of the current version',
      description:
        'For tiers that include exports. The first request after a publication waits until the file is written, at most 20 seconds; then ' +
        'it is 503 with `Retry-After`, and the file goes on being made. Read byte ranges from the address in `Location`: a `Range` of this ' +
        'address is 416, because a later one could be of another file.',
      parameters: [EXPORTED, ...requestHeaders('Range', 'If-Range', 'If-Match', 'X-Request-Id')],
      responses: {
        307: {
          description: 'The address of the file.',
          headers: headersOf(['Location', 'Cache-Control', ...OF_DATA, ...KEYED_HEADERS]),
        },
        ...problemResponses('export', code => problemExample(operationId, code)),
      },
    },
  };
}

export function exportFile(): JsonObject {
  const operationId = 'getExportFile';
  const version = pathParameter(
    'version',
    'The version of the publication and a part of its fingerprint, as the redirect names them.',
  );
  const signature = queryParameter(
    'signature',
    'Stands for the API key for an hour. The redirect adds it if the API key came as `api_key`.',
  );
  const headers = headersOf([...OF_FILES, 'Content-Disposition', 'Repr-Digest', 'X-Row-Count']);
  const content = { [PARQUET_TYPE]: { schema: { type: 'string', format: 'binary' } } };
  return {
    get: {
      operationId,
      tags: ['Exports'],
      summary: 'A Parquet file, which never changes',
      description:
        'Row groups with minimum, maximum and null count of each column, compressed by ZSTD; units and formulas in the key-value ' +
        'metadata. `HEAD` has the size. One byte range per request, suffixes included; several ranges get the whole file.',
      parameters: [
        EXPORTED,
        version,
        signature,
        ...requestHeaders('Range', 'If-Range', 'If-Match', 'If-None-Match', 'X-Request-Id'),
      ],
      responses: {
        200: { description: 'The file.', headers, content },
        206: {
          description: 'The range.',
          headers: { ...headers, ...headersOf(['Content-Range']) },
          content,
        },
        304: unchanged([...OF_DATA, ...KEYED_HEADERS, 'Accept-Ranges']),
        ...problemResponses('export', code => problemExample(operationId, code)),
      },
    },
  };
}
