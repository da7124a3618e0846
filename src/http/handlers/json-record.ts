// One JSON record as a response: with an ETag of its content, 304 for a client that has it, compressed when asked for.

import type { ServiceContext } from '../context.ts';
import type { Answer, ApiRequest } from '../wire/answer.ts';
import { matches, weakTag } from '../wire/conditional.ts';
import { encoded } from '../wire/encoding.ts';
import { headerLines } from '../wire/head.ts';
import { dataHeaders } from './readiness.ts';

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
): Answer | Promise<Answer> {
  const tag = tagOf(body);
  const cacheControl = `private, max-age=${context.maxAgeSeconds}`;
  const vary = 'Accept-Encoding, Authorization, X-API-Key';
  const own = dataHeaders(context, version) + headerLines('cache-control', cacheControl, 'vary', vary, 'etag', tag);
  if (matches(headers['if-none-match'], tag)) return { status: 304, headers: own, body: null };
  const described = own + headerLines('content-type', 'application/json; charset=utf-8');
  return encoded({ status: 200, headers: described, body: [body] }, headers['accept-encoding']?.toString(), tag);
}
