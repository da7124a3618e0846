// One JSON record as a response: with an ETag of its content, 304 for a client that has it, compressed when asked for.

import type { Answer, ApiRequest } from '../http/wire/answer.ts';
import { matches, weakTag } from '../http/wire/conditional.ts';
import { headerLines } from '../http/wire/head.ts';
import type { ServiceContext } from './context.ts';
import { dataHeaders } from './served-snapshot.ts';

/** Of records that are cached. */
const tags = new WeakMap<Buffer, string>();

function tagOf(body: Buffer): string {
  const known = tags.get(body);
  if (known !== undefined) return known;
  const tag = weakTag(body.toString('latin1'));
  tags.set(body, tag);
  return tag;
}

/** `version` is that of the publication that the record was read from. */
export function jsonRecord(
  context: ServiceContext,
  { headers }: Pick<ApiRequest, 'headers'>,
  body: Buffer,
  version: number,
): Answer {
  const tag = tagOf(body);
  const cacheControl = `private, max-age=${context.maxAgeSeconds}`;
  const vary = 'Accept-Encoding, Authorization, X-API-Key';
  const own = dataHeaders(context, version) + headerLines('cache-control', cacheControl, 'vary', vary, 'etag', tag);
  if (matches(headers['if-none-match'], tag)) return { status: 304, headers: own, body: null };
  const described = own + headerLines('content-type', 'application/json; charset=utf-8');
  return { status: 200, headers: described, body: [body], compressAs: tag };
}
