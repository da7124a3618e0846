// How large the expressions of one request may be. Their cost is linear in rows × operators.

/** Of one expression. */
export const MAX_CHARACTERS = 2000;
/** Of all expressions of one request together. */
export const MAX_OPERATORS = 200;
/** Parentheses, function calls, `not` and signs inside each other. */
export const MAX_NESTING = 64;
export const MAX_CALC_COLUMNS = 8;
