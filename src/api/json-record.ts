// One JSON object as a response. A record has an ETag of its content, is 304 for a client that has it, and is compressed when asked for.

import type { Answer, ApiRequest } from '../http/wire/answer.ts';
import { matches, weakTag } from '../http/wire/conditional.ts';
import { type HeaderLines, headerLines } from '../http/wire/head.ts';
import type { ServiceContext } from './context.ts';
import { dataHeaders } from './served-snapshot.ts';

export const JSON_TYPE = headerLines('content-type', 'application/json; charset=utf-8');
/** Of records that are cached. */
const tags = new WeakMap<Buffer, string>();

function tagOf(body: Buffer): string {
  const known = tags.get(body);
  if (known !== undefined) return known;
  const tag = weakTag(body.toString('latin1'));
  tags.set(body, tag);
  return tag;
}

/** `version` is that of the publication that the record was read from; `vary`: the headers on which it depends. */
export function jsonRecord(
  context: ServiceContext,
  { headers }: Pick<ApiRequest, 'headers'>,
  body: Buffer,
  version: number,
  vary: string = 'Accept-Encoding, Authorization, X-API-Key',
): Answer {
  const tag = tagOf(body);
  const own = recordHeaders(context, version, vary, tag);
  if (matches(headers['if-none-match'], tag)) return { status: 304, headers: own, body: null };
  return { status: 200, headers: own + JSON_TYPE, body: [body], compressAs: tag };
}

export function recordHeaders(context: ServiceContext, version: number, vary: string, tag: string): HeaderLines {
  const cacheControl = `private, max-age=${context.maxAgeSeconds}`;
  return dataHeaders(context, version) + headerLines('cache-control', cacheControl, 'vary', vary, 'etag', tag);
}

/** A small JSON object as the answer of a probe. */
export function probeAnswer(status: number, value: object, headers: HeaderLines = ''): Answer {
  return { status, headers: headers + JSON_TYPE, body: [Buffer.from(JSON.stringify(value))] };
}
