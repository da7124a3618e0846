// Documents: answers that are the same for every client. Each is made and compressed once per content and coding, however many
// clients ask for it, so that no route without an API key can be made to work or to allocate per request.

import { shared } from '../common/shared-promise.ts';
import type { Answer, Handler } from './wire/answer.ts';
import { matches, weakTag } from './wire/conditional.ts';
import { COMPRESS_FROM_BYTES, chooseEncoding, compress, ENCODINGS, type Encoding } from './wire/encoding.ts';
import { type HeaderLines, headerLines } from './wire/head.ts';

export interface Document {
  readonly contentType: string;
  /** Called at the first request. */
  readonly body: () => Buffer | Promise<Buffer>;
  readonly headers?: HeaderLines;
  readonly cacheControl?: string;
  /** Milliseconds after which the body is made again; without it, never. Clients may not keep a body that changes. */
  readonly remakeAfterMs?: number;
  /** The body is made again once this text is another one. */
  readonly state?: () => string;
}

/** Long enough for a visit, short enough that an update of the service is seen within the hour. */
const FOR_A_VISIT = 'public, max-age=600';

/** Of a page that a browser shows. `Strict-Transport-Security` is for the proxy to send, which has the certificate. */
export function pageHeaders(contentSecurityPolicy: string): HeaderLines {
  return headerLines(
    'content-security-policy',
    contentSecurityPolicy,
    'referrer-policy',
    'same-origin',
    'cross-origin-opener-policy',
    'same-origin',
  );
}

interface Rendition {
  /** Of all answers, 304 included. */
  readonly headers: HeaderLines;
  /** Null if the body changes. */
  readonly tag: string | null;
  readonly inEncoding: Readonly<Record<Encoding, () => Promise<Answer>>>;
}

export function documentHandler(document: Document): Handler {
  const { remakeAfterMs, body, state = () => '' } = document;
  const made = () => ({
    state: state(),
    rendition: shared(async () => render(document, await body()), remakeAfterMs),
  });
  let newest: ReturnType<typeof made> | null = null;
  return async ({ headers }) => {
    if (newest?.state !== state()) newest = made();
    const { headers: own, tag, inEncoding } = await newest.rendition();
    if (tag !== null && matches(headers['if-none-match'], tag)) return { status: 304, headers: own, body: null };
    return inEncoding[chooseEncoding(headers['accept-encoding']?.toString())]();
  };
}

function render({ contentType, headers = '', cacheControl, remakeAfterMs }: Document, bytes: Buffer): Rendition {
  const tag = remakeAfterMs === undefined ? weakTag(bytes.toString('latin1')) : null;
  const validity =
    tag === null
      ? headerLines('cache-control', 'no-store', 'vary', 'Accept-Encoding')
      : headerLines('etag', tag, 'cache-control', cacheControl ?? FOR_A_VISIT, 'vary', 'Accept-Encoding');
  const own = headers + validity;
  const described = own + headerLines('content-type', contentType);
  const whole = Promise.resolve({ status: 200, headers: described, body: [bytes] });
  const compressed = (encoding: Encoding) =>
    shared(async () => ({
      status: 200,
      headers: described + headerLines('content-encoding', encoding),
      body: [await compress(bytes, encoding)],
    }));
  const isLong = bytes.length >= COMPRESS_FROM_BYTES;
  const answers = ENCODINGS.map(encoding => [
    encoding,
    isLong && encoding !== 'identity' ? compressed(encoding) : () => whole,
  ]);
  return { headers: own, tag, inEncoding: Object.fromEntries(answers) };
}
