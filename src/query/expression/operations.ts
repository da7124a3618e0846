// What an expression computes with numbers: one loop per operation, over a block of rows. Null is NaN, and every operation passes
// it on. A result that is not a finite number (division by 0, overflow, the logarithm of 0) becomes null.

/** Where the values of a block of rows are. */
export interface Block {
  values: Float64Array;
}

type Loop = (out: Float64Array, a: Float64Array, b: Float64Array, rows: number) => void;

interface Operation {
  /** Of the function call or the operator; a function of two may be called with more: `min(a, b, c)`. */
  readonly operands: 1 | 2;
  readonly loop: Loop;
  /** For the reference; null for an operator. */
  readonly doc: string | null;
}

// `value + value * 0` is the value if it is finite, and NaN otherwise, without a branch.

const add: Loop = (out, a, b, rows) => {
  for (let row = 0; row < rows; row++) {
    const value = a[row]! + b[row]!;
    out[row] = value + value * 0;
  }
};

const subtract: Loop = (out, a, b, rows) => {
  for (let row = 0; row < rows; row++) {
    const value = a[row]! - b[row]!;
    out[row] = value + value * 0;
  }
};

const multiply: Loop = (out, a, b, rows) => {
  for (let row = 0; row < rows; row++) {
    const value = a[row]! * b[row]!;
    out[row] = value + value * 0;
  }
};

const divide: Loop = (out, a, b, rows) => {
  for (let row = 0; row < rows; row++) {
    const value = a[row]! / b[row]!;
    out[row] = value + value * 0;
  }
};

const negate: Loop = (out, a, _, rows) => {
  for (let row = 0; row < rows; row++) out[row] = -a[row]!;
};

const absolute: Loop = (out, a, _, rows) => {
  for (let row = 0; row < rows; row++) out[row] = Math.abs(a[row]!);
};

/** `Math.min` and `Math.max` of a NaN are NaN. */
const minimum: Loop = (out, a, b, rows) => {
  for (let row = 0; row < rows; row++) out[row] = Math.min(a[row]!, b[row]!);
};

const maximum: Loop = (out, a, b, rows) => {
  for (let row = 0; row < rows; row++) out[row] = Math.max(a[row]!, b[row]!);
};

const logarithm: Loop = (out, a, _, rows) => {
  for (let row = 0; row < rows; row++) {
    const value = Math.log(a[row]!);
    out[row] = value + value * 0;
  }
};

const squareRoot: Loop = (out, a, _, rows) => {
  for (let row = 0; row < rows; row++) out[row] = Math.sqrt(a[row]!);
};

export const OPERATIONS = {
  '+': { operands: 2, loop: add, doc: null },
  '-': { operands: 2, loop: subtract, doc: null },
  '*': { operands: 2, loop: multiply, doc: null },
  '/': { operands: 2, loop: divide, doc: null },
  negate: { operands: 1, loop: negate, doc: null },
  abs: { operands: 1, loop: absolute, doc: 'The value without its sign' },
  min: { operands: 2, loop: minimum, doc: 'The smallest of two or more values; null if one of them is null' },
  max: { operands: 2, loop: maximum, doc: 'The largest of two or more values; null if one of them is null' },
  ln: { operands: 1, loop: logarithm, doc: 'The natural logarithm; null for a value ≤ 0' },
  sqrt: { operands: 1, loop: squareRoot, doc: 'The square root; null for a negative value' },
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof OPERATIONS;

/** The operations that are written as a call, with what the reference says of each. */
export const FUNCTIONS: ReadonlyMap<string, OperationName> = new Map(
  (Object.keys(OPERATIONS) as OperationName[]).filter(name => OPERATIONS[name].doc !== null).map(name => [name, name]),
);

/** For constants; `b` is not used by an operation with one operand. */
export function applyOperation(name: OperationName, a: number, b: number): number {
  const out = new Float64Array(1);
  OPERATIONS[name].loop(out, Float64Array.of(a), Float64Array.of(b), 1);
  return out[0]!;
}

/** The functions of earlier periods, with what the reference says of each. The check replaces them by columns of these periods. */
export const PERIOD_FUNCTIONS = {
  lag: { form: 'lag(x, n)', doc: 'The value n days before the day of the row, as `as_of` gives it' },
  crosses_above: { form: 'crosses_above(x, y)', doc: 'Whether x > y, and x ≤ y one day earlier' },
  crosses_below: { form: 'crosses_below(x, y)', doc: 'Whether x < y, and x ≥ y one day earlier' },
} as const satisfies Readonly<Record<string, { readonly form: string; readonly doc: string }>>;

export type PeriodFunction = keyof typeof PERIOD_FUNCTIONS;

export function isPeriodFunction(name: string): name is PeriodFunction {
  return Object.hasOwn(PERIOD_FUNCTIONS, name);
}

/** Of all functions. */
export const FUNCTION_NAMES: readonly string[] = [...FUNCTIONS.keys(), ...Object.keys(PERIOD_FUNCTIONS), 'tag'];
