// Expressions for `where` and `calc`, with values that cannot change their meaning.

/** A piece of an expression that is already text; it can be a value inside another one. */
export class Expression {
  readonly #text: string;
  /** As it stands inside another expression. */
  readonly nested: string;

  constructor(text: string, nested = `(${text})`) {
    this.#text = text;
    this.nested = nested;
  }

  toString(): string {
    return this.#text;
  }
}

/** A date stands for its UTC day, and a list for the values of `in (…)`. */
export type ExpressionValue = string | number | Date | Expression | readonly (string | number)[];

/**
 * A tagged template that writes values as the expression language needs them:
 *
 *     where`symbol in ${['BTC', 'ETH']} and price > ${limit}`
 */
export function where(parts: TemplateStringsArray, ...values: readonly ExpressionValue[]): Expression {
  return new Expression(parts.reduce((text, part, i) => text + literal(values[i - 1]) + part));
}

/** The name of a column, for where the name itself is a variable. */
export function column(name: string): Expression {
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new TypeError(`${JSON.stringify(name)} cannot be the name of a column`);
  return new Expression(name, `[${name}]`);
}

function literal(value: ExpressionValue | undefined): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (value instanceof Expression) return value.nested;
  if (value instanceof Date) return `'${value.toISOString().slice(0, 10)}'`;
  if (Array.isArray(value) && value.length > 0) return `(${value.map(literal).join(', ')})`;
  throw new TypeError(
    `an expression takes texts, finite numbers, dates, non-empty lists and expressions, not ${describe(value)}`,
  );
}

function describe(value: unknown): string {
  return Array.isArray(value) ? 'an empty list' : String(value);
}
