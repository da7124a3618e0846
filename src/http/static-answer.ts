// Answers that never change while the service runs: made once, compressed once for each encoding, validated by an ETag.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { matches, weakTag } from './conditional.ts';
import { COMPRESS_FROM_BYTES, chooseEncoding, compress, type Encoding } from './encoding.ts';

export interface StaticAnswer {
  readonly contentType: string;
  /** Asked once, at the first request. */
  readonly body: () => Buffer | Promise<Buffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Long enough for a visit, short enough that an update of the service is seen the same hour. */
const MAX_AGE_SECONDS = 600;

export function staticHandler({ contentType, body, headers = {} }: StaticAnswer) {
  const encoded = new Map<Encoding, Promise<Buffer>>();
  const made = once(async () => {
    const bytes = await body();
    return { bytes, tag: weakTag(bytes.toString('latin1')), compressible: bytes.length >= COMPRESS_FROM_BYTES };
  });

  return async function staticAnswer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { bytes, tag, compressible } = await made();
    reply.headers({
      ...headers,
      etag: tag,
      'cache-control': `public, max-age=${MAX_AGE_SECONDS}`,
      vary: 'Accept-Encoding',
    });
    if (matches(request.headers['if-none-match'], tag)) return reply.code(304).send();
    reply.header('content-type', contentType);
    const encoding = compressible ? chooseEncoding(request.headers['accept-encoding']?.toString()) : 'identity';
    if (encoding === 'identity') return reply.send(bytes);
    const ready = encoded.get(encoding) ?? compress(bytes, encoding);
    encoded.set(encoding, ready);
    return reply.header('content-encoding', encoding).send(await ready);
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
