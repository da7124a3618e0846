// The handlers of `export/{dataset}.parquet`, which redirects to the file of the current publication, and of the file itself.

import type { FileHandle } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { openPlain } from '../../common/plain-file.ts';
import { DATASETS, type DatasetName } from '../../domain/datasets.ts';
import { ApiError, clipped, quoted } from '../../errors.ts';
import type { ExportFailure, ExportRequest } from '../../export/export-files.ts';
import { type ExportFile, stampOf, versionOf } from '../../export/export-folder.ts';
import { SIGNATURE } from '../authentication/link-signature.ts';
import type { ServiceContext } from '../context.ts';
import type { Answer, ApiRequest, Handler, Stream } from '../wire/answer.ts';
import { matches } from '../wire/conditional.ts';
import { headerLines } from '../wire/head.ts';
import { type ByteRange, requestedRange } from '../wire/ranges.ts';
import { dataHeaders, requireSnapshot } from './readiness.ts';

export const PARQUET_TYPE = 'application/vnd.apache.parquet';
const EXTENSION = '.parquet';
/** A server that is behind another one gets the newer publication within this time. */
const PATIENCE_MS = 2000;
const RETRY_MS = 100;
/** How long a request waits for a file that is being made. Less than a response may take. */
const WAIT_MS = 20_000;
/** Shorter parts are read at once and sent together with the head. */
const SHORT_BYTES = 64 * 2 ** 10;
const PIECE_BYTES = 256 * 2 ** 10;
/** The content of the address never changes. */
const FOREVER = 'private, max-age=31536000, immutable';

/** `rest` of the request: `ta-cur.parquet`. */
export function exportRedirectHandler(context: ServiceContext): Handler {
  return async request => {
    const dataset = requireDataset(context, request.rest);
    requireRight(request);
    refuseOtherParameters(request.query);
    requireSnapshot(context);
    const file = await madeFile(context, { dataset, name: null });
    const { name } = file;
    const path = `${exportPath(context, dataset)}/${name}${EXTENSION}`;
    const query = request.sign === null ? '' : `?${request.sign(path)}`;
    const location = `${context.publicUrl ?? ''}${path}${query}`;
    if (mayMixVersions(request, file)) throw rangeNeedsVersion(file, location);
    const headers = headerLines('location', location, 'cache-control', `private, max-age=${context.maxAgeSeconds}`);
    return { status: 307, headers: dataHeaders(context, versionOf(name)) + headers, body: [''] };
  };
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

/** `rest` of the request: `ta-cur/1794813114186-fingerprint.parquet`. */
export function exportFileHandler(context: ServiceContext): Handler {
  return async request => {
    const slash = request.rest.indexOf('/');
    const dataset = requireDataset(context, request.rest.slice(0, slash) + EXTENSION);
    requireRight(request);
    refuseOtherParameters(request.query);
    const name = request.rest.slice(slash + 1);
    if (!/^\d{1,16}-[\w-]{10}\.parquet$/.test(name)) throw gone(context, dataset);
    const file = await settledFile(context, dataset, name.slice(0, -EXTENSION.length));
    return fileAnswer(context, request, file);
  };
}

async function settledFile(context: ServiceContext, dataset: DatasetName, name: string): Promise<ExportFile> {
  const patient = performance.now() + PATIENCE_MS;
  while (versionOf(name) > requireSnapshot(context).version && performance.now() < patient) await wait(RETRY_MS);
  return madeFile(context, { dataset, name });
}

async function madeFile(context: ServiceContext, request: ExportRequest): Promise<ExportFile> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'pending'>(resolve => {
    timer = setTimeout(resolve, WAIT_MS, 'pending');
  });
  const found = await Promise.race([context.exportFile(request), late]).finally(() => clearTimeout(timer));
  return requireFile(context, request.dataset, found);
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
      `attachment; filename="${context.group}-${file.dataset}-${file.name}${EXTENSION}"`,
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
  return { length: bytes, chunks: () => [], encoder: () => null };
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
    handedOver: piece => unused.push(piece),
    encoder: () => null,
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

function exportPath({ group }: ServiceContext, dataset: DatasetName): string {
  return `/v1/${group}/export/${dataset}`;
}

function requireDataset(context: ServiceContext, file: string): DatasetName {
  const found = DATASETS.find(({ name }) => `${name}${EXTENSION}` === file);
  if (found !== undefined) return found.name;
  const paths = DATASETS.map(({ name }) => `${exportPath(context, name)}${EXTENSION}`);
  throw new ApiError('not_found', 'There is no such export.', { hint: `There are ${paths.join(', ')}.` });
}

function requireRight({ tier }: ApiRequest): void {
  if (tier.export) return;
  throw new ApiError('not_in_tier', `The tier ${tier.name} does not include exports.`, {
    hint: 'Request the listing page by page, or ask the operator for a tier with exports.',
  });
}

function refuseOtherParameters(query: string): void {
  for (const pair of query.split('&')) {
    const name = pair.split('=', 1)[0] ?? '';
    if (name === '' || name === 'api_key' || name === SIGNATURE) continue;
    throw new ApiError('unknown_parameter', `There is no parameter ${quoted(name)} here.`, {
      param: clipped(name),
      hint: 'An export is the whole dataset; the listing takes filters.',
    });
  }
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

function gone(context: ServiceContext, dataset: DatasetName): ApiError {
  return new ApiError('export_gone', 'The server does not have the file of this version.', {
    hint: `${exportPath(context, dataset)}${EXTENSION} redirects to the current version.`,
  });
}

function unsatisfiable({ bytes }: ExportFile): ApiError {
  return new ApiError('range_not_satisfiable', `The file has ${bytes} bytes, and the range begins after its end.`, {
    hint: 'Request a range within the file.',
    headers: { 'Content-Range': `bytes */${bytes}` },
  });
}
