// The names that the expressions of one request may use: the columns of a dataset, and the calc columns that stand before an expression.
// It counts the earlier periods that they read.

import { columnHint } from '../../common/column-hint.ts';
import { nearest } from '../../common/nearest.ts';
import type { Column } from '../../domain/columns.ts';
import type { Dataset } from '../../domain/datasets.ts';
import type { Interval } from '../../domain/interval.ts';
import { quoted } from '../../errors.ts';
import { type Names, namesOf } from '../names.ts';
import { type ExpressionSource, lagsTooLarge, unknownColumn } from './expression-source.ts';
import { MAX_LAGGED, MAX_LAGS } from './limits.ts';
import type { LagNode, NumberNode } from './nodes.ts';
import { FUNCTION_NAMES } from './operations.ts';

export type Named =
  | { readonly kind: 'column'; readonly index: number; readonly column: Column }
  | { readonly kind: 'computed'; readonly node: NumberNode };

/** What people know of an asset and is not a column. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['tag', "Tags are tested by tag('defi')."],
  ['name', "Write symbol = 'BTC'; the parameter q of assets searches names."],
]);

export class Scope {
  readonly dataset: Dataset;
  /** Of the times. */
  readonly interval: Interval;
  readonly #columns: Names;
  readonly #computed = new Map<string, NumberNode>();
  readonly #lags = new Map<string, LagNode>();
  readonly #earlier = new Map<NumberNode, Map<number, NumberNode>>();

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
    const detail = `Unknown column ${quoted(name)} in ${this.dataset.name}.`;
    const instead = this.dataset.ofOneAsset ? undefined : INSTEAD.get(name);
    throw unknownColumn(source, at, detail, instead === undefined ? columnHint(name, known) : { hint: instead });
  }

  /** A name where a text is expected: its quotes are missing. */
  requireQuotes(source: ExpressionSource, name: string, at: number): void {
    if (this.#find(name) !== undefined) return;
    const meant = `'${name}'`;
    const detail = `Unknown column ${quoted(name)} in ${this.dataset.name}.`;
    throw unknownColumn(source, at, detail, { hint: `Write a text in single quotes: ${meant}.`, meant });
  }

  #find(name: string): Named | undefined {
    const index = this.#columns.exactColumn(name);
    if (index !== undefined) return { kind: 'column', index, column: this.dataset.columns[index]! };
    const node = this.#computed.get(name);
    return node && { kind: 'computed', node };
  }

  /** A column so many periods earlier: always the same node, so that a program reads it once. */
  lag(source: ExpressionSource, at: number, column: number, periods: number): LagNode {
    const name = `${column} ${periods}`;
    const known = this.#lags.get(name) ?? { kind: 'lag', column, periods };
    this.#lags.set(name, known);
    const different = new Set(this.lags.map(each => each.periods)).size;
    if (different > MAX_LAGS) {
      throw lagsTooLarge(source, at, `The request reads ${different} different numbers of earlier days.`);
    }
    if (this.#lags.size > MAX_LAGGED) {
      throw lagsTooLarge(source, at, `The request reads more than ${MAX_LAGGED} columns of earlier days.`);
    }
    return known;
  }

  /** An operation so many periods earlier, if an expression has it already. */
  earlier(node: NumberNode, periods: number): NumberNode | undefined {
    return this.#earlier.get(node)?.get(periods);
  }

  keepEarlier(node: NumberNode, periods: number, earlier: NumberNode): void {
    const known = this.#earlier.get(node) ?? new Map<number, NumberNode>();
    this.#earlier.set(node, known.set(periods, earlier));
  }

  /** All that the expressions of the request read so far. */
  get lags(): readonly LagNode[] {
    return [...this.#lags.values()];
  }

  /** The function that was probably meant. */
  nearestFunction(name: string): string {
    const near = nearest(name, FUNCTION_NAMES);
    return near === null ? `Functions: ${FUNCTION_NAMES.join(', ')}.` : `Did you mean ${near}()?`;
  }
}
