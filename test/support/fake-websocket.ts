// A small WebSocket server (RFC 6455) for tests: text frames both ways, pings answered, connections that can be cut or left silent.

import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const [TEXT, CLOSE, PING, PONG] = [1, 8, 9, 10];

export class FakeSocket {
  readonly #stream: Duplex;

  constructor(stream: Duplex) {
    this.#stream = stream;
  }

  send(text: string): void {
    this.#frame(TEXT!, Buffer.from(text));
  }

  /** Without a closing frame, as a broken network does. */
  cut(): void {
    this.#stream.destroy();
  }

  pong(payload: Buffer): void {
    this.#frame(PONG!, payload);
  }

  #frame(kind: number, payload: Buffer): void {
    if (this.#stream.destroyed) return;
    const { length } = payload;
    const head =
      length < 126 ? Buffer.from([0x80 | kind, length]) : Buffer.from([0x80 | kind, 126, length >> 8, length & 255]);
    this.#stream.write(Buffer.concat([head, payload]));
  }
}

export interface FakeWebSocketServer {
  /** `ws://127.0.0.1:PORT`. */
  readonly url: string;
  readonly sockets: ReadonlySet<FakeSocket>;
  /** Connections ever made. */
  readonly connected: () => number;
  close(): Promise<void>;
}

export async function fakeWebSocketServer(
  onText: (socket: FakeSocket, text: string) => void,
): Promise<FakeWebSocketServer> {
  const sockets = new Set<FakeSocket>();
  let connected = 0;
  const server: Server = createServer();
  server.on('upgrade', (request, stream: Duplex) => {
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${MAGIC}`).digest('base64');
    stream.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    const socket = new FakeSocket(stream);
    connected++;
    sockets.add(socket);
    let rest = Buffer.alloc(0);
    stream.on('data', (piece: Buffer) => {
      rest = Buffer.concat([rest, piece]);
      for (let frame = frameOf(rest); frame !== null; frame = frameOf(rest)) {
        rest = rest.subarray(frame.end);
        if (frame.kind === TEXT) onText(socket, frame.payload.toString());
        else if (frame.kind === PING) socket.pong(frame.payload);
        else if (frame.kind === CLOSE) stream.end();
      }
    });
    stream.on('error', () => {});
    stream.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on TCP
    sockets,
    connected: () => connected,
    close() {
      for (const socket of sockets) socket.cut();
      server.closeAllConnections();
      return new Promise(closed => server.close(() => closed()));
    },
  };
}

/** The first frame of what a client sent, which is always masked; null if it is not there as a whole. */
function frameOf(bytes: Buffer): { kind: number; payload: Buffer; end: number } | null {
  if (bytes.length < 6) return null;
  const short = bytes[1]! & 127;
  const start = short === 126 ? 8 : short === 127 ? 14 : 6;
  if (bytes.length < start) return null;
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  const end = start + length;
  if (bytes.length < end) return null;
  const mask = bytes.subarray(start - 4, start);
  const payload = Buffer.from(bytes.subarray(start, end).map((byte, i) => byte ^ mask[i % 4]!));
  return { kind: bytes[0]! & 15, payload, end };
}
