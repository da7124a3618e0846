// Content codings: which one a client accepts, and compression.

import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { ByteCache, responseSize } from '../../common/byte-cache.ts';
import { Slots } from '../../common/slots.ts';
import { acceptWeights } from './accept.ts';
import { type Answer, isEventStream, isStream, type Piece, type Stream } from './answer.ts';
import { headerLines } from './head.ts';

export type Encoding = 'br' | 'zstd' | 'gzip' | 'identity';

/** Smaller bodies are not compressed: it would save less than it costs. */
export const COMPRESS_FROM_BYTES = 1024;

const BROTLI = { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 };

/**
 * Window of an encoder for streamed responses: 128 kB. It holds a multiple of that in memory while the client reads; with its
 * default window, brotli would hold 18 MB. Neighbouring rows are similar, so the smaller window compresses as well.
 */
const WINDOW_BITS = 17;
const STREAMED_BROTLI = { ...BROTLI, [zlib.constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS };
const STREAMED_ZSTD = { [zlib.constants.ZSTD_c_windowLog]: WINDOW_BITS };

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
const zstd = promisify(zlib.zstdCompress);

/** In the order of preference: zstd makes nearly brotli's sizes in a fraction of its time. */
const OFFERED = ['zstd', 'br', 'gzip'] as const;
export const ENCODINGS: readonly Encoding[] = [...OFFERED, 'identity'];

/** The best of what `Accept-Encoding` allows (RFC 9110 12.5.3). `*` stands for gzip, which every client can decode. */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined || acceptEncoding === '') return 'identity';
  const weights = acceptWeights(acceptEncoding);
  let best: Encoding = 'identity';
  let bestWeight = weights.get('identity') ?? 0;
  for (const coding of OFFERED) {
    const weight = weights.get(coding) ?? (coding === 'gzip' ? weights.get('*') : undefined) ?? 0;
    if (weight > 0 && (best === 'identity' ? weight >= bestWeight : weight > bestWeight))
      [best, bestWeight] = [coding, weight];
  }
  return best;
}

/** Per thread. Each holds some 400 kB while it runs; more at once would take the processor from the event loop. */
const compressing = new Slots(2);

/** Per thread: compressed bodies by coding and name, so that many requests for one page cost one compression. */
const RECENT_BYTES = 4 * 2 ** 20;
const recent = new ByteCache<Buffer>(RECENT_BYTES);
const underWay = new Map<string, Promise<Buffer>>();

export function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  switch (encoding) {
    case 'br':
      return brotli(body, { params: BROTLI });
    case 'zstd':
      return zstd(body);
    case 'gzip':
      return gzip(body);
    case 'identity':
      return Promise.resolve(body);
  }
}

/** For a streamed response; null for `identity`. */
function encoderFor(encoding: Encoding): Transform | null {
  switch (encoding) {
    case 'br':
      return zlib.createBrotliCompress({ params: STREAMED_BROTLI });
    case 'zstd':
      return zlib.createZstdCompress({ params: STREAMED_ZSTD });
    case 'gzip':
      return zlib.createGzip();
    case 'identity':
      return null;
  }
}

/** The answer with its body compressed, if the answer allows it, the client accepts it, and the body is long enough. */
export function encoded(answer: Answer, acceptEncoding: string | string[] | undefined): Answer | Promise<Answer> {
  const { body, compressAs: name } = answer;
  if (acceptEncoding === undefined || name === undefined || body === null || isEventStream(body)) return answer;
  const encoding = isShort(body) ? 'identity' : chooseEncoding(acceptEncoding.toString());
  if (encoding === 'identity') return answer;
  const headers = answer.headers + headerLines('content-encoding', encoding);
  if (isStream(body)) return { ...answer, headers, body: { ...body, encoder: () => encoderFor(encoding) } };
  const key = `${encoding} ${name}`;
  const known = recent.get(key);
  if (known !== undefined) return { ...answer, headers, body: [known] };
  return compressedOnce(key, body, encoding).then(compressed => ({ ...answer, headers, body: [compressed] }));
}

function isShort(body: Stream | readonly Piece[]): boolean {
  return !isStream(body) && body.reduce((sum, piece) => sum + piece.length, 0) < COMPRESS_FROM_BYTES;
}

/** A result of zlib may be a small part of a larger piece of memory, all of which is kept with it. */
function withOwnMemory(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}

function compressedOnce(key: string, body: readonly Piece[], encoding: Encoding): Promise<Buffer> {
  const shared = underWay.get(key);
  if (shared !== undefined) return shared;
  const made = compressing
    .run(() => {
      // Put together only when it is its turn: until then it is the bytes of a cached page.
      const pieces = body.map(piece => (typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece));
      return compress(Buffer.concat(pieces), encoding);
    })
    .then(bytes => {
      const kept = withOwnMemory(bytes);
      recent.set(key, kept, responseSize(key, kept.length));
      return kept;
    })
    .finally(() => underWay.delete(key));
  underWay.set(key, made);
  return made;
}
