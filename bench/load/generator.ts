// A load generator for HTTP/1.1 on loopback: a process of its own that asks one address over keep-alive connections, as fast
// as answers come or at a given rate, for a bounded time, and prints what it saw as JSON.
//
//   node bench/load/generator.ts '{"port":8080,"path":"/","headers":{},"connections":16,"seconds":5,"rate":null}'

import { connect, type Socket } from 'node:net';
import { QuietSeconds } from '../../test/support/stolen-time.ts';

export interface LoadOptions {
  readonly port: number;
  /** `{}` in it becomes a number that is different for each request. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  /** With a rate: seconds in which the host leaves the machine its cores, which may take several times as long. */
  readonly seconds: number;
  /** Requests per second over all connections; null: as fast as answers come. */
  readonly rate: number | null;
}

export interface LoadResult {
  /** Requests a second that were sent, answered or not. */
  readonly sentPerSecond: number;
  readonly answers: number;
  readonly perSecond: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** Milliseconds, of the seconds in which the host took little, if there are any. */
  readonly p50: number;
  readonly p99: number;
  /** Of answers with 200 alone. */
  readonly goodP50: number;
  readonly goodP99: number;
  /** In the most disturbed second that counts, the share of the cores that the host gave to others. */
  readonly stolen: number;
}

/** A host that takes more of the cores delays answers itself. */
const LITTLE_STOLEN = 0.02;
/** A run takes at most so many times `seconds`. */
const MOST_TIMES = 6;

/** On all connections. */
let asked = 0;

const HEAD_END = Buffer.from('\r\n\r\n');

/** One connection; answers are told apart by their content-length. */
class Connection {
  readonly #options: LoadOptions;
  readonly #request: (number: number) => Buffer;
  readonly #onAnswer: (status: string, sentAt: number) => void;
  #socket: Socket;
  #sentAt: number[] = [];
  #pending: Buffer = Buffer.alloc(0);
  #closed = false;

  constructor(options: LoadOptions, onAnswer: (status: string, sentAt: number) => void) {
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
      this.#onAnswer(head.slice(9, 12), this.#sentAt.shift() ?? Number.NaN);
    }
  }
}

export async function generateLoad(options: LoadOptions): Promise<LoadResult> {
  const { seconds: wanted, rate } = options;
  const [all, good] = [new QuietSeconds(LITTLE_STOLEN), new QuietSeconds(LITTLE_STOLEN)];
  let answers = 0;
  const byStatus: Record<string, number> = {};
  const began = performance.now();
  const isOver = () => {
    const passed = (performance.now() - began) / 1000;
    return passed >= wanted && (rate === null || all.count >= wanted || passed >= MOST_TIMES * wanted);
  };
  const connections = Array.from({ length: options.connections }, () => {
    const connection: Connection = new Connection(options, (status, sentAt) => {
      byStatus[status] = (byStatus[status] ?? 0) + 1;
      const now = performance.now();
      if (status !== 'cut') {
        answers++;
        all.add(sentAt, now);
      }
      if (status === '200') good.add(sentAt, now);
      if (rate === null && !isOver()) connection.ask();
    });
    return connection;
  });
  if (rate === null) for (const connection of connections) connection.ask();
  else await pace(rate, connections, isOver);
  while (!isOver()) await new Promise(resolve => setTimeout(resolve, 10));
  for (const connection of connections) connection.close();
  const at = (sorted: readonly number[], share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  const seconds = (performance.now() - began) / 1000;
  const perSecond = answers / seconds;
  const sentPerSecond = connections.reduce((sum, connection) => sum + connection.sent, 0) / seconds;
  const [{ millis, stolen }, { millis: ofGood }] = [all.end(), good.end()];
  const [p50, p99, goodP50, goodP99] = [at(millis, 0.5), at(millis, 0.99), at(ofGood, 0.5), at(ofGood, 0.99)];
  return { answers, perSecond, sentPerSecond, byStatus, p50, p99, goodP50, goodP99, stolen };
}

/** Sends in small portions; a connection that falls behind gets no more than it can answer. */
async function pace(rate: number, connections: readonly Connection[], isOver: () => boolean): Promise<void> {
  const began = performance.now();
  let sent = 0;
  while (!isOver()) {
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
