// A syntax tree to nodes: looks names up, checks types, folds constants.

import { hasNoPast } from '../../domain/columns.ts';
import { parseTime, placeOfTime } from '../../domain/interval.ts';
import { type ApiError, quoted } from '../../errors.ts';
import { OPERATORS, type Operator } from '../operators.ts';
import { comparison, conjunction, constant, disjunction, negation, nullTest, operation } from './build-nodes.ts';
import { type ExpressionSource, expressionError, noPastValues, unknownColumn } from './expression-source.ts';
import { MAX_LAG } from './limits.ts';
import { type BooleanNode, foldText, type NumberNode } from './nodes.ts';
import { FUNCTIONS, isPeriodFunction, OPERATIONS, type OperationName, type PeriodFunction } from './operations.ts';
import type { Scope } from './scope.ts';
import type { Syntax } from './syntax.ts';

/** What an expression is: a number, a truth value, a day, a column of texts, or a text that was written down. */
type Typed =
  | { readonly type: 'number'; readonly node: NumberNode }
  | { readonly type: 'boolean'; readonly node: BooleanNode }
  | { readonly type: 'day'; readonly node: NumberNode }
  | { readonly type: 'text'; readonly column: number; readonly name: string }
  | { readonly type: 'literal'; readonly value: string };

const TYPE_WORDS = {
  number: 'a number',
  boolean: 'a condition',
  day: 'a time',
  text: 'a text',
  literal: 'a text',
} as const satisfies Record<Typed['type'], string>;

const EXAMPLES = {
  lag: 'lag(price, 7)',
  crosses_above: 'crosses_above(sma50, sma200)',
  crosses_below: 'crosses_below(price, sma200)',
} as const satisfies Record<PeriodFunction, string>;

/** For `where`. */
export function checkCondition(source: ExpressionSource, scope: Scope, tree: Syntax): BooleanNode {
  return new Checker(source, scope).condition(tree);
}

/** For `calc`. */
export function checkNumber(source: ExpressionSource, scope: Scope, tree: Syntax): NumberNode {
  return new Checker(source, scope).number(tree);
}

class Checker {
  readonly #source: ExpressionSource;
  readonly #scope: Scope;

  constructor(source: ExpressionSource, scope: Scope) {
    this.#source = source;
    this.#scope = scope;
  }

  condition(tree: Syntax): BooleanNode {
    const typed = this.#typed(tree);
    if (typed.type === 'boolean') return typed.node;
    throw this.#wrongType(tree, typed, 'a condition', 'Compare it with something: price > 1.');
  }

  number(tree: Syntax): NumberNode {
    const typed = this.#typed(tree);
    if (typed.type === 'number') return typed.node;
    throw this.#wrongType(tree, typed, 'a number');
  }

