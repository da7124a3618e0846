// The sockets to one PostgreSQL host. Each attempt to connect ends within seconds: with an answer of PostgreSQL, or with an error
// that says what is there instead. After a failure the attempts are spaced out, however often a connection is needed.

import { Socket } from 'node:net';

/** For the connection and the answer to the first message. */
const ANSWER_MILLIS = 5_000;
/** If there are other hosts to try. */
const ANSWER_MILLIS_OF_SEVERAL = 3_000;
const BACKOFF_MILLIS = { first: 200, longest: 2_000 };
/** Longer than any first message of a PostgreSQL server. */
const LONGEST_MESSAGE = 30_000;

export class HostSockets {
  readonly #open = new Set<Socket>();
  readonly #answerMillis: number;
  /** Since the last answer. */
  #failures = 0;
  #failure: Error | null = null;
  #retryAt = 0;

  constructor({ isOneOfSeveral }: { isOneOfSeveral: boolean }) {
    this.#answerMillis = isOneOfSeveral ? ANSWER_MILLIS_OF_SEVERAL : ANSWER_MILLIS;
  }

  /** A socket that the driver connects at once, and asks for encryption if it is to be encrypted. */
  create(encrypted: boolean): Socket {
    const socket = new Socket();
    const tooEarly = this.#tooEarly();
    if (tooEarly !== null) return Object.assign(socket, { connect: () => socket.destroy(tooEarly) });
    this.#open.add(socket);
    const late = () => socket.destroy(coded('ETIMEDOUT', `no answer for ${this.#answerMillis / 1000} s`));
    const timer = setTimeout(late, this.#answerMillis);
    let isDecided = false;
    const decide = (failure: Error | null) => {
      clearTimeout(timer);
      if (!isDecided) this.#tried(failure);
      isDecided = true;
    };
    socket.once('data', (first: Buffer) => {
      const imposter = isPostgres(first, encrypted) ? null : coded('NOT_POSTGRES', `it sent ${shown(first)}`);
      decide(imposter);
      if (imposter !== null) socket.destroy(imposter);
    });
    socket.on('error', decide);
    socket.once('close', () => {
      this.#open.delete(socket);
      decide(coded('ECONNRESET', 'it closed the connection without an answer'));
    });
    return socket;
  }

  /** Why the last attempt failed; null when it was answered, or there was none. */
  get failure(): Error | null {
    return this.#failures === 0 ? null : this.#failure;
  }

  /** Destroys every socket. Statements that wait for a result fail. */
  destroyAll(why?: Error): void {
    for (const socket of this.#open) socket.destroy(why);
  }

  /** The last failure, while it is too early for another attempt. Only one of several waiting callers tries again. */
  #tooEarly(): Error | null {
    if (this.#failures === 0) return null;
    if (performance.now() < this.#retryAt) return this.#failure;
    this.#retryAt = performance.now() + this.#pause();
    return null;
  }

  #tried(failure: Error | null): void {
    this.#failures = failure === null ? 0 : this.#failures + 1;
    this.#failure = failure;
    this.#retryAt = performance.now() + this.#pause();
  }

  #pause(): number {
    return Math.min(BACKOFF_MILLIS.longest, BACKOFF_MILLIS.first * 2 ** (this.#failures - 1));
  }
}

/** Whether the first bytes can be those of a PostgreSQL server: its answer about encryption, or a message with its length. */
export function isPostgres(first: Buffer, encrypted: boolean): boolean {
  const kind = String.fromCharCode(first[0] ?? 0);
  if (encrypted && first.length === 1) return kind === 'S' || kind === 'N';
  // Authentication, an error, a notice, or the versions of the protocol that it speaks.
  if (!'RENv'.includes(kind)) return false;
  return first.length < 5 || first.readUInt32BE(1) < LONGEST_MESSAGE;
}

/** The first characters, without what a terminal would act on. */
function shown(bytes: Buffer): string {
  return JSON.stringify(bytes.toString('latin1', 0, 24).replace(/[^ -~]+/g, '.'));
}

export function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
