// The comparison operators: of two columns in the query string, and of two values in an expression.

/**
 * Between two fields, in the query string between the left field and the colon. One table for parser, docs and OpenAPI.
 * `flipped` says the same with the fields exchanged.
 */
export const OPERATORS = {
  '=': { words: 'equals', flipped: '=', holds: (a: number, b: number) => a === b },
  '!=': { words: 'differs from', flipped: '!=', holds: (a: number, b: number) => a !== b },
  '>': { words: 'is greater than', flipped: '<', holds: (a: number, b: number) => a > b },
  '>=': { words: 'is at least', flipped: '<=', holds: (a: number, b: number) => a >= b },
  '<': { words: 'is less than', flipped: '>', holds: (a: number, b: number) => a < b },
  '<=': { words: 'is at most', flipped: '>=', holds: (a: number, b: number) => a <= b },
} as const;

export type Operator = keyof typeof OPERATORS;
