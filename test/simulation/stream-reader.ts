// A client that streams a listing query of one server: it reads now and then, and connects again with what it has seen.

import assert from 'node:assert/strict';
import { ByteCache } from '../../src/common/byte-cache.ts';
import { finish } from '../../src/common/steps.ts';
import { TA_CUR } from '../../src/domain/datasets.ts';
import { parsePlan } from '../../src/query/parse/parse-plan.ts';
import type { Snapshot } from '../../src/snapshot/table.ts';
import { QueryTopic } from '../../src/stream/query-topic.ts';

interface ShownRow {
  readonly symbol: string;
  readonly price: number;
}

const HIDDEN = TA_CUR.columns.map(({ name }) => name).filter(name => name !== 'symbol' && name !== 'price');
const ROWS = 1000;

export class StreamReader {
  readonly #least: number;
  #topic: QueryTopic | null = null;
  #seen: number | null = null;
  readonly #rows = new Map<string, number>();

  /** Of the rows whose price is at least this. */
  constructor(least: number) {
    this.#least = least;
  }

  /** The server shows a snapshot. */
  show(snapshot: Snapshot): void {
    if (this.#topic !== null) finish(this.#topic.refresh(snapshot));
    const plan = parsePlan(TA_CUR, `price=${this.#least}:&sort=price&excl_cols=${HIDDEN.join()}`);
    this.#topic ??= finish(QueryTopic.create(plan, ROWS, snapshot, new ByteCache(1e6)));
  }

  /** The server was killed: its next process knows nothing of the stream. */
  disconnect(): void {
    this.#topic = null;
  }

  /** What the client has then is the page of the version; `prices` are those of all its rows, by symbol. */
  read(prices: ReadonlyMap<string, number>): void {
    const bytes = this.#topic?.since(this.#seen) ?? null;
    if (bytes !== null) this.#apply(bytes.toString());
    const wanted = [...prices].filter(([, price]) => price >= this.#least).sort();
    assert.deepEqual([...this.#rows].sort(), wanted, `what a stream has shown up to version ${this.#seen}`);
  }

  #apply(event: string): void {
    const [, name, id, text] = /^event: (\w+)\nid: (\d+)\ndata: (.*)\n\n$/.exec(event) ?? assert.fail(event);
    const data = JSON.parse(text!);
    assert.ok(Number(id) > (this.#seen ?? 0), `a stream went back from ${this.#seen} to ${id}`);
    assert.equal(data.version, Number(id));
    this.#seen = Number(id);
    if (name === 'rows') this.#rows.clear();
    else for (const symbol of data.left) assert.ok(this.#rows.delete(symbol), `${symbol} left and was not there`);
    const rows: ShownRow[] = name === 'rows' ? data.result : [...data.entered, ...data.changed];
    for (const { symbol, price } of rows) this.#rows.set(symbol, price);
  }
}
