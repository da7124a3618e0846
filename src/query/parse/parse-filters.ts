// Parses ranges, comparisons and not-null filters in all forms that a query string may contain.

import { ApiError, clipped, quoted } from '../../errors.ts';
import type { Names } from '../names.ts';
import { OPERATORS, type Operator } from '../operators.ts';
import { PARAMETERS, type ParameterName } from '../parameters.ts';
import { flagOf, parseList, parseNumber } from './parse-values.ts';
import type { Filter } from './plan.ts';
import type { Pair } from './split-query.ts';

/** Per request, before duplicates are removed. */
export const MAX_FILTERS = 100;

const NOT_NULL = 'not_null';
/** Longest first, so that `>=` is not read as `>`. */
const OPERATORS_BY_LENGTH = (Object.keys(OPERATORS) as Operator[]).sort((a, b) => b.length - a.length);

interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** Reads filters one by one. What depends on the sort column waits for `finish`, because `sort=` may come last. */
export class FilterReader {
  readonly #names: Names;
  readonly #filters: Filter[] = [];
  readonly #sortRanges: Bounds[] = [];
  #notNullFlag = false;

  constructor(names: Names) {
    this.#names = names;
  }

  /**
   * A pair whose name is not a parameter: `price=10:100`, `change365=not_null`, `is_active=true`, `[sma50]>:[sma200]`. False for any
   * other pair.
   */
  readPair(pair: Pair): boolean {
    const { name, value } = pair;
    if (/[<>!=]/.test(name) || this.#comparesWithColumn(pair)) {
      this.#readComparison(comparisonText(pair), comparisonText(pair));
      return true;
    }
    const column = this.#names.column(name);
    if (column === undefined) return false;
    if (value === NOT_NULL) {
      this.#add({ kind: 'not_null', column }, name);
    } else if (this.#names.isFlag(column)) {
      const flag = flagOf(value ?? '');
      if (flag === null) throw invalidFlag(name, value ?? '');
      this.#add({ kind: 'range', column, low: Number(flag), high: Number(flag) }, name);
    } else {
      this.#names.checkNumeric(column, name);
      this.#add({ kind: 'range', column, ...parseBounds(value ?? '', name) }, name);
    }
    return true;
  }

  /** Whether the pair is like `price=not_null`, also if the name is a parameter too, as `symbol` is. */
  readsAsNotNull({ name, value }: Pair): boolean {
    return value === NOT_NULL && this.#names.column(name) !== undefined;
  }

  /** False unless the parameter is one of filters. */
  readParameter(name: ParameterName, value: string): boolean {
    if (name === 'range') {
      for (const item of parseList(name, value)) this.#readRange(item);
    } else if (name === 'comparison') {
      for (const item of parseList(name, value)) this.#readComparison(item, name);
    } else if (name === NOT_NULL) {
      this.#readNotNull(value);
    } else {
      return false;
    }
    return true;
  }

  finish(sort: number): Filter[] {
    for (const bounds of this.#sortRanges.splice(0)) {
      this.#names.checkNumeric(sort, 'range');
      this.#add({ kind: 'range', column: sort, ...bounds }, 'range');
    }
    // Ranges and comparisons exclude nulls already: a null is in no range, and every comparison with it is false. So the flag
    // matters only without them.
    const named = this.#filters.some(({ kind }) => kind !== 'not_null');
    if (this.#notNullFlag && !named) this.#add({ kind: 'not_null', column: sort }, NOT_NULL);
    return this.#filters;
  }

  #readNotNull(value: string): void {
    const flag = value === '' ? true : flagOf(value);
    if (flag !== null) {
      this.#notNullFlag ||= flag;
      return;
    }
    for (const name of parseList(NOT_NULL, value)) {
      this.#add({ kind: 'not_null', column: this.#names.requireColumn(name, NOT_NULL) }, NOT_NULL);
    }
  }

