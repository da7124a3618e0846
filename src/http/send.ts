// Sends a finished body, compressed when the client takes it and it is worth it.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { COMPRESS_FROM_BYTES, chooseEncoding, compress } from './encoding.ts';

export async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  contentType: string,
  body: Buffer,
): Promise<FastifyReply> {
  reply.header('content-type', contentType);
  if (!reply.hasHeader('vary')) reply.header('vary', 'Accept-Encoding');
  if (body.length < COMPRESS_FROM_BYTES) return reply.send(body);
  const encoding = chooseEncoding(request.headers['accept-encoding']?.toString());
  if (encoding === 'identity') return reply.send(body);
  reply.header('content-encoding', encoding);
  return reply.send(await compress(body, encoding));
}
