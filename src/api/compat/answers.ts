// Responses in the shapes of other services: a record, which is cached until the next publication, or a list, which is rendered while it is
// sent if it is long.

import { responseSize } from '../../common/byte-cache.ts';
import type { Steps } from '../../common/steps.ts';
import { VersionedCache } from '../../common/versioned-cache.ts';
import type { Answer, ApiRequest } from '../../http/wire/answer.ts';
import { matches, weakTag } from '../../http/wire/conditional.ts';
import type { HeaderLines } from '../../http/wire/head.ts';
import type { Snapshot } from '../../snapshot/table.ts';
import { CACHE_SHARES } from '../cache-shares.ts';
import { perContext, type ServiceContext } from '../context.ts';
import { JSON_TYPE, jsonRecord, recordHeaders } from '../json-record.ts';

const VARY = 'Accept-Encoding, Authorization, X-API-Key, x-cg-demo-api-key, x-cg-pro-api-key';

const recordsOf = perContext(({ cacheBytes }) => new VersionedCache<Buffer>(CACHE_SHARES.compat * cacheBytes));

/** `name`: different for any two records of a snapshot. `make` gives its value, if no request has asked for the record before. */
export async function cachedRecord(
  context: ServiceContext,
  request: ApiRequest,
  { fingerprint, version }: Snapshot,
  name: readonly unknown[],
  make: () => unknown,
): Promise<Answer> {
  const kept = recordsOf(context).of(fingerprint);
  const key = JSON.stringify(name);
  const found = kept.get(key);
  const body = found ?? Buffer.from(JSON.stringify(await make()));
  if (found === undefined) kept.set(key, body, responseSize(key, body.length));
  return jsonRecord(context, request, body, version, VARY);
}

/** JSON in pieces, each of which takes well below a millisecond. */
export type Pieces = Generator<string, void, undefined>;

/** JSON with one list or several. */
interface Lists {
  /** Of the longest list, at most. */
  readonly entries: number;
  readonly pieces: () => Pieces;
}

/** Longer lists are rendered while they are sent, to bound memory; shorter ones are cached. */
const STREAM_FROM_ENTRIES = 500;

/** `name`: as of a record. `make` is called only if the client does not have the lists and the cache does not have them either. */
export async function answerLists(
  context: ServiceContext,
  request: ApiRequest,
  { fingerprint, version }: Snapshot,
  name: readonly unknown[],
  make: () => Lists | Promise<Lists>,
  more: HeaderLines = '',
): Promise<Answer> {
  const key = JSON.stringify(name);
  const tag = weakTag(fingerprint, key);
  const own = recordHeaders(context, version, VARY, tag) + more;
  if (matches(request.headers['if-none-match'], tag)) return { status: 304, headers: own, body: null };
  const ok = { status: 200, headers: own + JSON_TYPE, compressAs: tag };
  const kept = recordsOf(context).of(fingerprint);
  const found = kept.get(key);
  if (found !== undefined) return { ...ok, body: [found] };
  const { entries, pieces } = await make();
  if (entries > STREAM_FROM_ENTRIES) return { ...ok, body: { chunks: () => buffers(pieces()) } };
  const body = await request.run(joined(pieces()));
  kept.set(key, body, responseSize(key, body.length));
  return { ...ok, body: [body] };
}

function* buffers(pieces: Iterable<string>): Generator<Buffer, void, undefined> {
  for (const piece of pieces) yield Buffer.from(piece);
}

function* joined(pieces: Iterable<string>): Steps<Buffer> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    yield;
  }
  return Buffer.from(text);
}

/** A JSON array of the entries `from … to - 1`; those that are null are left out. `size`: entries per piece. */
export function* listPieces(
  from: number,
  to: number,
  textAt: (i: number) => string | null,
  size: number = 100,
): Pieces {
  let separator = '';
  let text = '[';
  for (let i = from; i < to; i++) {
    const entry = textAt(i);
    if (entry !== null) {
      text += separator + entry;
      separator = ',';
    }
    if ((i - from) % size !== size - 1) continue;
    if (text !== '') yield text;
    text = '';
  }
  yield `${text}]`;
}
