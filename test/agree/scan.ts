// The answer to a request by a plain scan: the contract read literally over all rows of the view, without index, plan or cache. It shares
// no code with the service.

import type { Comparison, ConditionTree, NumberTree } from './expressions.ts';
import { type Interval, instantOf, lastPeriodOf, startOf } from './periods.ts';
import { type Cell, DATASET, isNumeric, type Request, type Row } from './requests.ts';

/** What rows do not show. */
export interface Facts {
  /** Of their times. */
  readonly interval: Interval;
  /** Tags and type of the asset of a row, in lower case. */
  profile(row: Row): { readonly tags: readonly string[]; readonly types: readonly string[] };
  /** The row of the same asset so many periods earlier; null before its first close. */
  earlier(row: Row, periods: number): Row | null;
}

/** All rows that a request selects, in its order, with its computed columns. */
export function selected(request: Request, rows: readonly Row[], facts: Facts): Row[] {
  return rows
    .map(row => withComputed(request, row, facts))
    .filter(row => passes(request, row, facts))
    .sort((a, b) => compareRows(request, a, b));
}

/** The page that the request asks for, with the columns that it shows. */
export function pageOf(request: Request, all: readonly Row[]): Row[] {
  const names = shownColumns(request);
  const start = (request.page - 1) * request.limit;
  return all
    .slice(start, start + request.limit)
    .map(row => Object.fromEntries(names.map(name => [name, row[name] ?? null])));
}

export function shownColumns({ view, included, excluded, calcs }: Request): string[] {
  const shown = DATASET[view.dataset].columns.filter(
    column => !('group' in column) || ['all', column.name, column.group].some(name => included.includes(name)),
  );
  return [...shown.map(({ name }) => name), ...calcs.map(({ name }) => name)].filter(name => !excluded.includes(name));
}

function withComputed({ calcs }: Request, row: Row, facts: Facts): Row {
  const computed: Record<string, Cell> = { ...row };
  for (const { name, value } of calcs) computed[name] = numberOf(value, computed, facts);
  return computed;
}

const FUNCTIONS: Readonly<Record<Extract<NumberTree, { kind: 'call' }>['name'], (...values: number[]) => number>> = {
  abs: x => Math.abs(x!),
  sqrt: x => Math.sqrt(x!),
  ln: x => Math.log(x!),
  min: Math.min,
  max: Math.max,
};

