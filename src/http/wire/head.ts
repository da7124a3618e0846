// Status line and headers of a response, written as one string. Most header lines are the same for many responses, so they are
// joined and checked once.

import type { ServerResponse } from 'node:http';
import { STATUS_CODES, setRawHead } from './node-internals.ts';

/** Header lines, each with its line break, made by `headerLines`. */
export type HeaderLines = string;

/** Any other character could end the line and begin a forged one (RFC 9110 5.5). */
const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]/;

/** Names and values in turn. */
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

export interface Head {
  readonly status: number;
  readonly lines: HeaderLines;
  /** Of the body; `unknown` if it is made while it is sent, null if there is none. */
  readonly length: number | 'unknown' | null;
  /** The beginning of the body, as a byte string: it is sent together with the head. */
  readonly start?: string;
}

/** `idleSeconds`: how long the connection stays open for another request. `internal`: see `setRawHead`. */
export function setHead(
  response: ServerResponse,
  { status, lines, length, start = '' }: Head,
  idleSeconds: number,
  internal?: boolean,
): void {
  const { useChunkedEncodingByDefault: mayChunk, req } = response;
  const chunked = length === 'unknown' && mayChunk && req.method !== 'HEAD';
  // For HTTP/1.0, the end of the connection is the end of a body of unknown length.
  const stays = response.shouldKeepAlive && (typeof length === 'number' || mayChunk);
  let all = lines;
  if (chunked) all += 'transfer-encoding: chunked\r\n';
  else if (typeof length === 'number') all += `content-length: ${length}\r\n`;
  all += stays ? `connection: keep-alive\r\nkeep-alive: timeout=${idleSeconds}\r\n` : 'connection: close\r\n';
  all += `date: ${dateText()}\r\n`;
  response.statusCode = status;
  response.chunkedEncoding = chunked;
  setRawHead(response, { status, statusLine: statusLine(status), lines: all, start, isLast: !stays }, internal);
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

/** Made once per second. */
function dateText(): string {
  const now = Date.now();
  const asked = Math.floor(now / 1000);
  if (asked !== second) [second, secondText] = [asked, new Date(now).toUTCString()];
  return secondText;
}
