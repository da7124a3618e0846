// What a query finds: the rows of one page, and how many there are in all.

export interface Page {
  /** Row numbers, in the order asked for. */
  readonly rows: Uint32Array;
  readonly hasNext: boolean;
  /** Rows of all pages. Where the page did not need it, it is counted when it is asked for. */
  readonly total: number;
}

export class UncountedPage implements Page {
  readonly rows: Uint32Array;
  readonly hasNext: boolean;
  readonly #count: () => number;
  #total: number | null = null;

  constructor(rows: Uint32Array, hasNext: boolean, count: () => number) {
    this.rows = rows;
    this.hasNext = hasNext;
    this.#count = count;
  }

  get total(): number {
    this.#total ??= this.#count();
    return this.#total;
  }
}

export function emptyPage(total: number): Page {
  return { rows: new Uint32Array(0), hasNext: false, total };
}
