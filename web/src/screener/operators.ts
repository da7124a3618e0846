// The comparisons of the form filters: their signs in an expression, and their words.

export const OPERATORS = {
  gt: { sign: '>', words: 'is above' },
  ge: { sign: '>=', words: 'is at or above' },
  lt: { sign: '<', words: 'is below' },
  le: { sign: '<=', words: 'is at or below' },
  eq: { sign: '=', words: 'equals' },
  ne: { sign: '!=', words: 'differs from' },
} as const;

export type Operator = keyof typeof OPERATORS;

export function isOperator(text: string): text is Operator {
  return Object.hasOwn(OPERATORS, text);
}
