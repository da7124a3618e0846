// Floods a server with pipelined requests over many connections, reads what comes back and throws it away; some connections never
// read. A process of its own, which reads its options as JSON from its input, ends when everything was answered or the time is over,
// and prints what it saw.

import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export interface FloodOptions {
  readonly port: number;
  /** Sent in turn by every connection. */
  readonly requests: readonly string[];
  readonly connections: number;
  /** Further connections, which send the same and never read. */
  readonly nonReaders: number;
  /** Requests per connection, all written at once. */
  readonly each: number;
  readonly millis: number;
}

export interface FloodResult {
  /** Answers per status, of those that were read. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly bytes: number;
  /** Connections that read, and that the server closed before all was answered. */
  readonly closed: number;
}

const STATUS = /HTTP\/1\.1 (\d{3}) /g;

async function flood({ port, requests, connections, nonReaders, each, millis }: FloodOptions): Promise<FloodResult> {
  const statuses: Record<string, number> = {};
  let bytes = 0;
  let closed = 0;
  const sent = Buffer.from(Array.from({ length: each }, (_, i) => requests[i % requests.length]).join(''));
  const silent = Array.from({ length: nonReaders }, () => {
    const socket = connect(port, '127.0.0.1', () => socket.write(sent));
    return socket.on('error', () => undefined); // being cut off is one of the ways to end
  });
  const ends = Array.from(
    { length: connections },
    () =>
      new Promise<void>(resolve => {
        const socket = connect(port, '127.0.0.1', () => socket.write(sent));
        let ended = false;
        let answers = 0;
        const timer = setTimeout(() => {
          ended = true;
          socket.destroy();
        }, millis);
        socket.on('error', () => undefined); // being cut off is one of the ways to end
        socket.on('close', () => {
          clearTimeout(timer);
          if (!ended) closed++;
          resolve();
        });
        socket.on('data', chunk => {
          bytes += chunk.length;
          for (const [, status = ''] of chunk.toString('latin1').matchAll(STATUS)) {
            statuses[status] = (statuses[status] ?? 0) + 1;
            if (++answers < each) continue;
            ended = true;
            socket.end();
          }
        });
      }),
  );
  await Promise.all(ends);
  for (const socket of silent) socket.destroy();
  return { statuses, bytes, closed };
}

if (import.meta.main) {
  const options = JSON.parse(await text(process.stdin)) as FloodOptions; // from the test that started it
  process.stdout.write(`${JSON.stringify(await flood(options))}\n`);
}
