// `export/{dataset}/{version}.parquet`: the file of one publication, whole or in byte ranges. It never changes.

import type { FileHandle } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { openPlain } from '../../common/plain-file.ts';
import { EXPORT_FILE_PATH } from '../../domain/paths.ts';
import { ApiError } from '../../errors.ts';
import type { ExportRequest } from '../../export/export-files.ts';
import { type ExportFile, stampOf, versionOf } from '../../export/export-folder.ts';
import { SIGNATURE } from '../../http/authentication/link-signature.ts';
import type { Answer, ApiRequest, Stream } from '../../http/wire/answer.ts';
import { matches } from '../../http/wire/conditional.ts';
import { headerLines } from '../../http/wire/head.ts';
import { type ByteRange, requestedRange } from '../../http/wire/ranges.ts';
import type { ServiceContext } from '../context.ts';
import { endpoint } from '../endpoint.ts';
import {
  addressedName,
  addressOf,
  EXPORT_ERRORS,
  EXPORTED,
  EXTENSION,
  gone,
  madeFile,
  requireExport,
} from '../exports.ts';
import { pathParameter } from '../json-schema.ts';
import { noParameters } from '../parameters.ts';
import { conditional, OF_DATA } from '../responses.ts';
import { dataHeaders, requireSnapshot } from '../served-snapshot.ts';

const PARQUET_TYPE = 'application/vnd.apache.parquet';
/** A server that is behind another one gets the newer publication within this time. */
const MAX_WAIT_MS = 2000;
const RETRY_MS = 100;
/** Shorter parts are read at once and sent together with the head. */
const SHORT_BYTES = 64 * 2 ** 10;
const PIECE_BYTES = 256 * 2 ** 10;
/** The content of the address never changes. */
const FOREVER = 'private, max-age=31536000, immutable';

const CONTENT = { [PARQUET_TYPE]: { schema: { type: 'string', format: 'binary' } } };
const WHOLE = conditional(
  'The file.',
  CONTENT,
  [...OF_DATA, 'Accept-Ranges'],
  ['Content-Disposition', 'Repr-Digest', 'X-Row-Count'],
);

export const exportFile = endpoint({
  id: 'getExportFile',
  path: EXPORT_FILE_PATH,
  label: '/v1/{group}/export/*/*',
  tag: 'Exports',
  summary: 'A Parquet file, which never changes',
  description:
    'Row groups with minimum, maximum and null count of each column, compressed by ZSTD; units and formulas in the key-value ' +
    'metadata. `HEAD` has the size. One byte range per request, suffixes included; several ranges get the whole file.',
  pathParameters: [
    EXPORTED,
    pathParameter(
      'version',
      'The version of the publication and a part of its fingerprint, as the redirect names them.',
    ),
  ],
  parameters: {
    ...noParameters([SIGNATURE], 'An export is the whole dataset; the listing takes filters.'),
    described: [
      {
        name: SIGNATURE,
        in: 'query',
        description: 'Stands for the API key for an hour. The redirect adds it if the API key came as `api_key`.',
        schema: { type: 'string' },
      },
    ],
  },
  requestHeaders: ['Range', 'If-Range', 'If-Match'],
  errors: EXPORT_ERRORS,
  response: {
    ...WHOLE,
    206: {
      description: 'The range.',
      headers: [...(WHOLE[200].headers ?? []), 'Content-Range'],
      content: CONTENT,
    },
  },
  handle: context => async request => {
    const slash = request.rest.indexOf('/');
    const { name: dataset } = requireExport(context, request, request.rest.slice(0, slash));
    const address = addressOf(request.rest.slice(slash + 1));
    if (address === null) throw gone(context, dataset);
    const file = await settledFile(context, { dataset, ...address });
    return fileAnswer(context, request, file);
  },
});

async function settledFile(
  context: ServiceContext,
  request: ExportRequest & { readonly name: string },
): Promise<ExportFile> {
  const waitUntil = performance.now() + MAX_WAIT_MS;
  while (versionOf(request.name) > requireSnapshot(context).version && performance.now() < waitUntil)
    await wait(RETRY_MS);
  return madeFile(context, request);
}

