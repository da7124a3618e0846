// Sends a stream of events, which ends when the client or the server ends it.
//
// The end of the connection is the end of the body. Without chunks around each event, the bytes of an event are the same for all
// clients, and go to the socket as they are.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { cutOff } from './protection/slow-readers.ts';
import type { EventStream, Sink } from './wire/answer.ts';
import { type Head, setHead } from './wire/head.ts';

/**
 * Returns the bytes of the body when the connection has closed. Throws, before anything is sent, if the client has too many
 * streams.
 */
export function sendEvents(
  response: ServerResponse,
  head: Head,
  idleSeconds: number,
  { open }: EventStream,
): Promise<number> {
  const sink = new SocketSink(response);
  const { begin, closed } = open(sink);
  response.shouldKeepAlive = false;
  response.useChunkedEncodingByDefault = false;
  setHead(response, head, idleSeconds);
  response.flushHeaders();
  const ended = new Promise<number>(resolve =>
    response.once('close', () => {
      closed();
      resolve(sink.bytes);
    }),
  );
  begin();
  return ended;
}

const NOTHING = Buffer.alloc(0);

class SocketSink implements Sink {
  readonly #response: ServerResponse;
  readonly #socket: Socket;
  bytes = 0;

  constructor(response: ServerResponse) {
    this.#response = response;
    this.#socket = response.req.socket;
  }

  get isOpen(): boolean {
    return this.#socket.writable && !this.#response.writableEnded;
  }

  write(bytes: Buffer, onSent: () => void): number {
    this.bytes += bytes.length;
    this.#socket.write(bytes);
    const left = this.#socket.writableLength;
    // A callback costs a turn of the queue and garbage, and most writes are done at once; one of nothing comes after those that are not.
    if (left > 0) this.#socket.write(NOTHING, onSent);
    return left;
  }

  end(bytes: Buffer): void {
    this.bytes += bytes.length;
    this.#response.end(bytes);
  }

  cut(): void {
    cutOff(this.#socket);
  }
}
