// The head of an answer, as one text. Most of its lines are the same from one answer to the next, so they are put together and
// checked once; `writeHead` would check and write every line of every answer anew, which is a sixth of the time of a small one.

import type { ServerResponse } from 'node:http';
import { STATUS_CODES } from './node-http.ts';

/** Lines of a head, each with its end, made by `headerLines`. */
export type HeaderLines = string;

/** Anything else could end the line, and begin one that is not ours (RFC 9110 5.5). */
const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]/;

/** Names, which are ours, and values in turn. */
export function headerLines(...namesAndValues: readonly (string | number)[]): HeaderLines {
  let lines = '';
  for (let i = 0; i < namesAndValues.length; i += 2) {
    const value = namesAndValues[i + 1]!;
    if (typeof value === 'string' && FORBIDDEN.test(value)) {
      throw new Error(`the header ${namesAndValues[i]} would hold a forbidden character: ${JSON.stringify(value)}`);
    }
    lines += `${namesAndValues[i]}: ${value}\r\n`;
  }
  return lines;
}

/**
 * Where `writeHead` leaves the head until the first bytes of the body, or the end, take it along; and whether the line is closed
 * after this answer. Node has no public way to set them.
 */
interface HeadOf {
  _header: string | null;
  _last: boolean;
}

export interface Head {
  readonly status: number;
  readonly lines: HeaderLines;
  /** Of the body; `unknown` where it is made while it is sent, null where there is none. */
  readonly length: number | 'unknown' | null;
  /** The beginning of the body, as a byte string: it leaves with the head. */
  readonly start?: string;
}

/** `idleSeconds`: how long the line stays open for another request. */
export function setHead(
  response: ServerResponse,
  { status, lines, length, start = '' }: Head,
  idleSeconds: number,
): void {
  let head = statusLine(status) + lines;
  const { useChunkedEncodingByDefault: mayChunk, req } = response;
  const chunked = length === 'unknown' && mayChunk && req.method !== 'HEAD';
  // To HTTP/1.0, the end of the line is the end of a body whose length nobody tells.
  const stays = response.shouldKeepAlive && (typeof length === 'number' || mayChunk);
  if (chunked) head += 'transfer-encoding: chunked\r\n';
  else if (typeof length === 'number') head += `content-length: ${length}\r\n`;
  head += stays ? `connection: keep-alive\r\nkeep-alive: timeout=${idleSeconds}\r\n` : 'connection: close\r\n';
  response.statusCode = status;
  response.chunkedEncoding = chunked;
  const raw = response as ServerResponse & HeadOf; // see there
  raw._header = `${head}date: ${dateText()}\r\n\r\n${start}`;
  raw._last = !stays;
}

const statusLines = new Map<number, string>();

function statusLine(status: number): string {
  const known = statusLines.get(status);
  if (known !== undefined) return known;
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n`;
  statusLines.set(status, line);
  return line;
}

let second = 0;
let secondText = '';

/** Made once a second. */
function dateText(): string {
  const now = Date.now();
  const asked = Math.floor(now / 1000);
  if (asked !== second) [second, secondText] = [asked, new Date(now).toUTCString()];
  return secondText;
}