async function fileAnswer(context: ServiceContext, request: ApiRequest, file: ExportFile): Promise<Answer> {
  const { headers: asked } = request;
  const tag = `"${file.sha256}"`;
  const own =
    dataHeaders(context, versionOf(file.name)) +
    headerLines('etag', tag, 'cache-control', FOREVER, 'vary', 'Authorization, X-API-Key', 'accept-ranges', 'bytes');
  if (asked['if-match'] !== undefined && !namesTag(asked['if-match'], tag)) {
    throw new ApiError('precondition_failed', 'The file does not have the ETag that If-Match names.', {
      hint: 'Request it without If-Match.',
    });
  }
  if (matches(asked['if-none-match'], tag)) return { status: 304, headers: own, body: null };
  const described =
    own +
    headerLines(
      'content-type',
      PARQUET_TYPE,
      'content-disposition',
      `attachment; filename="${context.group}-${file.dataset}-${addressedName(file)}${EXTENSION}"`,
      'repr-digest',
      `sha-256=:${Buffer.from(file.sha256, 'base64url').toString('base64')}:`,
      'x-row-count',
      file.rows,
    );
  const whole = { from: 0, to: file.bytes - 1 };
  // The representation that the client has a part of must be this one (RFC 9110 13.1.5); a range is of GET only.
  const isSame = asked['if-range'] === undefined || asked['if-range'] === tag;
  const range = isSame && !request.isHead ? requestedRange(asked.range, file.bytes) : null;
  if (range === 'unsatisfiable') throw unsatisfiable(file);
  const { from, to } = range ?? whole;
  const partial = range === null ? '' : headerLines('content-range', `bytes ${from}-${to}/${file.bytes}`);
  const body = request.isHead ? unread(file) : await fileBody(context, file, { from, to });
  return { status: range === null ? 200 : 206, headers: described + partial, body };
}

/** Strong comparison (RFC 9110 13.1.1). */
function namesTag(header: string, tag: string): boolean {
  return header.trim() === '*' || header.split(',').some(candidate => candidate.trim() === tag);
}

function unread({ bytes }: ExportFile): Stream {
  return { length: bytes, chunks: () => [] };
}

async function fileBody(context: ServiceContext, file: ExportFile, { from, to }: ByteRange): Promise<Answer['body']> {
  const length = to - from + 1;
  const unused: Buffer[] = [];
  const readAll = pieces(file, from, length, unused);
  try {
    if (length <= SHORT_BYTES) return [(await readAll.next()).value ?? ''];
    await (await openUnchanged(file)).close();
  } catch {
    context.exportLost(file.path);
    throw gone(context, file.dataset);
  } finally {
    await readAll.return();
  }
  return {
    length,
    chunks: () => pieces(file, from, length, unused),
    onSent: piece => unused.push(piece),
  };
}

/**
 * The file is open while its bytes are sent, and not while the response waits for its turn. The next piece is read while one is sent;
 * pieces get the memory of `unused` ones.
 */
async function* pieces(
  file: ExportFile,
  from: number,
  length: number,
  unused: Buffer[],
): AsyncGenerator<Buffer, void, undefined> {
  const handle = await openUnchanged(file);
  const pieceAt = (sent: number) => {
    const size = Math.min(PIECE_BYTES, length - sent);
    const buffer = unused.pop() ?? Buffer.allocUnsafe(size);
    return read(handle, from + sent, buffer.subarray(0, size));
  };
  try {
    let next = pieceAt(0);
    for (let sent = 0; sent < length; sent += PIECE_BYTES) {
      const piece = await next;
      if (sent + PIECE_BYTES < length) next = pieceAt(sent + PIECE_BYTES);
      // It is not waited for if the client disconnects.
      next.catch(() => {});
      // Bytes that were changed while they were read must not complete a response that states their digest.
      if (sent + PIECE_BYTES >= length) await requireUnchanged(handle, file);
      yield piece;
    }
  } finally {
    await handle.close();
  }
}

/** Fails for a file that was removed, or is not the one that was compared with its digest. */
async function openUnchanged(file: ExportFile): Promise<FileHandle> {
  const handle = await openPlain(file.path);
  try {
    await requireUnchanged(handle, file);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function requireUnchanged(handle: FileHandle, { stamp }: ExportFile): Promise<void> {
  if (stampOf(await handle.stat({ bigint: true })) !== stamp) throw new Error('an export file was changed');
}

async function read(handle: FileHandle, position: number, buffer: Buffer): Promise<Buffer> {
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
  if (bytesRead < buffer.length) throw new Error('an export file is shorter than it was');
  return buffer;
}

function unsatisfiable({ bytes }: ExportFile): ApiError {
  return new ApiError('range_not_satisfiable', `The file has ${bytes} bytes, and the range begins after its end.`, {
    hint: 'Request a range within the file.',
    headers: { 'Content-Range': `bytes */${bytes}` },
  });
}
