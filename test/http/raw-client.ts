// HTTP/1.1 over bare sockets: requests are bytes of the test's own making, and answers are read without mercy.

import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** A server that says nothing for this long hangs. */
const SILENCE_MS = 10_000;

/** Reads answers from bytes as they arrive. */
export class AnswerReader {
  #bytes: Buffer = Buffer.alloc(0);

  add(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
  }

  /** Null until the whole answer is there. */
  next(toHead: boolean): RawAnswer | null {
    const end = this.#bytes.indexOf('\r\n\r\n');
    if (end < 0) return null;
    const [statusLine = '', ...lines] = this.#bytes.toString('latin1', 0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) [\w -]+$/.exec(statusLine)?.[1] ?? assert.fail(statusLine));
    const headers = new Map(lines.map(headerOf));
    const length = bodyLength(status, headers, toHead);
    const from = end + 4;
    if (this.#bytes.length < from + length) return null;
    const body = this.#bytes.subarray(from, from + length);
    this.#bytes = this.#bytes.subarray(from + length);
    return { status, headers, body };
  }

  get left(): number {
    return this.#bytes.length;
  }
}

function headerOf(line: string): [string, string] {
  const [, name, value] = /^([!#$%&'*+.^`|~\w-]+): ?([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? assert.fail(line);
  return [name!.toLowerCase(), value!];
}

function bodyLength(status: number, headers: ReadonlyMap<string, string>, toHead: boolean): number {
  if (toHead || status === 204 || status === 304) return 0;
  const length = headers.get('content-length');
  return length !== undefined && /^\d+$/.test(length) ? Number(length) : assert.fail(`content-length: ${length}`);
}

/** One connection that is kept, with many requests on their way at once. */
export class Pipeline {
  readonly #port: number;
  #socket: Socket | null = null;

  constructor(port: number) {
    this.#port = port;
  }

  /** The answers in the order of the requests; fails when one does not come. */
  async send(requests: readonly { readonly bytes: Buffer; readonly toHead: boolean }[]): Promise<RawAnswer[]> {
    const socket = this.#socket ?? connect(this.#port, '127.0.0.1');
    this.#socket = socket;
    const answers: RawAnswer[] = [];
    await exchange(socket, Buffer.concat(requests.map(({ bytes }) => bytes)), reader => {
      while (answers.length < requests.length) {
        const answer = reader.next(requests[answers.length]!.toHead);
        if (answer === null) return false;
        answers.push(answer);
      }
      assert.equal(reader.left, 0, 'there are more bytes than answers');
      return true;
    });
    return answers;
  }

  close(): void {
    this.#socket?.destroy();
  }
}

/** Ends whatever was begun, and asks the server to close. */
const NEXT_REQUEST = Buffer.from('\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');

/** Everything that comes back for bytes that may be no request, or half of one. */
export async function sendAnything(port: number, bytes: Buffer): Promise<RawAnswer[]> {
  const socket = connect(port, '127.0.0.1');
  const answers: RawAnswer[] = [];
  const reader = await exchange(socket, Buffer.concat([bytes, NEXT_REQUEST]), null);
  for (let answer = reader.next(false); answer !== null; answer = reader.next(false)) answers.push(answer);
  assert.equal(reader.left, 0, 'the last answer is cut off');
  return answers;
}

/** Writes, then reads until `isDone`; without it, until the server closes. */
function exchange(
  socket: Socket,
  bytes: Buffer,
  isDone: ((reader: AnswerReader) => boolean) | null,
): Promise<AnswerReader> {
  const reader = new AnswerReader();
  return new Promise((resolve, reject) => {
    const settle = (error?: unknown) => {
      socket.removeAllListeners().setTimeout(0);
      socket.on('error', () => undefined); // whatever comes after the answers
      if (error === undefined) resolve(reader);
      else reject(error);
    };
    socket.setTimeout(SILENCE_MS, () => settle(new Error(`no answer for ${SILENCE_MS} ms`)));
    // A server that closes before it has read everything may be heard as a reset; what it said before counts.
    const saidEnough = () => isDone === null && reader.left > 0;
    socket.on('error', error => settle(saidEnough() ? undefined : error));
    socket.on('end', () => settle(isDone === null ? undefined : new Error('the server closed the connection')));
    socket.on('data', chunk => {
      reader.add(chunk);
      try {
        if (isDone?.(reader)) settle();
      } catch (error) {
        settle(error);
      }
    });
    socket.write(bytes);
  });
}
