// The client process of the streams benchmark: opens many streams and notes when the last byte of each event arrives. It shares the
// machine with the server, so it reads into one buffer and looks only at the version and the last bytes of each read.

import { connect } from 'node:net';

export interface SubscriberOptions {
  readonly port: number;
  readonly paths: readonly string[];
  readonly count: number;
  readonly apiKey: string;
  /** How many local addresses to connect from, `127.0.0.1` first: the server limits the connections per address. */
  readonly addresses: number;
}

/** To the parent: all streams have begun; or, per version, the times of arrival in milliseconds since 1970. */
export type FromSubscribers =
  | { readonly kind: 'open' }
  | { readonly kind: 'arrivals'; readonly byVersion: readonly (readonly [version: number, at: readonly number[]])[] };

/** From the parent: what to open; then that it wants the arrivals. */
export type ToSubscribers = SubscriberOptions | 'report';

const AT_ONCE = 200;
const EVENT_START = Buffer.from('event: changes\nid: ');
const LINE_FEED = 10;
const DIGIT_0 = 48;
const buffer = Buffer.allocUnsafe(64 * 1024);
const arrivals = new Map<number, number[]>();

process.on('message', async (message: ToSubscribers) => {
  if (message === 'report') {
    process.send?.({ kind: 'arrivals', byVersion: [...arrivals] } satisfies FromSubscribers);
    return;
  }
  for (let i = 0; i < message.count; i += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, message.count - i) }, (_, k) => open(message, i + k)));
  }
  process.send?.({ kind: 'open' } satisfies FromSubscribers);
});

/** Resolves when the first event has arrived. */
function open({ port, paths, apiKey, addresses }: SubscriberOptions, i: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let hasBegun = false;
    let version = 0;
    const read = (bytes: number): boolean => {
      if (startsEvent(bytes)) version = versionAt(EVENT_START.length);
      // An event of a few kilobytes may come in several pieces.
      if (buffer[bytes - 1] !== LINE_FEED || buffer[bytes - 2] !== LINE_FEED) return true;
      if (hasBegun) note(version);
      hasBegun = true;
      resolve();
      return true;
    };
    const localAddress = `127.0.0.${1 + (i % addresses)}`;
    const socket = connect({ port, host: '127.0.0.1', localAddress, onread: { buffer, callback: read } });
    socket.write(`GET ${paths[i % paths.length]} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${apiKey}\r\n\r\n`);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a stream')));
  });
}

function startsEvent(bytes: number): boolean {
  return bytes > EVENT_START.length && buffer.compare(EVENT_START, 0, EVENT_START.length, 0, EVENT_START.length) === 0;
}

function versionAt(start: number): number {
  let version = 0;
  for (let at = start; buffer[at] !== LINE_FEED; at++) version = 10 * version + buffer[at]! - DIGIT_0;
  return version;
}

function note(version: number): void {
  const at = arrivals.get(version);
  if (at === undefined) arrivals.set(version, [Date.now()]);
  else at.push(Date.now());
}
