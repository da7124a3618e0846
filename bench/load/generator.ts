// A load generator for HTTP/1.1 on loopback: a process of its own that asks one address over keep-alive connections, as fast
// as answers come or at a given rate, for a bounded time, and prints what it saw as JSON.
//
//   node bench/load/generator.ts '{"port":8080,"path":"/","headers":{},"connections":16,"seconds":5,"rate":null}'

import { connect, type Socket } from 'node:net';

export interface LoadOptions {
  readonly port: number;
  /** `{}` in it becomes a number that is different for each request. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second over all connections; null: as fast as answers come. */
  readonly rate: number | null;
}

export interface LoadResult {
  /** Requests a second that were sent, answered or not. */
  readonly sentPerSecond: number;
  readonly answers: number;
  readonly perSecond: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Of answers with 200 alone. */
  readonly goodP50: number;
  readonly goodP99: number;
}

/** On all connections. */
let asked = 0;

const HEAD_END = Buffer.from('\r\n\r\n');

/** One connection; answers are told apart by their content-length. */
class Connection {
  readonly #options: LoadOptions;
  readonly #request: (number: number) => Buffer;
  readonly #onAnswer: (status: string, millis: number) => void;
  #socket: Socket;
  #sentAt: number[] = [];
  #pending: Buffer = Buffer.alloc(0);
  #closed = false;

  constructor(options: LoadOptions, onAnswer: (status: string, millis: number) => void) {
    const headers = Object.entries({ host: `127.0.0.1:${options.port}`, ...options.headers });
    const lines = [`GET ${options.path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''];
    const [text, same] = [lines.join('\r\n'), Buffer.from(lines.join('\r\n'))];
    this.#request = options.path.includes('{}')
      ? number => Buffer.from(text.replace('{}', String(number)))
      : () => same;
    this.#onAnswer = onAnswer;
    this.#options = options;
    this.#socket = this.#connect();
  }

  /** Connects again when the server cuts the line; what was asked on it stays unanswered. */
  #connect(): Socket {
    const socket = connect(this.#options.port, '127.0.0.1').setNoDelay(true);
    socket.on('data', chunk => this.#read(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.#closed) return;
      this.#onAnswer('cut', Number.NaN);
      [this.#sentAt, this.#pending, this.#socket] = [[], Buffer.alloc(0), this.#connect()];
    });
    return socket;
  }

  get waiting(): number {
    return this.#sentAt.length;
  }

  sent = 0;

  ask(): void {
    this.sent++;
    this.#sentAt.push(performance.now());
    this.#socket.write(this.#request(++asked));
  }

  close(): void {
    this.#closed = true;
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    for (;;) {
      const end = this.#pending.indexOf(HEAD_END);
      if (end < 0) return;
      const head = this.#pending.toString('latin1', 0, end);
      const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      if (this.#pending.length < end + 4 + length) return;
      this.#pending = this.#pending.subarray(end + 4 + length);
      this.#onAnswer(head.slice(9, 12), performance.now() - (this.#sentAt.shift() ?? Number.NaN));
    }
  }
}

export async function generateLoad(options: LoadOptions): Promise<LoadResult> {
  const times: number[] = [];
  const good: number[] = [];
  const byStatus: Record<string, number> = {};
  const began = performance.now();
  const until = began + options.seconds * 1000;
  const connections = Array.from({ length: options.connections }, () => {
    const connection: Connection = new Connection(options, (status, millis) => {
      byStatus[status] = (byStatus[status] ?? 0) + 1;
      if (status !== 'cut') times.push(millis);
      if (status === '200') good.push(millis);
      if (options.rate === null && performance.now() < until) connection.ask();
    });
    return connection;
  });
  if (options.rate === null) for (const connection of connections) connection.ask();
  else await pace(options.rate, connections, until);
  while (performance.now() < until) await new Promise(resolve => setTimeout(resolve, 10));
  for (const connection of connections) connection.close();
  const at = (some: number[], share: number) =>
    some.sort((a, b) => a - b)[Math.min(some.length - 1, Math.floor(some.length * share))] ?? Number.NaN;
  const seconds = (performance.now() - began) / 1000;
  const perSecond = times.length / seconds;
  const sentPerSecond = connections.reduce((sum, connection) => sum + connection.sent, 0) / seconds;
  const [p50, p99, goodP50, goodP99] = [at(times, 0.5), at(times, 0.99), at(good, 0.5), at(good, 0.99)];
  return { answers: times.length, perSecond, sentPerSecond, byStatus, p50, p99, goodP50, goodP99 };
}

/** Sends in small portions; a connection that falls behind gets no more than it can answer. */
async function pace(rate: number, connections: readonly Connection[], until: number): Promise<void> {
  const began = performance.now();
  let sent = 0;
  while (performance.now() < until) {
    const due = Math.floor(((performance.now() - began) / 1000) * rate);
    while (sent < due) {
      const connection = connections[sent++ % connections.length]!;
      if (connection.waiting < 100) connection.ask();
    }
    await new Promise(resolve => setTimeout(resolve, 2));
  }
}

if (import.meta.main) {
  const options = JSON.parse(process.argv[2] ?? '{}') as LoadOptions; // from the benchmark that started it
  process.stdout.write(JSON.stringify(await generateLoad(options)));
}
