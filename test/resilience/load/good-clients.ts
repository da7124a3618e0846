// Clients that ask as one should, with a pause after each response, and note how long it took them.

import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { answerTo } from './whole-answer.ts';

const KEPT = 8;
const NEW = 2;
export const GOOD_CLIENTS = KEPT + NEW;
const ROWS = 5;

export interface Seen {
  readonly answers: number;
  readonly failures: readonly string[];
  /** Milliseconds, over connections that are kept. */
  readonly p50: number;
  readonly p99: number;
  /** Over a new connection each. */
  readonly newP50: number;
  readonly newP99: number;
}

export class GoodClients {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #pauseMs: number;
  readonly #failures: string[] = [];
  readonly #times = { kept: [] as number[], new: [] as number[] };
  readonly #ends: Promise<unknown>;
  #stopped = false;

  constructor(url: string, pauseMs: number, headers: Readonly<Record<string, string>> = {}) {
    this.#headers = headers;
    this.#pauseMs = pauseMs;
    this.#url = `${url}/v1/crypto/ta-cur?limit=${ROWS}`;
    const clients = [...Array<'kept'>(KEPT).fill('kept'), ...Array<'new'>(NEW).fill('new')];
    this.#ends = Promise.all(clients.map(way => this.#ask(way)));
  }

  async stop(): Promise<Seen> {
    this.#stopped = true;
    await this.#ends;
    const at = (times: readonly number[], share: number) =>
      times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;
    const { kept, new: fresh } = this.#times;
    return {
      answers: kept.length + fresh.length,
      failures: this.#failures,
      p50: at(kept, 0.5),
      p99: at(kept, 0.99),
      newP50: at(fresh, 0.5),
      newP99: at(fresh, 0.99),
    };
  }

  async #ask(way: 'kept' | 'new'): Promise<void> {
    const agent = new Agent({ keepAlive: way === 'kept' });
    while (!this.#stopped) {
      const began = performance.now();
      try {
        const { status, text } = await answerTo(this.#url, this.#headers, agent);
        this.#times[way].push(performance.now() - began);
        const rows = status === 200 ? (JSON.parse(text) as { result: unknown[] }).result.length : 0;
        if (rows !== ROWS) this.#failures.push(`${status}: ${text.slice(0, 200)}`);
      } catch (error) {
        this.#failures.push(error instanceof Error ? error.message : String(error));
      }
      await wait(this.#pauseMs);
    }
    agent.destroy();
  }
}
