// What a client knows of a streamed page: the rows by their ticker, brought up to date by each event.

import type { EventClient } from '../support/event-client.ts';
import type { Row } from './contract.ts';

interface RowsEvent {
  readonly version: number;
  readonly result: readonly Row[];
}

export interface ChangesEvent {
  readonly version: number;
  readonly entered: readonly Row[];
  readonly left: readonly string[];
  readonly changed: readonly Row[];
}

export class StreamedPage {
  readonly client: EventClient;
  readonly rows = new Map<string, Row>();
  version = 0;
  /** How many `rows` events came. */
  resets = 0;

  constructor(client: EventClient) {
    this.client = client;
  }

  /** Applies the next event, and returns it if it is of changes. */
  async step(): Promise<ChangesEvent | null> {
    const { name, data } = await this.client.next();
    const event = JSON.parse(data) as RowsEvent & ChangesEvent; // one of them, by its name
    this.version = event.version;
    if (name === 'rows') {
      this.resets++;
      this.rows.clear();
      for (const row of event.result) this.rows.set(String(row['symbol']), row);
      return null;
    }
    for (const symbol of event.left)
      if (!this.rows.delete(symbol)) throw new Error(`${symbol} left, but was not there`);
    for (const row of event.entered) this.#add(row, false);
    for (const row of event.changed) this.#add(row, true);
    return event;
  }

  /** Until the page is of this publication. */
  async reach(version: number): Promise<void> {
    while (this.version < version) await this.step();
  }

  get sorted(): Row[] {
    return bySymbol([...this.rows.values()]);
  }

  #add(row: Row, known: boolean): void {
    const symbol = String(row['symbol']);
    if (this.rows.has(symbol) !== known)
      throw new Error(`${symbol} ${known ? 'changed, but was not' : 'entered, but was'} there`);
    this.rows.set(symbol, row);
  }
}

export function bySymbol(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => (String(a['symbol']) < String(b['symbol']) ? -1 : 1));
}
