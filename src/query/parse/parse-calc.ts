// `calc=name:expression`: the computed columns of one request.

import type { ComputedColumn } from '../../domain/columns.ts';
import { ApiError, quoted } from '../../errors.ts';
import { canonicalText } from '../expression/canonical.ts';
import { checkNumber } from '../expression/check.ts';
import { checkedLength, tooLarge } from '../expression/expression-source.ts';
import { MAX_CALC_COLUMNS } from '../expression/limits.ts';
import type { NumberNode } from '../expression/nodes.ts';
import { FUNCTION_NAMES } from '../expression/operations.ts';
import { type OperatorBudget, parseExpression } from '../expression/parser.ts';
import type { Scope } from '../expression/scope.ts';
import { KEYWORDS } from '../expression/tokens.ts';
import { parametersOf } from '../parameters.ts';

export interface Calc {
  readonly column: ComputedColumn;
  readonly node: NumberNode;
}

const CALC_NAME = /^[a-z][a-z0-9_]{0,31}$/;
const WORDS: ReadonlySet<string> = new Set([...KEYWORDS, ...FUNCTION_NAMES]);

/** In the order of the request; a column may use those before it. Adds each to the scope. */
export function parseCalcs(texts: readonly string[], scope: Scope, budget: OperatorBudget): Calc[] {
  return texts.map((text, index) => parseCalc(text, index, scope, budget));
}

function parseCalc(text: string, index: number, scope: Scope, budget: OperatorBudget): Calc {
  const colon = text.indexOf(':');
  const written = { param: 'calc', text, start: colon + 1 };
  if (index >= MAX_CALC_COLUMNS)
    throw tooLarge(written, 0, `The request has more than ${MAX_CALC_COLUMNS} calc columns.`);
  const name = checkedName(text.slice(0, Math.max(colon, 0)).trim(), text, scope);
  const source = checkedLength(written);
  const tree = parseExpression(source, budget);
  const node = checkNumber(source, scope, tree);
  scope.add(name, node);
  return { column: computedColumn(name, canonicalText(tree)), node };
}

function checkedName(name: string, text: string, scope: Scope): string {
  if (!text.includes(':')) throw invalidName(`calc has no colon: ${quoted(text)}.`);
  if (!CALC_NAME.test(name)) throw invalidName(`${quoted(name)} cannot be the name of a calc column.`);
  if (scope.has(name)) throw invalidName(`${name} is already a column.`);
  if (parametersOf(scope.dataset).some(parameter => parameter === name)) throw invalidName(`${name} is a parameter.`);
  if (WORDS.has(name)) throw invalidName(`${name} is a word of the expression language.`);
  return name;
}

function invalidName(detail: string): ApiError {
  return new ApiError('invalid_calc_name', detail, {
    param: 'calc',
    position: 0,
    hint: 'Write name:expression, such as calc=trend:sma50/sma200. A name has a lower-case letter, then at most 31 lower-case letters, digits and underscores.',
  });
}

function computedColumn(name: string, formula: string): ComputedColumn {
  return {
    name,
    kind: 'computed',
    type: 'number',
    unit: null,
    nullable: true,
    description: 'Computed by the calc parameter of the request',
    formula,
  };
}
