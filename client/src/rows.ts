// The rows of a query, page by page.

import type { RequestOptions, Transport } from './transport.ts';
import type { ColumnMetadata } from './types.ts';

/** One page: the envelope of the service, and what the headers of the response state. */
export interface Page<Row> {
  readonly result: readonly Row[];
  readonly results_returned: number;
  /** Milliseconds. */
  readonly response_time: number;
  readonly fetch_data_time: number;
  readonly fetch_meta_time: number;
  readonly datetimeUTC: string;
  /** With `meta: true`, else null. */
  readonly metadata: Readonly<Record<string, ColumnMetadata>> | null;
  /** Null on the last page. */
  readonly next: string | null;
  /** Null on the first page. */
  readonly prev: string | null;
  /** Rows per page that the tier of the API key allowed. */
  readonly limitApplied: number | null;
  /** The publication that the rows are of. */
  readonly dataVersion: number | null;
}

/** A query. Nothing is sent until it is read, and each reading sends it anew. */
export class Rows<Row> implements AsyncIterable<Row> {
  readonly #transport: Transport;
  readonly #path: string;
  readonly #query: object;
  readonly #options: RequestOptions;

  constructor(transport: Transport, path: string, query: object, options: RequestOptions) {
    this.#transport = transport;
    this.#path = path;
    this.#query = query;
    this.#options = options;
  }

  /** One page: the first, or the one that the query names. */
  page(): Promise<Page<Row>> {
    return this.#fetch(this.#path, this.#query);
  }

  /** From that page to the last. The client fetches a page when the loop comes to it. */
  async *pages(): AsyncGenerator<Page<Row>, void, undefined> {
    let page = await this.page();
    yield page;
    while (page.next !== null) {
      // Only its query: the address may be one that this client cannot reach, and the API key is not for others.
      page = await this.#fetch(this.#path + new URL(page.next).search, {});
      yield page;
    }
  }

  /** Every row of those pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const { result } of this.pages()) yield* result;
  }

  async toArray(): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const row of this) rows.push(row);
    return rows;
  }

  #fetch(path: string, query: object): Promise<Page<Row>> {
    return this.#transport.send(path, query, pageOf<Row>, {
      ...this.#options,
      headers: { accept: 'application/json', ...this.#options.headers },
    });
  }
}

async function pageOf<Row>(response: Response): Promise<Page<Row>> {
  const number = (name: string) => {
    const text = response.headers.get(name);
    return text === null ? null : Number(text);
  };
  const { error: _, ...envelope } = (await response.json()) as Page<Row> & { error: false }; // as the OpenAPI document says
  return { ...envelope, limitApplied: number('x-limit-applied'), dataVersion: number('x-data-version') };
}
