// The conditions of `where` that plain filters can test: these use the kept orders and the ticker index. The other way round,
// filters of computed columns, which have no kept order, become conditions.

import type { Dataset } from '../../domain/datasets.ts';
import { comparison, conjunction, constant, negation, nullTest } from '../expression/build-nodes.ts';
import type { BooleanNode, NumberNode } from '../expression/nodes.ts';
import { OPERATORS, type Operator } from '../operators.ts';
import type { Filter } from './plan.ts';

export interface Conditions {
  readonly filters: readonly Filter[];
  /** Tickers in upper case that a row must have one of; null: any. */
  readonly symbols: readonly string[] | null;
  /** All that no filter tests; null: nothing. */
  readonly where: BooleanNode | null;
}

export function splitConditions(dataset: Dataset, condition: BooleanNode): Conditions {
  const filters: Filter[] = [];
  const rest: BooleanNode[] = [];
  let symbols: readonly string[] | null = null;
  for (const each of condition.kind === 'and' ? condition.operands : [condition]) {
    const filter = filterOf(dataset, each);
    const tickers = tickersOf(dataset, each);
    if (filter !== null) filters.push(filter);
    else if (tickers !== null) symbols = intersection(symbols, tickers);
    else rest.push(each);
  }
  const where = conjunction(rest);
  return { filters, symbols, where: where.kind === 'truth' && where.value ? null : where };
}

export function intersection(one: readonly string[] | null, other: readonly string[]): readonly string[] {
  return one === null ? other : one.filter(each => other.includes(each));
}

function tickersOf(dataset: Dataset, node: BooleanNode): readonly string[] | null {
  if (node.kind !== 'text' || node.differs || dataset.ofOneAsset) return null;
  return dataset.columns[node.column]?.name === 'symbol' ? node.values : null;
}

function filterOf(dataset: Dataset, node: BooleanNode): Filter | null {
  if (node.kind === 'not') {
    const { operand } = node;
    if (operand.kind === 'missing text') return { kind: 'not_null', column: operand.column };
    if (operand.kind !== 'is null' || operand.operand.kind !== 'column') return null;
    return { kind: 'not_null', column: operand.operand.column };
  }
  if (node.kind !== 'compare') return null;
  const { left, operator, right } = node;
  if (left.kind === 'constant') return rangeOf(dataset, right, OPERATORS[operator].flipped, left);
  if (right.kind === 'constant') return rangeOf(dataset, left, operator, right);
  if (left.kind !== 'column' || right.kind !== 'column') return null;
  if ([left, right].some(({ column }) => dataset.columns[column]!.kind === 'time')) return null;
  return { kind: 'comparison', left: left.column, operator, right: right.column };
}

/** Values are doubles, so that `x > 1` is `x >= ` the double after 1. */
function rangeOf(
  dataset: Dataset,
  operand: NumberNode,
  operator: Operator,
  end: Extract<NumberNode, { kind: 'constant' }>,
): Filter | null {
  if (operand.kind !== 'column' || operator === '!=') return null;
  const { kind, nullable } = dataset.columns[operand.column]!;
  // A null day is the number -1, which a range must not meet.
  if (kind === 'time' && nullable) return null;
  const value = end.value + 0;
  const low = operator === '=' || operator === '>=' ? value : operator === '>' ? doubleAfter(value) : -Infinity;
  const high = operator === '=' || operator === '<=' ? value : operator === '<' ? -doubleAfter(-value) : Infinity;
  return { kind: 'range', column: operand.column, low, high: high + 0 };
}

const bits = new BigInt64Array(1);
const double = new Float64Array(bits.buffer);

/** The smallest double above a finite one; infinity above the largest. */
function doubleAfter(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  double[0] = value;
  bits[0]! += value > 0 ? 1n : -1n;
  return double[0];
}

/** A filter of columns that may be computed ones, as a condition; null if all of them are columns of the dataset. */
export function conditionOf(filter: Filter, computed: ReadonlyMap<number, NumberNode>): BooleanNode | null {
  const node = (column: number): NumberNode => computed.get(column) ?? { kind: 'column', column };
  if (filter.kind === 'comparison') {
    const { left, operator, right } = filter;
    if (!computed.has(left) && !computed.has(right)) return null;
    return comparison(operator, node(left), node(right));
  }
  if (!computed.has(filter.column)) return null;
  const operand = node(filter.column);
  if (filter.kind === 'not_null') return negation(nullTest(operand));
  const { low, high } = filter;
  return conjunction([
    ...(Number.isFinite(low) ? [comparison('>=', operand, constant(low))] : []),
    ...(Number.isFinite(high) ? [comparison('<=', operand, constant(high))] : []),
  ]);
}
