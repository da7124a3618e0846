// The names that an expression may use: the columns of a dataset, and the calc columns that stand before it in the request.

import { columnHint } from '../../common/column-hint.ts';
import { nearest } from '../../common/nearest.ts';
import type { Column } from '../../domain/columns.ts';
import type { Dataset } from '../../domain/datasets.ts';
import type { Interval } from '../../domain/interval.ts';
import { quoted } from '../../errors.ts';
import { type Names, namesOf } from '../names.ts';
import { type ExpressionSource, unknownColumn } from './expression-source.ts';
import type { NumberNode } from './nodes.ts';
import { FUNCTIONS } from './operations.ts';

export type Named =
  | { readonly kind: 'column'; readonly index: number; readonly column: Column }
  | { readonly kind: 'computed'; readonly node: NumberNode };

export class Scope {
  readonly dataset: Dataset;
  /** Of the times. */
  readonly interval: Interval;
  readonly #columns: Names;
  readonly #computed = new Map<string, NumberNode>();

  constructor(dataset: Dataset, interval: Interval = '1d') {
    this.dataset = dataset;
    this.interval = interval;
    this.#columns = namesOf(dataset);
  }

  /** A column that later expressions may use by its name. */
  add(name: string, node: NumberNode): void {
    this.#computed.set(name, node);
  }

  has(name: string): boolean {
    return this.#find(name) !== undefined;
  }

  require(source: ExpressionSource, name: string, at: number): Named {
    const named = this.#find(name);
    if (named !== undefined) return named;
    const known = [...this.dataset.columns.map(column => column.name), ...this.#computed.keys()];
    const detail = `There is no column ${quoted(name)} in ${this.dataset.name}.`;
    const isTag = name === 'tag' && !this.dataset.ofOneAsset;
    throw unknownColumn(
      source,
      at,
      detail,
      isTag ? { hint: "Tags are tested by tag('defi')." } : columnHint(name, known),
    );
  }

  /** A name where a text is expected: its quotes are missing. */
  requireQuotes(source: ExpressionSource, name: string, at: number): void {
    if (this.#find(name) !== undefined) return;
    const meant = `'${name}'`;
    const detail = `There is no column ${quoted(name)} in ${this.dataset.name}.`;
    throw unknownColumn(source, at, detail, { hint: `Write a text in single quotes: ${meant}.`, meant });
  }

  #find(name: string): Named | undefined {
    const index = this.#columns.exactColumn(name);
    if (index !== undefined) return { kind: 'column', index, column: this.dataset.columns[index]! };
    const node = this.#computed.get(name);
    return node && { kind: 'computed', node };
  }

  /** The function that was probably meant. */
  nearestFunction(name: string): string {
    const known = [...FUNCTIONS.keys(), 'tag'];
    const near = nearest(name, known);
    return near === null ? `Functions: ${known.join(', ')}.` : `Did you mean ${near}()?`;
  }
}