/** Null propagates; what is not a finite number is null. */
export function numberOf(tree: NumberTree, row: Row | null, facts: Facts): number | null {
  const evaluated = (of: NumberTree) => numberOf(of, row, facts);
  switch (tree.kind) {
    case 'literal':
      return Number(tree.text);
    case 'column': {
      const value = row?.[tree.name] ?? null;
      return value === null ? null : Number(value);
    }
    case 'lag':
      return numberOf(tree.of, row && facts.earlier(row, tree.days), facts);
    case 'negate': {
      const value = evaluated(tree.of);
      return value === null ? null : -value;
    }
    case 'call': {
      const values = tree.of.map(evaluated);
      if (values.some(value => value === null)) return null;
      return finite(FUNCTIONS[tree.name](...(values as number[]))); // none is null
    }
    case 'arithmetic': {
      const [left, right] = [evaluated(tree.left), evaluated(tree.right)];
      if (left === null || right === null) return null;
      switch (tree.operator) {
        case '+':
          return finite(left + right);
        case '-':
          return finite(left - right);
        case '*':
          return finite(left * right);
        case '/':
          return finite(left / right);
      }
    }
  }
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** True or false: a comparison with null is false, and its negation true. */
export function holds(tree: ConditionTree, row: Row, facts: Facts): boolean {
  const evaluated = (of: NumberTree) => numberOf(of, row, facts);
  switch (tree.kind) {
    case 'and':
      return holds(tree.left, row, facts) && holds(tree.right, row, facts);
    case 'or':
      return holds(tree.left, row, facts) || holds(tree.right, row, facts);
    case 'not':
      return !holds(tree.of, row, facts);
    case 'compare':
      return compares(evaluated(tree.left), tree.operator, evaluated(tree.right));
    case 'between': {
      const value = evaluated(tree.of);
      const within = compares(value, '>=', evaluated(tree.low)) && compares(value, '<=', evaluated(tree.high));
      return within !== tree.not;
    }
    case 'in': {
      const value = evaluated(tree.of);
      return tree.items.some(item => compares(value, '=', evaluated(item))) !== tree.not;
    }
    case 'text': {
      const text = row[tree.column] ?? null;
      return text !== null && sameText(String(text), tree.value) === (tree.operator === '=');
    }
    case 'text in': {
      const text = row[tree.column] ?? null;
      return (text !== null && tree.values.some(value => sameText(String(text), value))) !== tree.not;
    }
    case 'time': {
      const time = row[tree.column] ?? null;
      return compares(
        time === null ? null : Date.parse(String(time)),
        tree.operator,
        instantOf(facts.interval, tree.day),
      );
    }
    case 'is null':
      return (evaluated(tree.of) === null) !== tree.not;
    case 'column is null':
      return ((row[tree.column] ?? null) === null) !== tree.not;
    case 'flag':
      return row[tree.column] === true;
    case 'crosses': {
      const [now, before] = tree.way === 'above' ? (['>', '<='] as const) : (['<', '>='] as const);
      const earlier = (of: NumberTree) => numberOf(of, facts.earlier(row, 1), facts);
      return (
        compares(evaluated(tree.left), now, evaluated(tree.right)) &&
        compares(earlier(tree.left), before, earlier(tree.right))
      );
    }
    case 'tag':
      return facts.profile(row).tags.includes(tree.value.toLowerCase());
  }
}

function compares<T extends string | number>(left: T | null, operator: Comparison, right: T | null): boolean {
  if (left === null || right === null) return false;
  switch (operator) {
    case '=':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
  }
}

function sameText(a: string, b: string): boolean {
  return a.toUpperCase() === b.toUpperCase();
}

function passes(request: Request, row: Row, facts: Facts): boolean {
  const cell = (name: string) => row[name] ?? null;
  const number = (name: string) => cell(name) as number | null; // the columns of ranges and comparisons are numeric
  const { ranges, comparisons, search } = request;
  for (const { column, low, high } of ranges) {
    const value = number(column);
    if (value === null || (low !== null && value < low) || (high !== null && value > high)) return false;
  }
  if (!comparisons.every(({ left, operator, right }) => compares(number(left), operator, number(right)))) return false;
  const named = [...ranges.map(({ column }) => column), ...comparisons.flatMap(({ left, right }) => [left, right])];
  // A filter by a flag is a range too.
  const flagged = request.flags.map(({ column }) => column);
  const implied = request.notNullFlag ? (named.length + flagged.length > 0 ? named : [sortColumn(request)]) : [];
  if ([...request.notNull, ...implied].some(name => cell(name) === null)) return false;
  if (!request.flags.every(({ column, value }) => cell(column) === value)) return false;
  const { symbols, tags, types, minHistory, from, to } = request;
  if (symbols !== null && !symbols.some(symbol => sameText(symbol, String(cell('symbol'))))) return false;
  const profile = facts.profile(row);
  if (tags !== null && !tags.some(tag => profile.tags.includes(tag.toLowerCase()))) return false;
  if (types !== null && !types.some(type => profile.types.includes(type.toLowerCase()))) return false;
  if (minHistory !== null && Number(cell('history')) < minHistory) return false;
  const start = Date.parse(String(cell('datetimeUTC')));
  if (from !== null && start < instantOf(facts.interval, from)) return false;
  if (to !== null && start > startOf(facts.interval, lastPeriodOf(facts.interval, to))) return false;
  if (search !== null) {
    const wanted = folded(search).trim();
    if (!['id', 'name', 'symbol'].some(name => folded(String(cell(name))).includes(wanted))) return false;
  }
  return request.where === null || holds(request.where, row, facts);
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function sortColumn({ view, sort }: Request): string {
  return sort ?? DATASET[view.dataset].defaultSort;
}

function compareRows(request: Request, a: Row, b: Row): number {
  const { tieBreaker, defaultOrder } = DATASET[request.view.dataset];
  const name = sortColumn(request);
  const [left, right] = [a[name] ?? null, b[name] ?? null];
  const ties = () => compareCells(a[tieBreaker] ?? null, b[tieBreaker] ?? null);
  if (left === null || right === null) return Number(left === null) - Number(right === null) || ties();
  const byValue = compareCells(left, right);
  return ((request.order ?? defaultOrder) === 'asc' ? byValue : -byValue) || ties();
}

/** Texts by code point. */
function compareCells(a: Cell, b: Cell): number {
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
  return Number(a) - Number(b) || 0;
}

export interface Statistics {
  readonly column: string;
  readonly count: number;
  readonly nulls: number;
  /** Ascending. */
  readonly values: readonly number[];
}

/** One per column of `stats`. */
export function statistics(request: Request, all: readonly Row[], columns: readonly string[]): Statistics[] {
  const { calcs, view } = request;
  const isNumber = (name: string) =>
    calcs.some(calc => calc.name === name) ||
    DATASET[view.dataset].columns.some(column => column.name === name && isNumeric(column));
  const names = columns.length > 0 ? [...new Set(columns)] : shownColumns(request).filter(isNumber);
  return names.map(column => {
    const values = all.map(row => row[column] ?? null).filter(value => value !== null);
    return {
      column,
      count: all.length,
      nulls: all.length - values.length,
      values: values.map(Number).sort((a, b) => a - b),
    };
  });
}

/** Types first, then tags; the most frequent first, then by name. */
export function facets(all: readonly Row[], facts: Facts): Row[] {
  const profiles = all.map(row => facts.profile(row));
  return (['type', 'tag'] as const).flatMap(facet => {
    const values = profiles.flatMap(profile => (facet === 'type' ? profile.types : profile.tags));
    return [...new Set(values)]
      .map(value => ({ facet, value, count: values.filter(each => each === value).length }))
      .sort((a, b) => b.count - a.count || compareCells(a.value, b.value));
  });
}