  #typed(tree: Syntax): Typed {
    switch (tree.kind) {
      case 'number':
        return { type: 'number', node: constant(tree.value) };
      case 'text':
        return { type: 'literal', value: tree.value };
      case 'name':
        return this.#column(tree.name, tree.at);
      case 'call':
        return this.#call(tree.name, tree.operands, tree.at);
      case 'unary':
        if (tree.operator === '-') return { type: 'number', node: operation('negate', this.number(tree.operand)) };
        return { type: 'boolean', node: negation(this.condition(tree.operand)) };
      case 'binary':
        return this.#binary(tree);
      case 'between': {
        const low = this.#comparison('>=', tree.operand, tree.low, tree.at);
        return { type: 'boolean', node: conjunction([low, this.#comparison('<=', tree.operand, tree.high, tree.at)]) };
      }
      case 'in':
        return { type: 'boolean', node: this.#in(tree.operand, tree.items, tree.at) };
      case 'is null':
        return { type: 'boolean', node: this.#isNull(tree.operand) };
      case 'is not null':
        return { type: 'boolean', node: negation(this.#isNull(tree.operand)) };
    }
  }

  #column(name: string, at: number): Typed {
    const named = this.#scope.require(this.#source, name, at);
    if (named.kind === 'computed') return { type: 'number', node: named.node };
    const { index, column } = named;
    if (column.type === 'boolean') return { type: 'boolean', node: { kind: 'flag', column: index } };
    if (column.type !== 'string') return { type: 'number', node: { kind: 'column', column: index } };
    if (column.kind === 'time') return { type: 'day', node: { kind: 'column', column: index } };
    return { type: 'text', column: index, name };
  }

  #call(name: string, operands: readonly Syntax[], at: number): Typed {
    if (name === 'tag') return { type: 'boolean', node: this.#tag(operands, at) };
    if (isPeriodFunction(name)) return this.#ofPeriods(name, operands, at);
    const known = FUNCTIONS.get(name);
    if (known === undefined) {
      throw this.#error(at, `Unknown function ${quoted(name)}.`, this.#scope.nearestFunction(name));
    }
    const [first, ...others] = operands;
    const takesMore = OPERATIONS[known].operands === 2;
    if (first === undefined || (takesMore ? others.length === 0 : others.length > 0)) {
      throw this.#error(
        at,
        `${name}() takes ${takesMore ? 'two or more values' : 'one value'}, not ${operands.length}.`,
      );
    }
    const node = others.reduce(
      (left: NumberNode, right) => operation(known, left, this.number(right)),
      takesMore ? this.number(first) : operation(known, this.number(first)),
    );
    return { type: 'number', node };
  }

  #ofPeriods(name: PeriodFunction, operands: readonly Syntax[], at: number): Typed {
    const { dataset } = this.#scope;
    if (!dataset.hasEarlier) {
      throw this.#error(
        at,
        `${name}() cannot be used in ${dataset.name}.`,
        'Use it in ta-cur, its statistics and ta-hist.',
      );
    }
    const [first, second] = operands;
    if (first === undefined || second === undefined || operands.length > 2) {
      throw this.#error(at, `${name}() takes two values, not ${operands.length}.`, `Write ${EXAMPLES[name]}.`);
    }
    if (name === 'lag') return this.#lag(first, second);
    const [now, before] = name === 'crosses_above' ? (['>', '<='] as const) : (['<', '>='] as const);
    const [x, y] = [this.number(first), this.number(second)];
    const earlier = comparison(before, this.#earlier(x, 1, first), this.#earlier(y, 1, second));
    return { type: 'boolean', node: conjunction([comparison(now, x, y), earlier]) };
  }

  #lag(operand: Syntax, count: Syntax): Typed {
    const periods = count.kind === 'number' ? count.value : Number.NaN;
    if (!Number.isInteger(periods) || periods < 1 || periods > MAX_LAG) {
      throw this.#error(
        startOf(count),
        `lag() takes a number of days from 1 to ${MAX_LAG}, written as a whole number.`,
        `Write ${EXAMPLES.lag}.`,
      );
    }
    const typed = this.#typed(operand);
    if (typed.type !== 'number' && typed.type !== 'day') throw this.#wrongType(operand, typed, 'a number');
    return { type: typed.type, node: this.#earlier(typed.node, periods, operand) };
  }

  /** Every column of the node so many periods earlier. */
  #earlier(node: NumberNode, periods: number, tree: Syntax): NumberNode {
    switch (node.kind) {
      case 'constant':
      case 'values':
        return node;
      case 'column':
        return this.#earlierColumn(node.column, periods, tree);
      case 'lag':
        return this.#earlierColumn(node.column, node.periods + periods, tree);
      case 'operation': {
        // A node that several expressions share stays one node.
        const known = this.#scope.earlier(node, periods);
        const made = known ?? operation(node.name, ...this.#earlierOperands(node, periods, tree));
        this.#scope.keepEarlier(node, periods, made);
        return made;
      }
    }
  }

  #earlierOperands(
    { operands }: Extract<NumberNode, { kind: 'operation' }>,
    periods: number,
    tree: Syntax,
  ): [NumberNode, NumberNode?] {
    const [first, second] = operands.map(operand => this.#earlier(operand, periods, tree));
    return second === undefined ? [first!] : [first!, second]; // an operation has one operand or two
  }

  #earlierColumn(index: number, periods: number, tree: Syntax): NumberNode {
    const at = startOf(tree);
    if (periods > MAX_LAG) {
      throw this.#error(at, `The expression reads ${periods} days back, and lag() reaches back ${MAX_LAG} at most.`);
    }
    const column = this.#scope.dataset.columns[index]!;
    if (hasNoPast(column)) throw noPastValues(this.#source, at, `${column.name} has current values only.`);
    return this.#scope.lag(this.#source, at, index, periods);
  }

  #tag(operands: readonly Syntax[], at: number): BooleanNode {
    if (this.#scope.dataset.ofOneAsset) {
      throw this.#error(at, `tag() cannot be used in ${this.#scope.dataset.name}: its rows are days of one asset.`);
    }
    const [only] = operands;
    if (operands.length !== 1 || only?.kind !== 'text') {
      throw this.#error(at, "tag() takes one text: tag('defi').");
    }
    return { kind: 'profile', fact: 'tag', values: [foldText(only.value)] };
  }

  #binary({ operator, left, right, at }: Extract<Syntax, { kind: 'binary' }>): Typed {
    if (operator === 'and' || operator === 'or') {
      const operands = [this.condition(left), this.condition(right)];
      return { type: 'boolean', node: operator === 'and' ? conjunction(operands) : disjunction(operands) };
    }
    if (isComparison(operator)) return { type: 'boolean', node: this.#comparison(operator, left, right, at) };
    return { type: 'number', node: operation(operator satisfies OperationName, this.number(left), this.number(right)) };
  }

  #comparison(operator: Operator, left: Syntax, right: Syntax, at: number): BooleanNode {
    this.#refuseTagColumn(left, [right], operator === '!=' ? 'not ' : '');
    const one = this.#typed(left);
    if (one.type === 'text') this.#refuseBareText(one.name, operator, right);
    const other = this.#typed(right);
    if (one.type === 'number' && other.type === 'number') return comparison(operator, one.node, other.node);
    if (one.type === 'day' || other.type === 'day') {
      return comparison(operator, this.#day(left, one), this.#day(right, other));
    }
    if (one.type === 'text' && other.type === 'literal') return this.#textTest(one, operator, [other.value], at);
    if (one.type === 'literal' && other.type === 'text') return this.#textTest(other, operator, [one.value], at);
    if (one.type === 'boolean' || other.type === 'boolean') {
      const [tree, hint] = one.type === 'boolean' ? [left, ''] : [right, ''];
      throw this.#error(tree.at, `A condition cannot be compared.${hint}`, 'Write is_active, or not is_active.');
    }
    throw this.#error(
      at,
      `${TYPE_WORDS[one.type]} cannot be compared with ${TYPE_WORDS[other.type]}.`.replace(/^a/, 'A'),
      "Compare numbers with numbers, and a text column with a text: symbol = 'BTC'.",
    );
  }

