// The words of the language in which the settings file defines columns, and what a definition is after its check.

/** Numbers of a bar. `turnover` is volume · close. */
export const SERIES = ['open', 'high', 'low', 'close', 'volume', 'turnover'] as const;
export type SeriesName = (typeof SERIES)[number];

interface FunctionFacts {
  /** How it is written. */
  readonly form: string;
  /** For people. */
  readonly doc: string;
}

/** Over a window: `name(x, n)`. */
export const WINDOWS = {
  sma: { form: 'sma(x, n)', doc: 'Mean of the last n values' },
  wma: { form: 'wma(x, n)', doc: 'Mean of the last n values, weighted n, n − 1, … 1 from the latest' },
  sum: { form: 'sum(x, n)', doc: 'Sum of the last n values' },
  min: { form: 'min(x, n)', doc: 'Lowest of the last n values; min(x, y) is the lower of two' },
  max: { form: 'max(x, n)', doc: 'Highest of the last n values; max(x, y) is the higher of two' },
  var: { form: 'var(x, n)', doc: 'Population variance of the last n values' },
  stdev: { form: 'stdev(x, n)', doc: 'Population standard deviation of the last n values' },
  zscore: { form: 'zscore(x, n)', doc: '(x − sma(x, n)) / stdev(x, n); null if all n values are equal' },
  lag: { form: 'lag(x, n)', doc: 'The value n periods earlier' },
  change: { form: 'change(x, n)', doc: '(x / lag(x, n) − 1) · 100' },
} as const satisfies Readonly<Record<string, FunctionFacts>>;
export type WindowName = keyof typeof WINDOWS;

/** Over the whole history; a value that is missing makes it start again after it. */
export const RECURSIONS = {
  ema: { form: 'ema(x, n)', doc: 'Exponential moving average, weight 2/(n + 1), seed: mean of the first n values' },
  rsi: { form: 'rsi(x, n)', doc: 'Relative strength index (Wilder) of the changes of x' },
  atr: { form: 'atr(n)', doc: 'Average true range (Wilder) of high, low and close' },
} as const satisfies Readonly<Record<string, FunctionFacts>>;
export type RecursionName = keyof typeof RECURSIONS;

/** Of single values. */
export const PLAIN = {
  abs: { form: 'abs(x)', doc: 'The value without its sign' },
  ln: { form: 'ln(x)', doc: 'The natural logarithm; null for a value ≤ 0' },
  sqrt: { form: 'sqrt(x)', doc: 'The square root; null for a negative value' },
} as const satisfies Readonly<Record<string, FunctionFacts>>;
export type PlainName = keyof typeof PLAIN;

export const OWN_FUNCTIONS: Readonly<Record<string, FunctionFacts>> = { ...WINDOWS, ...RECURSIONS, ...PLAIN };

export type Arithmetic = '+' | '-' | '*' | '/';

export type OwnNode =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'series'; readonly name: SeriesName }
  | { readonly kind: 'plain'; readonly name: PlainName | 'negate'; readonly operand: OwnNode }
  | {
      readonly kind: 'binary';
      readonly operator: Arithmetic | 'min' | 'max';
      readonly left: OwnNode;
      readonly right: OwnNode;
    }
  | { readonly kind: 'window'; readonly name: WindowName; readonly operand: OwnNode; readonly length: number }
  | { readonly kind: 'recursion'; readonly name: RecursionName; readonly operand: OwnNode; readonly length: number };

export const LIMITS = {
  columns: 32,
  /** Periods of one window. */
  window: 400,
  /** Periods of windows inside each other, together. */
  reach: 800,
  characters: 500,
  nesting: 16,
} as const;

/** What is wrong with a definition, where, and what would be right. */
export class OwnColumnError extends Error {
  override readonly name = 'OwnColumnError';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** How the definitions come to every thread and process. */
export const OWN_COLUMNS_VARIABLE = 'TIDEMARK_COLUMNS';
