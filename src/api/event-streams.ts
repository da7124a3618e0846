// What the streams have in common: their headers, and whose stream it is.

import { StreamPlaces } from '../access/stream-places.ts';
import type { Answer, ApiRequest, EventStream } from '../http/wire/answer.ts';
import { headerLines } from '../http/wire/head.ts';
import { networkOf } from '../http/wire/network.ts';
import { clientAddress } from '../http/wire/trusted-proxy.ts';
import type { StreamClient } from '../stream/streams.ts';
import type { ServiceContext } from './context.ts';
import { dataHeaders } from './served-snapshot.ts';

/** Compression would hold events back until a block is full, and so would proxies that store responses. */
const STREAM_HEADERS = headerLines(
  'content-type',
  'text/event-stream',
  'cache-control',
  'no-store, no-transform',
  'x-accel-buffering',
  'no',
);

export function streamClient(context: ServiceContext, { key, tier, headers, socket }: ApiRequest): StreamClient {
  if (key !== null) return { key, limit: tier.streams, place: context.slotOf(key) };
  const address = clientAddress(context, headers, socket.remoteAddress);
  return { key, limit: tier.streams, place: StreamPlaces.ofAddress(networkOf(address)) };
}

/** `version`: of the snapshot that it begins with. */
export function streamAnswer(
  context: ServiceContext,
  version: number,
  headers: string,
  open: EventStream['open'],
): Answer {
  return { status: 200, headers: dataHeaders(context, version) + STREAM_HEADERS + headers, body: { open } };
}
