// The names that an expression may use: the columns of a dataset, and the calc columns that stand before it in the request.

import { nearest } from '../../common/nearest.ts';
import type { Column } from '../../domain/columns.ts';
import type { Dataset } from '../../domain/datasets.ts';
import { quoted } from '../../errors.ts';
import { type ExpressionSource, unknownColumn } from './expression-source.ts';
import type { NumberNode } from './nodes.ts';
import { FUNCTIONS } from './operations.ts';

export type Named =
  | { readonly kind: 'column'; readonly index: number; readonly column: Column }
  | { readonly kind: 'computed'; readonly node: NumberNode };

export class Scope {
  readonly dataset: Dataset;
  readonly #names = new Map<string, Named>();

  constructor(dataset: Dataset) {
    this.dataset = dataset;
    for (const [index, column] of dataset.columns.entries()) {
      this.#names.set(column.name, { kind: 'column', index, column });
    }
  }

  /** A column that later expressions may use by its name. */
  add(name: string, node: NumberNode): void {
    this.#names.set(name, { kind: 'computed', node });
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  require(source: ExpressionSource, name: string, at: number): Named {
    const named = this.#names.get(name);
    if (named !== undefined) return named;
    const near = nearest(name, this.#names.keys());
    throw unknownColumn(
      source,
      at,
      `There is no column ${quoted(name)} in ${this.dataset.name}.`,
      near === null ? `Columns: ${[...this.#names.keys()].join(', ')}.` : `Did you mean ${near}?`,
    );
  }

  /** The function that was probably meant. */
  nearestFunction(name: string): string {
    const known = [...FUNCTIONS.keys(), 'tag'];
    const near = nearest(name, known);
    return near === null ? `Functions: ${known.join(', ')}.` : `Did you mean ${near}()?`;
  }
}
