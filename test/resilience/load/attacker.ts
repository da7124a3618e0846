// Holds thousands of connections to a server in one of the ways that are meant to use it up. A process of its own:
//
//   node test/resilience/load/attacker.ts '{"port":8080,"attack":"slow headers","connections":1000,"reopen":false}'
//
// It prints what became of its connections when all were opened, and again for each line that it reads; it ends with its input.

import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

export interface AttackOptions {
  readonly port: number;
  readonly attack: AttackName;
  readonly connections: number;
  /** Takes a new connection for each that the server closes. */
  readonly reopen: boolean;
}

export interface AttackResult {
  readonly opened: number;
  /** By the server. */
  readonly closed: number;
  /** First lines of answers, and how often each came. */
  readonly answers: Readonly<Record<string, number>>;
}

interface Attack {
  /** Sent at once. */
  readonly begin: string;
  /** Sent by and by. */
  readonly trickle?: string;
  /** Takes only a few bytes at a time. */
  readonly readsSlowly?: true;
}

export const ATTACKS = {
  'slow headers': { begin: 'GET /v1/crypto/ta-cur HTTP/1.1\r\nHost: x\r\nX-Long: ', trickle: 'a' },
  'slow bodies': {
    begin: 'POST /v1/crypto/ta-cur HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n',
    trickle: 'a',
  },
  'slow reading': { begin: 'GET /v1/crypto/ta-cur?limit=100000 HTTP/1.1\r\nHost: x\r\n\r\n', readsSlowly: true },
  'slow reading of a file': {
    begin: 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n',
    readsSlowly: true,
  },
  silence: { begin: '' },
} as const satisfies Readonly<Record<string, Attack>>;

export type AttackName = keyof typeof ATTACKS;

/** Opened in one go, before the next ones. */
const AT_ONCE = 20;
const PAUSE_MS = 10;
/** Each connection acts once in so many ticks. */
const TICK_MS = 100;
const TURNS = 20;
/** Kept by one who opens a new connection for each, so that they do not become ever more. */
const AFTER_END_MS = 3000;
/** About a kilobyte a second: enough for the line never to stand still, and too little for it ever to end. */
const FEW_BYTES = 2048;

export class Attacker {
  readonly #options: AttackOptions;
  readonly #attack: Attack;
  readonly #open = new Set<Socket>();
  readonly #answers: Record<string, number> = {};
  readonly #acting: NodeJS.Timeout;
  #opened = 0;
  #closed = 0;
  #ended = false;
  #turn = 0;

  constructor(options: AttackOptions) {
    this.#options = options;
    this.#attack = ATTACKS[options.attack];
    this.#acting = setInterval(() => this.#act(), TICK_MS);
  }

  get result(): AttackResult {
    return { opened: this.#opened, closed: this.#closed, answers: this.#answers };
  }

  async begin(): Promise<void> {
    const { connections } = this.#options;
    for (let begun = 0; begun < connections; begun += AT_ONCE) {
      const some = Array.from({ length: Math.min(AT_ONCE, connections - begun) }, () => this.#connect());
      await Promise.all([wait(PAUSE_MS), ...some]);
    }
  }

  end(): void {
    this.#ended = true;
    clearInterval(this.#acting);
    for (const socket of this.#open) socket.destroy();
  }

  /** When it is open, or will never be. */
  #connect(): Promise<void> {
    const { port, reopen } = this.#options;
    const onread = {
      buffer: Buffer.alloc(FEW_BYTES),
      callback: (count: number, bytes: Uint8Array) => {
        heard(Buffer.from(bytes.subarray(0, count)).toString('latin1'));
        return false;
      },
    };
    // Continues after the server has closed its side: a client that waits for the other side would be held by it.
    const options = { port, host: '127.0.0.1', allowHalfOpen: true };
    const socket = connect({ ...options, ...(this.#attack.readsSlowly ? { onread } : {}) });
    let [said, closed] = ['', false];
    const onClosed = () => {
      if (!closed && !this.#ended) this.#closed++;
      closed = true;
    };
    const heard = (text: string) => {
      if (said === '') this.#answers[text.slice(0, 12)] = (this.#answers[text.slice(0, 12)] ?? 0) + 1;
      said = text;
    };
    this.#open.add(socket);
    socket.setNoDelay(true);
    if (!this.#attack.readsSlowly) socket.on('data', chunk => heard(chunk.toString('latin1')));
    socket.on('error', () => undefined); // being cut off is what is counted
    socket.on('end', () => {
      onClosed();
      if (reopen) setTimeout(() => socket.destroy(), AFTER_END_MS);
    });
    socket.on('close', () => {
      onClosed();
      this.#open.delete(socket);
      // Not at once: a server that is full would be asked as fast as the machine can.
      if (reopen && !this.#ended) setTimeout(() => this.#ended || this.#connect(), TURNS * TICK_MS);
    });
    return new Promise(resolve => {
      socket.on('close', () => resolve());
      socket.on('connect', () => {
        this.#opened++;
        if (this.#attack.begin !== '') socket.write(this.#attack.begin);
        resolve();
      });
    });
  }

  #act(): void {
    const { trickle, readsSlowly } = this.#attack;
    if (trickle === undefined && !readsSlowly) return;
    this.#turn = (this.#turn + 1) % TURNS;
    let number = 0;
    for (const socket of this.#open) {
      if (number++ % TURNS !== this.#turn || socket.connecting) continue;
      if (readsSlowly) socket.resume();
      else if (socket.writable) socket.write(trickle!);
    }
  }
}

if (import.meta.main) {
  const attacker = new Attacker(JSON.parse(process.argv[2] ?? '{}') as AttackOptions); // from the parent process
  await attacker.begin();
  const tell = () => process.stdout.write(`${JSON.stringify(attacker.result)}\n`);
  tell();
  for await (const _ of createInterface({ input: process.stdin })) tell();
  attacker.end();
}
