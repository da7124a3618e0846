// An expression as the list of conditions that `and` joins, and the conditions that a form can show.

import { type Token, tokensOf } from '../expression-tokens.ts';
import { isOperator, OPERATORS, type Operator } from './operators.ts';

/** A condition that the form can make and change. */
export type Filter =
  /** Both ends included; null is open. */
  | { readonly kind: 'range'; readonly column: string; readonly low: number | null; readonly high: number | null }
  /** With another column, or with a number. */
  | { readonly kind: 'comparison'; readonly left: string; readonly operator: Operator; readonly right: string | number }
  | { readonly kind: 'not_null'; readonly column: string };

/** The texts of the conditions; one if an `or` joins them. */
export function splitConditions(where: string): readonly string[] {
  const parts: string[] = [];
  let [from, depth, between] = [0, 0, 0];
  for (const { kind, text, at } of tokensOf(where)) {
    if (text === '(') depth++;
    else if (text === ')') depth--;
    if (depth !== 0 || kind !== 'word') continue;
    const word = text.toLowerCase();
    if (word === 'or') return whole(where);
    if (word === 'between') between++;
    else if (word === 'and' && between > 0) between--;
    else if (word === 'and') {
      parts.push(where.slice(from, at));
      from = at + text.length;
    }
  }
  return [...parts, where.slice(from)].map(part => part.trim()).filter(part => part !== '');
}

function whole(where: string): readonly string[] {
  return where.trim() === '' ? [] : [where.trim()];
}

export function joinConditions(conditions: readonly string[]): string {
  if (conditions.length < 2) return conditions.join('');
  return conditions.map(each => (isAlternative(each) ? `(${each})` : each)).join(' and ');
}

/** `a or b`, which needs parentheses beside an `and`. */
function isAlternative(condition: string): boolean {
  let depth = 0;
  return tokensOf(condition).some(({ kind, text }) => {
    if (text === '(') depth++;
    else if (text === ')') depth--;
    return depth === 0 && kind === 'word' && text.toLowerCase() === 'or';
  });
}

/** Null for a condition that only the text can show. */
export function parseFilter(condition: string, isNumeric: (name: string) => boolean): Filter | null {
  const tokens = withSigns(tokensOf(condition));
  const [first, second, ...others] = tokens.map(token => token.text.toLowerCase());
  const column = tokens[0]?.kind === 'word' && isNumeric(tokens[0].text) ? tokens[0].text : null;
  if (column === null || first === undefined || second === undefined) return null;
  if ([second, ...others].join(' ') === 'is not null') return { kind: 'not_null', column };
  const [value, and, end, ...rest] = tokens.slice(2);
  if (second === 'between' && value?.kind === 'number' && and?.text.toLowerCase() === 'and' && end?.kind === 'number') {
    return rest.length === 0 ? { kind: 'range', column, low: Number(value.text), high: Number(end.text) } : null;
  }
  const operator = Object.keys(OPERATORS).find(each => isOperator(each) && OPERATORS[each].sign === second);
  if (operator === undefined || !isOperator(operator) || value === undefined || and !== undefined) return null;
  if (value.kind === 'number') return withNumber(column, operator, Number(value.text));
  if (value.kind !== 'word' || !isNumeric(value.text)) return null;
  return { kind: 'comparison', left: column, operator, right: value.text };
}

function withNumber(column: string, operator: Operator, value: number): Filter {
  if (operator === 'ge') return { kind: 'range', column, low: value, high: null };
  if (operator === 'le') return { kind: 'range', column, low: null, high: value };
  return { kind: 'comparison', left: column, operator, right: value };
}

/** A minus before a number becomes part of it, where it cannot be a subtraction. */
function withSigns(tokens: readonly Token[]): readonly Token[] {
  const joined: Token[] = [];
  for (const token of tokens) {
    const [before, minus] = joined.slice(-2);
    const unary =
      minus?.text === '-' && before !== undefined && before.kind !== 'number' && !/^[)\]]$/.test(before.text);
    const afterColumn = before?.kind === 'word' && !/^(and|between)$/i.test(before.text);
    if (token.kind === 'number' && unary && !afterColumn) {
      joined.splice(-1, 1, { ...token, text: `-${token.text}`, at: minus.at });
    } else joined.push(token);
  }
  return joined;
}

export function writeFilter(filter: Filter): string {
  switch (filter.kind) {
    case 'comparison':
      return `${filter.left} ${OPERATORS[filter.operator].sign} ${filter.right}`;
    case 'not_null':
      return `${filter.column} is not null`;
    case 'range':
      if (filter.low === null) return `${filter.column} <= ${filter.high}`;
      return filter.high === null
        ? `${filter.column} >= ${filter.low}`
        : `${filter.column} between ${filter.low} and ${filter.high}`;
  }
}
