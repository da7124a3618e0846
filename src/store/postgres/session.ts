// Statements on one connection of the driver, for as long as their caller may use it.

import { pipeline } from 'node:stream/promises';
import pg, { type ClientBase } from 'pg';
import { from, to } from 'pg-copy-streams';
import { CopyReader, type CopyWriter } from './copy.ts';
import type { Sql, Value } from './database.ts';
import { coded } from './socket.ts';

const { INT8, TIMESTAMPTZ } = pg.types.builtins;

/** Integers of 64 bits come as numbers, because nothing here counts beyond 2⁵³, and times as ISO 8601. */
export const TYPES: typeof pg.types = {
  ...pg.types,
  getTypeParser: (...args: Parameters<typeof pg.types.getTypeParser>) => {
    if (args[0] === INT8) return Number;
    const parse = pg.types.getTypeParser(...args);
    return args[0] === TIMESTAMPTZ ? (text: string) => (parse(text) as Date).toISOString() : parse;
  },
};

/** One use of a connection. Statements after its end fail instead of running in another caller's transaction. */
export class Session {
  readonly #client: ClientBase;
  /** Whether the connection cannot be used any more. */
  #broken: Error | null = null;
  #over = false;
  /** The transaction is being ended: a statement that comes now would run after it, as a transaction of its own. */
  #ending = false;
  /** The last statement: the next one waits for it, because the driver runs one at a time. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #onError = (error: Error) => {
    this.#broken ??= error;
  };

  constructor(client: ClientBase) {
    this.#client = client;
    // Without a listener, a connection that breaks between two statements would end the process.
    client.on('error', this.#onError);
  }

  get broken(): Error | null {
    return this.#broken;
  }

  readonly sql: Sql = Object.assign(
    async <R extends object>(text: TemplateStringsArray, ...values: readonly Value[]): Promise<readonly R[]> =>
      (await this.#query<R>(numbered(text), values)).rows,
    {
      run: async <R extends object>(text: string, values: readonly Value[]) => {
        const { rows, rowCount } = await this.#query<R>(text, values);
        return { rows, count: rowCount ?? 0 };
      },
      count: async (text: TemplateStringsArray, ...values: readonly Value[]) =>
        (await this.#query(numbered(text), values)).rowCount ?? 0,
      script: async (text: string) => void (await this.#run(() => this.#client.query(text))),
      copyInto: (target: string, rows: CopyWriter) => this.#run(() => this.#copyInto(target, rows)),
      copyOut: (select: string, take: (row: CopyReader) => void) => this.#run(() => this.#copyOut(select, take)),
    },
  );

  async commit(): Promise<void> {
    const { command } = await this.#ended('COMMIT');
    // In a transaction in which a statement failed, COMMIT succeeds and rolls back.
    if (command !== 'COMMIT')
      throw new Error('the database rolled the transaction back, because a statement in it failed');
  }

  /** Never fails: a connection on which it fails is closed, which rolls back too. */
  async rollback(): Promise<void> {
    if (this.#broken !== null) return;
    await this.#ended('ROLLBACK').catch(this.#onError);
  }

  /** Ends the use; the caller gives the connection back. */
  end(): void {
    this.#over = true;
    this.#client.off('error', this.#onError);
  }

  #query<R extends object>(text: string, values: readonly Value[]): Promise<pg.QueryResult<R>> {
    return this.#run(() => this.#client.query<R, Value[]>(text, [...values]));
  }

  #copyInto(target: string, rows: CopyWriter): Promise<void> {
    return pipeline(rows.end(), this.#client.query(from(`COPY ${target} FROM STDIN (FORMAT binary)`)));
  }

  async #copyOut(select: string, take: (row: CopyReader) => void): Promise<void> {
    const reader = new CopyReader();
    try {
      for await (const piece of this.#client.query(to(`COPY (${select}) TO STDOUT (FORMAT binary)`))) {
        reader.push(piece as Buffer, take); // the stream has no encoding
      }
    } catch (error) {
      // The rest of what the server sends would be read as the result of the next statement.
      if (!(error instanceof pg.DatabaseError)) this.#broken ??= error as Error; // a stream fails with an error
      throw error;
    }
  }

  #ended(how: 'COMMIT' | 'ROLLBACK'): Promise<pg.QueryResult> {
    this.#ending = true;
    return this.#queued(() => this.#client.query(how));
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#ending) throw new Error('a statement was given to a transaction that has ended');
    return this.#queued(work);
  }

  /** One after the other. */
  #queued<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(() => this.#runNow(work));
    this.#last = result.catch(() => {});
    return result;
  }

  async #runNow<T>(work: () => Promise<T>): Promise<T> {
    if (this.#over) throw new Error('a statement was given to a connection that is in use elsewhere by now');
    try {
      return await work();
    } catch (error) {
      const failure = lostConnection(error);
      if (failure instanceof Error && 'code' in failure && failure.code === 'ECONNRESET') this.#broken ??= failure;
      throw failure;
    }
  }
}

/** Each value of a template is a parameter. */
function numbered(text: TemplateStringsArray): string {
  return text.reduce((sum, part, i) => `${sum}$${i}${part}`);
}

/** The driver's own errors have no code: their texts say that the connection is lost, or why it failed. */
export function lostConnection(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error) return error;
  const code = /SSL/.test(error.message)
    ? 'NO_TLS'
    : /^(Connection|Client|timeout)/i.test(error.message)
      ? 'ECONNRESET'
      : '';
  return code === '' ? error : Object.assign(coded(code, error.message), { cause: error });
}
