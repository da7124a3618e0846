// How large the expressions of one request may be. Their cost is linear in rows × operators.

/** Of one expression. */
export const MAX_CHARACTERS = 2000;
/** Of all expressions of one request together. */
export const MAX_OPERATORS = 200;
/** Parentheses, function calls, `not` and signs inside each other. */
export const MAX_NESTING = 64;
export const MAX_CALC_COLUMNS = 8;
/** Periods that `lag` reaches back. */
export const MAX_LAG = 400;
/** Different numbers of periods in one request: the rows of each are computed from the bars of all assets. */
export const MAX_LAGS = 4;
/** Different columns × numbers of periods in one request: each takes a number per row. */
export const MAX_LAGGED = 16;
