// The result of a query: the rows of one page, and the number of rows in all.

import { finish, type Steps } from '../common/steps.ts';

export interface Page {
  /** Row numbers, in the requested order. */
  readonly rows: Uint32Array;
  readonly hasNext: boolean;
  /** Rows of all pages. If the page did not need it, it is counted on first use. */
  readonly total: number;
}

export class UncountedPage implements Page {
  readonly rows: Uint32Array;
  readonly hasNext: boolean;
  readonly #count: () => Steps<number>;
  #total: number | null = null;

  constructor(rows: Uint32Array, hasNext: boolean, count: () => Steps<number>) {
    this.rows = rows;
    this.hasNext = hasNext;
    this.#count = count;
  }

  get total(): number {
    return finish(this.counted());
  }

  *counted(): Steps<number> {
    this.#total ??= yield* this.#count();
    return this.#total;
  }
}

export function* totalInSteps(page: Page): Steps<number> {
  return page instanceof UncountedPage ? yield* page.counted() : page.total;
}

export function emptyPage(total: number): Page {
  return { rows: new Uint32Array(0), hasNext: false, total };
}
