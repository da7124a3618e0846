// Keeps the rows in sight current by a stream of the query (Server-Sent Events).

import { signal } from '@preact/signals';
import type { ListingEvent } from '../../../client/src/index.ts';
import { ApiError } from '../../../client/src/index.ts';
import { type Params, tidemark } from '../api.ts';
import { failureIn } from '../failure.ts';
import { applyEvent, covers, type Slice, sliceFor, sortRows, startOf } from './live-slice.ts';
import type { Row } from './row.ts';
import type { View } from './view.ts';

/** The user has stopped the live updates. */
export const livePaused = signal(false);

/** Milliseconds: a scroll is over before another page is subscribed to. */
const SETTLE = 250;
/** Milliseconds that a changed cell is highlighted. */
const HIGHLIGHT = 1500;

interface Replacement {
  readonly old: Row;
  readonly at: number;
}

/** By the new row. */
const replacements = new WeakMap<Row, Replacement>();

/** The row as it was before its latest change, if that was a moment ago. */
export function rowBefore(row: Row): Row | undefined {
  const replacement = replacements.get(row);
  return replacement && performance.now() - replacement.at < HIGHLIGHT ? replacement.old : undefined;
}

export class LiveFeed {
  /** `refused`: the service gives this API key no stream now. */
  readonly state = signal<'off' | 'on' | 'refused'>('off');
  readonly #view: View;
  readonly #onRows: (membersChanged: boolean) => void;
  #slice: Slice | null = null;
  #members: ReadonlyMap<string, Row> = new Map();
  #rows: readonly Row[] = [];
  /** Row number of the first of `#rows`. */
  #start = 0;
  #control: AbortController | null = null;
  #timer = 0;
  #held = false;

  /** `onRows` follows every change of the rows. */
  constructor(view: View, onRows: (membersChanged: boolean) => void) {
    this.#view = view;
    this.#onRows = onRows;
  }

  row(index: number): Row | undefined {
    return this.#rows[index - this.#start];
  }

  /** Follows the rows from `from` to before `to`, with at most `longest` rows per stream. */
  watch(from: number, to: number, longest: number, params: Params): void {
    if (this.state.value === 'refused' || (this.#slice !== null && covers(this.#slice, from, to))) return;
    const slice = sliceFor(from, to, longest);
    clearTimeout(this.#timer);
    const wait = this.#slice === null ? 0 : SETTLE;
    this.#timer = setTimeout(() => void this.#follow(slice, params), wait);
  }

  /** The rows stay as they are. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#control?.abort();
    this.#slice = null;
    if (this.state.value === 'on') this.state.value = 'off';
  }

  /** While the pointer or the focus is in the table, numbers change but rows keep their places. */
  hold(held: boolean): void {
    this.#held = held;
    if (held || this.#rows.length === 0) return;
    this.#place();
    this.#onRows(false);
  }

  async #follow(slice: Slice, params: Params): Promise<void> {
    this.#control?.abort();
    const control = new AbortController();
    this.#control = control;
    this.#slice = slice;
    // The parameters are known at run time only, as the rows are.
    const events = tidemark.stream({ ...params, ...slice } as object, { signal: control.signal });
    try {
      for await (const event of events as AsyncIterable<ListingEvent<Row>>) {
        if (control.signal.aborted) return;
        this.#take(event, slice);
      }
    } catch (error) {
      if (control.signal.aborted) return;
      this.#slice = null;
      this.#rows = [];
      // What the table shows is still right, and is fetched again when there is new data.
      this.state.value = error instanceof ApiError ? 'refused' : 'off';
      failureIn(error);
    }
  }

  #take(event: ListingEvent<Row>, slice: Slice): void {
    this.state.value = 'on';
    this.#members = applyEvent(this.#members, event, (row, old) => {
      replacements.delete(old);
      replacements.set(row, { old, at: performance.now() });
    });
    if (event.event === 'rows') {
      this.#start = startOf(slice);
      this.#rows = event.result;
      this.#onRows(false);
    } else if (event.entered.length + event.left.length + event.changed.length > 0) {
      if (this.#held) this.#patch();
      else this.#place();
      this.#onRows(event.entered.length + event.left.length > 0);
    }
  }

  #patch(): void {
    this.#rows = this.#rows.map(row => this.#members.get(row.symbol) ?? row);
  }

  #place(): void {
    this.#rows = sortRows(this.#members.values(), this.#view);
  }
}
