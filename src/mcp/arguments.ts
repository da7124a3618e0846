// The arguments of a tool: their JSON Schema, and how the arguments of a call are read. Models send numbers as texts and lists as one
// text with commas; both are accepted.

import { nearest } from '../common/nearest.ts';
import { withPlainNumbers } from '../common/typed-number.ts';
import { ApiError, clipped, nearestHint, quoted } from '../errors.ts';

interface ArgumentFacts {
  readonly doc: string;
  readonly required?: true;
}

export type Argument =
  | (ArgumentFacts & { readonly type: 'text' })
  /** An expression, whose numbers may be written as people type them: 10M, 1,000,000. */
  | (ArgumentFacts & { readonly type: 'condition' })
  /** `YYYY-MM-DD`; the query checks it. */
  | (ArgumentFacts & { readonly type: 'day' })
  | (ArgumentFacts & { readonly type: 'choice'; readonly choices: readonly string[] })
  | (ArgumentFacts & { readonly type: 'integer'; readonly max: number; readonly default: number })
  /** Names of columns. The schema lists them only with `listed`, because every list costs the model's context. */
  | (ArgumentFacts & { readonly type: 'names'; readonly names: readonly string[]; readonly listed: boolean })
  /** One name of a column. */
  | (ArgumentFacts & { readonly type: 'name'; readonly names: readonly string[] });

export type ArgumentTable = Readonly<Record<string, Argument>>;

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

export interface InputSchema {
  type: 'object';
  properties: Record<string, Json>;
  required?: string[];
  additionalProperties: false;
  [keyword: string]: unknown;
}

export function inputSchema(table: ArgumentTable): InputSchema {
  const names = Object.keys(table);
  const required = names.filter(name => table[name]!.required);
  return {
    type: 'object',
    properties: Object.fromEntries(names.map(name => [name, argumentSchema(table[name]!)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function argumentSchema(argument: Argument): Json {
  const { doc: description } = argument;
  switch (argument.type) {
    case 'text':
    case 'condition':
    case 'day':
    case 'name':
      return { type: 'string', description };
    case 'choice':
      return { type: 'string', enum: [...argument.choices], description };
    case 'integer':
      return { type: 'integer', minimum: 1, maximum: argument.max, default: argument.default, description };
    case 'names':
      return {
        type: 'array',
        items: { type: 'string', ...(argument.listed ? { enum: [...argument.names] } : {}) },
        description,
      };
  }
}

/** With the numbers in conditions as an expression reads them. Whatever is said about a mistake is about these. */
export function withPlainConditions(table: ArgumentTable, values: Readonly<Record<string, unknown>>): typeof values {
  const conditions = Object.keys(table).filter(name => table[name]!.type === 'condition');
  const plain = conditions.flatMap(name => {
    const value = values[name];
    return typeof value === 'string' ? [[name, withPlainNumbers(value)] as const] : [];
  });
  return plain.length === 0 ? values : { ...values, ...Object.fromEntries(plain) };
}

/** The arguments of a call. */
export class Arguments {
  readonly #table: ArgumentTable;
  readonly values: Readonly<Record<string, unknown>>;
  /** What was changed in the arguments that were read, one sentence each. */
  readonly notes = new Set<string>();

  /** Throws for a name that the tool does not have, and for a required one that is missing. */
  constructor(table: ArgumentTable, values: Readonly<Record<string, unknown>>) {
    this.#table = table;
    this.values = values;
    const known = Object.keys(table);
    for (const name of Object.keys(values)) {
      if (!Object.hasOwn(table, name)) throw unknownArgument(name, known);
    }
    for (const name of known) {
      if (table[name]!.required && this.#value(name) === undefined) {
        throw new ApiError('missing_parameter', `The argument ${name} is missing.`, {
          param: name,
          hint: table[name]!.doc,
        });
      }
    }
  }

  text(name: string): string | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    // A URL cannot hold half a surrogate pair.
    if (typeof value === 'string') return value.trim().toWellFormed();
    throw wrong(name, value, 'one text');
  }

  /** One of the choices or names that the argument takes. */
  one(name: string): string | undefined {
    const text = this.text(name);
    const argument = this.#table[name]!;
    if (argument.type === 'choice') return text === undefined ? undefined : member(name, text, argument.choices);
    if (argument.type === 'name') return text === undefined ? undefined : column(name, text, argument.names);
    throw new TypeError(`${name} is not a choice`);
  }

  /** The default if it is not given. */
  integer(name: string): number {
    const argument = this.#table[name]!;
    if (argument.type !== 'integer') throw new TypeError(`${name} is not a number`);
    const value = this.#value(name);
    if (value === undefined) return argument.default;
    const number = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isInteger(number) || number < 1) {
      throw wrong(name, value, `an integer from 1 to ${argument.max}`);
    }
    if (number > argument.max) this.notes.add(`${name} is at most ${argument.max}: ${number} was lowered to it.`);
    return Math.min(number, argument.max);
  }

  names(name: string): string[] | undefined {
    const argument = this.#table[name]!;
    if (argument.type !== 'names') throw new TypeError(`${name} is not a list`);
    const value = this.#value(name);
    if (value === undefined) return undefined;
    const items = typeof value === 'string' ? value.split(',') : value;
    if (!Array.isArray(items) || !items.every(item => typeof item === 'string')) {
      throw wrong(name, value, `a list of names, such as ${JSON.stringify(argument.names.slice(2, 4))}`);
    }
    const texts = items.map(item => item.trim()).filter(item => item !== '');
    return [...new Set(texts.map(item => column(name, item, argument.names)))];
  }

  /** Some models send null or an empty text for an argument that is not given. */
  #value(name: string): unknown {
    const value = this.values[name] ?? undefined;
    return typeof value === 'string' && value.trim() === '' ? undefined : value;
  }
}

function member(name: string, text: string, choices: readonly string[]): string {
  const found = choices.find(choice => choice === text.toLowerCase());
  if (found !== undefined) return found;
  throw new ApiError('invalid_value', `${name} does not accept ${quoted(text)}.`, {
    param: name,
    ...hintFor(text, choices),
  });
}

function column(name: string, text: string, names: readonly string[]): string {
  if (names.includes(text)) return text;
  throw new ApiError('unknown_column', `Unknown column ${quoted(text)}.`, {
    param: name,
    ...hintFor(text, names),
  });
}

function unknownArgument(name: string, known: readonly string[]): ApiError {
  return new ApiError('unknown_parameter', `There is no argument ${quoted(name)}.`, {
    param: clipped(name),
    ...hintFor(name, known),
  });
}

function wrong(name: string, value: unknown, takes: string): ApiError {
  return new ApiError('invalid_value', `${name} cannot be ${clipped(JSON.stringify(value) ?? 'nothing')}.`, {
    param: name,
    hint: `${name} takes ${takes}.`,
  });
}

function hintFor(text: string, known: readonly string[]) {
  return nearestHint(nearest(text, known), `Known: ${known.join(', ')}.`);
}
