// Responses in the shapes of other services: a record, which is cached until the next publication, or a long list, which is
// rendered while it is sent.

import { responseSize } from '../../common/byte-cache.ts';
import { VersionedCache } from '../../common/versioned-cache.ts';
import type { Answer, ApiRequest } from '../../http/wire/answer.ts';
import { matches, weakTag } from '../../http/wire/conditional.ts';
import { headerLines } from '../../http/wire/head.ts';
import type { Snapshot } from '../../snapshot/table.ts';
import { CACHE_SHARES } from '../cache-shares.ts';
import { perContext, type ServiceContext } from '../context.ts';
import { JSON_TYPE, jsonRecord, recordHeaders } from '../json-record.ts';

const VARY = 'Accept-Encoding, Authorization, X-API-Key, x-cg-demo-api-key, x-cg-pro-api-key';

const recordsOf = perContext(({ cacheBytes }) => new VersionedCache<Buffer>(CACHE_SHARES.compat * cacheBytes));

/** `name`: different for any two records of a snapshot. `make` gives a value or its JSON, if no request has asked for the record before. */
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
  const body = found ?? jsonOf(await make());
  if (found === undefined) kept.set(key, body, responseSize(key, body.length));
  return jsonRecord(context, request, body, version, VARY);
}

function jsonOf(value: unknown): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value));
}

/** Entries per piece of a long list. */
const PIECE = 100;

/** An array of `length` entries, of which only a piece is in memory at a time. `limit`: that of the tier, if it applies. */
export function streamedList(
  context: ServiceContext,
  { headers }: ApiRequest,
  { fingerprint, version }: Snapshot,
  name: readonly unknown[],
  length: number,
  entryAt: (i: number) => object | null,
  limit: number | null = null,
): Answer {
  const tag = weakTag(fingerprint, JSON.stringify(name));
  const applied = limit === null ? '' : headerLines('x-limit-applied', limit);
  const own = recordHeaders(context, version, VARY, tag) + applied;
  if (matches(headers['if-none-match'], tag)) return { status: 304, headers: own, body: null };
  function* chunks(): Generator<Buffer, void, undefined> {
    let separator = '[';
    for (let from = 0; from < length; from += PIECE) {
      let text = '';
      for (let i = from; i < Math.min(length, from + PIECE); i++) {
        const entry = entryAt(i);
        if (entry === null) continue;
        text += separator + JSON.stringify(entry);
        separator = ',';
      }
      if (text !== '') yield Buffer.from(text);
    }
    yield Buffer.from(separator === '[' ? '[]' : ']');
  }
  return { status: 200, headers: own + JSON_TYPE, body: { chunks }, compressAs: tag };
}