  /** `column:bounds` or `bounds`. */
  #readRange(item: string): void {
    const colon = item.indexOf(':');
    const first = colon < 0 ? item : item.slice(0, colon);
    if (first.trim() === '' || parseNumber(first) !== null) {
      this.#sortRanges.push(parseBounds(item, 'range'));
      this.#checkCount('range');
      return;
    }
    const column = this.#names.requireNumeric(first, 'range');
    this.#add({ kind: 'range', column, ...parseBounds(colon < 0 ? '' : item.slice(colon + 1), 'range') }, 'range');
  }

  /** `[price]=:[sma20]` is a comparison, `[price]=:100` a range. */
  #comparesWithColumn({ name, value }: Pair): boolean {
    const right = value?.trim() ?? '';
    if (!right.startsWith(':') || this.#names.column(name) === undefined) return false;
    return right.slice(1).trim().startsWith('[') || this.#names.column(right.slice(1)) !== undefined;
  }

  #readComparison(text: string, param: string): void {
    const { left, operator, right } = splitComparison(text, param);
    const columns = { left: this.#names.requireNumeric(left, param), right: this.#names.requireNumeric(right, param) };
    this.#add({ kind: 'comparison', operator, ...columns }, param);
  }

  #add(filter: Filter, param: string): void {
    this.#filters.push(filter);
    this.#checkCount(param);
  }

  #checkCount(param: string): void {
    if (this.#filters.length + this.#sortRanges.length <= MAX_FILTERS) return;
    throw new ApiError('too_many_filters', `The request has more than ${MAX_FILTERS} filters.`, {
      param: clipped(param),
      hint: 'Remove redundant filters, or filter the rows after reading them.',
    });
  }
}

/** The filter as it was before the query string was split at its first `=`. */
function comparisonText({ name, value }: Pair): string {
  if (value === null || value === '') return name;
  // `{"[sma50]>:": "[sma200]"}` is how a client that knows only names and values can say "greater".
  return name.trimEnd().endsWith(':') ? name + value : `${name}=${value}`;
}

function splitComparison(text: string, param: string): { left: string; operator: Operator; right: string } {
  const at = text.search(/[<>!=]/);
  const operator = OPERATORS_BY_LENGTH.find(each => at >= 0 && text.startsWith(each, at));
  const afterOperator = operator === undefined ? '' : text.slice(at + operator.length).trim();
  if (operator === undefined || !afterOperator.startsWith(':')) throw invalidComparison(text, param);
  const [left, right] = [text.slice(0, at).trim(), afterOperator.slice(1).trim()];
  if (left === '' || right === '' || parseNumber(right) !== null) throw invalidComparison(text, param);
  return { left, operator, right };
}

function invalidComparison(text: string, param: string): ApiError {
  const operators = Object.keys(OPERATORS).join(' ');
  return new ApiError('invalid_comparison', `${quoted(text)} does not compare two columns.`, {
    param: clipped(param),
    hint: `Write [sma50]>:[sma200] with one of ${operators} before the colon. To compare with a number, use a range: price=10:100.`,
  });
}

function invalidFlag(name: string, value: string): ApiError {
  return new ApiError('invalid_value', `${name} cannot be ${quoted(value)}.`, {
    param: clipped(name),
    hint: `${name} takes "true" or "false".`,
  });
}

function parseBounds(text: string, param: string): Bounds {
  const ends = text.split(':');
  const [low, high] = ends.length === 1 ? [text, text] : [ends[0]!, ends[1]!];
  const open = (end: string) => end.trim() === '';
  if (ends.length > 2 || (open(low) && open(high))) throw invalidRange(`${quoted(text)} is not a range.`, param);
  const bounds = {
    low: open(low) ? Number.NEGATIVE_INFINITY : parseEnd(low, param),
    high: open(high) ? Number.POSITIVE_INFINITY : parseEnd(high, param),
  };
  if (bounds.low > bounds.high) {
    throw invalidRange(`The low end ${bounds.low} is above the high end ${bounds.high}.`, param);
  }
  return bounds;
}

function parseEnd(text: string, param: string): number {
  const value = parseNumber(text);
  if (value === null) throw invalidRange(`${quoted(text)} is not a number.`, param);
  return value;
}

function invalidRange(detail: string, param: string): ApiError {
  const hint =
    param === 'range'
      ? `range takes ${PARAMETERS.range.takes}, with numbers as in JSON.`
      : 'Write low:high, low:, :high or one number, with numbers as in JSON, or not_null.';
  return new ApiError('invalid_range', detail, { param: clipped(param), hint });
}