  #day(tree: Syntax, typed: Typed): NumberNode {
    if (typed.type === 'day') return typed.node;
    const time = typed.type === 'literal' ? parseTime(typed.value) : null;
    const place = time && placeOfTime(this.#scope.interval, time);
    if (place !== null) return constant(place);
    throw this.#error(tree.at, 'A time is compared with a day.', "Write a day as '2026-01-31'.");
  }

  /** `tag = meme`: a tag is not a column, since an asset has several. */
  #refuseTagColumn(operand: Syntax, values: readonly Syntax[], not: string): void {
    if (operand.kind !== 'name' || operand.name.toLowerCase() !== 'tag' || this.#scope.has(operand.name)) return;
    // Enough to see the form.
    const texts = values
      .slice(0, 2)
      .map(value => (value.kind === 'name' ? value.name : value.kind === 'text' ? value.value : 'defi'));
    const calls = texts.map(text => `${not}tag('${text.slice(0, 40).toWellFormed().replaceAll("'", "''")}')`);
    const detail = `Unknown column ${quoted(operand.name)} in ${this.#scope.dataset.name}.`;
    throw unknownColumn(this.#source, operand.at, detail, { hint: `Write ${calls.join(' or ')}.` });
  }

  /** `symbol = BTC`: a text has quotes. */
  #refuseBareText(column: string, operator: Operator, value: Syntax): void {
    if (value.kind !== 'name' || this.#scope.has(value.name)) return;
    const detail = `Unknown column ${quoted(value.name)} in ${this.#scope.dataset.name}.`;
    const meant = `'${value.name.slice(0, 40)}'`;
    throw unknownColumn(this.#source, value.at, detail, { hint: `Write ${column} ${operator} ${meant}.`, meant });
  }

  #in(operand: Syntax, items: readonly Syntax[], at: number): BooleanNode {
    this.#refuseTagColumn(operand, items, '');
    const typed = this.#typed(operand);
    if (typed.type !== 'text') {
      return disjunction(items.map(item => this.#comparison('=', operand, item, item.at)));
    }
    const values = items.map(item => {
      if (item.kind === 'text') return item.value;
      if (item.kind === 'name') this.#scope.requireQuotes(this.#source, item.name, item.at);
      throw this.#error(item.at, `Expected a text, because ${typed.name} is a text column.`, "Write ('BTC', 'ETH').");
    });
    return this.#textTest(typed, '=', values, at);
  }

  #textTest(
    { column, name }: Extract<Typed, { type: 'text' }>,
    operator: Operator,
    values: readonly string[],
    at: number,
  ): BooleanNode {
    if (operator !== '=' && operator !== '!=') {
      throw this.#error(at, `${name} is a text column, which has no order.`, 'Texts take =, != and in.');
    }
    const folded = [...new Set(values.map(foldText))].sort();
    return { kind: 'text', column, values: folded, differs: operator === '!=' };
  }

  #isNull(operand: Syntax): BooleanNode {
    const typed = this.#typed(operand);
    if (typed.type === 'number' || typed.type === 'day') return nullTest(typed.node);
    if (typed.type === 'text') return { kind: 'missing text', column: typed.column };
    throw this.#wrongType(operand, typed, 'a number or a column');
  }

  #wrongType(tree: Syntax, typed: Typed, expected: string, hint?: string): ApiError {
    return this.#error(startOf(tree), `Expected ${expected}, but this is ${TYPE_WORDS[typed.type]}.`, hint);
  }

  #error(at: number, detail: string, hint?: string): ApiError {
    return expressionError(this.#source, at, detail, hint);
  }
}

function isComparison(operator: string): operator is Operator {
  return Object.hasOwn(OPERATORS, operator);
}

/** Of the whole expression: a binary node knows where its operator is. */
function startOf(tree: Syntax): number {
  switch (tree.kind) {
    case 'binary':
      return startOf(tree.left);
    case 'between':
    case 'in':
    case 'is null':
    case 'is not null':
      return startOf(tree.operand);
    default:
      return tree.at;
  }
}
