// The syntax tree of an expression, as it was written: names are not looked up and types not checked yet.

import type { Operator } from '../operators.ts';

export type Arithmetic = '+' | '-' | '*' | '/';
export type BinaryOperator = Arithmetic | Operator | 'and' | 'or';

/** `at` is where the node begins, in characters from the start of the parameter's value; of a binary node, its operator. */
export type Syntax =
  | { readonly kind: 'number'; readonly value: number; readonly at: number }
  | { readonly kind: 'text'; readonly value: string; readonly at: number }
  | { readonly kind: 'name'; readonly name: string; readonly at: number }
  | { readonly kind: 'call'; readonly name: string; readonly operands: readonly Syntax[]; readonly at: number }
  | { readonly kind: 'unary'; readonly operator: '-' | 'not'; readonly operand: Syntax; readonly at: number }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Syntax;
      readonly right: Syntax;
      readonly at: number;
    }
  | {
      readonly kind: 'between';
      readonly operand: Syntax;
      readonly low: Syntax;
      readonly high: Syntax;
      readonly at: number;
    }
  | { readonly kind: 'in'; readonly operand: Syntax; readonly items: readonly Syntax[]; readonly at: number }
  | { readonly kind: 'is null' | 'is not null'; readonly operand: Syntax; readonly at: number };

/** How tightly an operator binds; a larger number binds tighter. */
export const POWER = {
  or: 1,
  and: 2,
  not: 3,
  comparison: 4,
  sum: 5,
  product: 6,
  negation: 7,
  primary: 8,
} as const;

export function binaryPower(operator: BinaryOperator): number {
  switch (operator) {
    case 'or':
    case 'and':
      return POWER[operator];
    case '+':
    case '-':
      return POWER.sum;
    case '*':
    case '/':
      return POWER.product;
    default:
      return POWER.comparison;
  }
}
