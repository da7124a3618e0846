// Opens many streams over few processes' worth of memory: bare sockets, of which only the end of each event is looked for. Prints, for
// each publication that its parent names, how long after the commit the last byte reached each subscriber.

import { connect } from 'node:net';

export interface SubscriberOptions {
  readonly port: number;
  readonly paths: readonly string[];
  readonly count: number;
  readonly apiKey: string;
  /** From `127.0.0.1` on: one address has a limited number of connections. */
  readonly addresses: number;
}

/** To the parent: all streams have begun; or the milliseconds since 1970 at which each received an event of this version. */
export type FromSubscribers =
  | { readonly kind: 'open' }
  | { readonly kind: 'received'; readonly version: number; readonly at: readonly number[] };

const AT_ONCE = 200;
const EVENT_END = Buffer.from('\n\n');

process.once('message', async (options: SubscriberOptions) => {
  const received = new Map<number, number[]>();
  let open = 0;
  const begin = (i: number) =>
    new Promise<void>((resolve, reject) => {
      const localAddress = `127.0.0.${1 + (i % options.addresses)}`;
      const socket = connect({ port: options.port, host: '127.0.0.1', localAddress });
      const path = options.paths[i % options.paths.length]!;
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${options.apiKey}\r\n\r\n`);
      let begun = false;
      let [version, counted] = [0, 0];
      socket.on('data', chunk => {
        const id = chunk.indexOf('\nid: ');
        if (id >= 0) version = Number(chunk.toString('latin1', id + 5, chunk.indexOf('\n', id + 5)));
        // An event of a few kilobytes may come in several pieces.
        if (!chunk.subarray(-2).equals(EVENT_END) || version === counted) return;
        counted = version;
        if (!begun) {
          begun = true;
          open++;
          resolve();
          return;
        }
        const at = received.get(version) ?? [];
        received.set(version, at);
        at.push(Date.now());
        if (at.length === options.count) process.send?.({ kind: 'received', version, at } satisfies FromSubscribers);
      });
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('the server closed a stream')));
    });
  for (let i = 0; i < options.count; i += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, options.count - i) }, (_, k) => begin(i + k)));
  }
  if (open === options.count) process.send?.({ kind: 'open' } satisfies FromSubscribers);
});
