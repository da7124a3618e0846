// The query parameters of an endpoint, as one table: what the parser accepts, the errors, and the OpenAPI description follow from it.

import { nearest } from '../common/nearest.ts';
import { KEY_PARAMETERS } from '../domain/api-key.ts';
import {
  LISTED_INTERVALS,
  type ListedInterval,
  lastPeriodOfTime,
  type Period,
  parseTime,
  type WrittenTime,
} from '../domain/interval.ts';
import { DOLLAR } from '../domain/quote.ts';
import { ApiError, clipped, type ErrorCode, nearestHint, quoted } from '../errors.ts';
import { absentParameter, PARAMETERS } from '../query/parameters.ts';
import { parseQuote } from '../query/parse/parse-plan.ts';
import { splitQuery } from '../query/parse/split-query.ts';
import type { ServiceContext } from './context.ts';
import type { JsonObject } from './json-schema.ts';

export interface QueryParameters<V> {
  /** As OpenAPI describes them. */
  readonly described: readonly JsonObject[];
  /** Its codes, besides those of every endpoint with data. */
  readonly errors: readonly ErrorCode[];
  /** Called once per thread. The parser throws an ApiError. */
  readonly parser: (context: ServiceContext) => (query: string) => V;
}

export interface ParameterFacts<T> {
  readonly doc: string;
  /** As the end of a sentence "NAME takes …". */
  readonly takes: string;
  readonly schema: JsonObject;
  /** Several values, separated by commas or given one by one. */
  readonly list?: true;
  readonly required?: true;
  /** Null for a text that it does not take. */
  readonly parse: (text: string) => T | null;
}

type Table<V> = { readonly [Name in keyof V]: ParameterFacts<NonNullable<V[Name]>> };

const TABLE_ERRORS: readonly ErrorCode[] = ['duplicate_parameter', 'bad_encoding', 'query_too_long', 'invalid_value'];

/** Each value is null if it was not given. `others`: what happens to a parameter that the table does not have. */
export function queryParameters<V extends object>(
  table: Table<V>,
  others: 'refused' | 'ignored' = 'refused',
): QueryParameters<{ [Name in keyof V]: V[Name] | null }> {
  const facts = Object.entries(table) as [string, ParameterFacts<unknown>][]; // as the type says
  return {
    described: facts.map(([name, each]) => describe(name, each)),
    errors: [
      ...TABLE_ERRORS,
      ...(others === 'refused' ? (['unknown_parameter'] as const) : []),
      ...(facts.some(([, { required }]) => required) ? (['missing_parameter'] as const) : []),
    ],
    parser: () => query => parse(new Map(facts), query, others) as { [Name in keyof V]: V[Name] | null }, // by the same table
  };
}

function describe(name: string, { doc, schema, list, required }: ParameterFacts<unknown>): JsonObject {
  const listed = list ? { explode: false, schema: { type: 'array', items: schema } } : { schema };
  return { name, in: 'query', description: doc, ...listed, ...(required ? { required } : {}) };
}

function parse(
  table: ReadonlyMap<string, ParameterFacts<unknown>>,
  query: string,
  others: 'refused' | 'ignored',
): Record<string, unknown> {
  const given = new Map<string, string>();
  for (const { name: written, value } of splitQuery(query)) {
    if (KEY_PARAMETERS.includes(written)) continue;
    const name = written.endsWith('[]') && table.get(written.slice(0, -2))?.list ? written.slice(0, -2) : written;
    const before = given.get(name);
    const facts = table.get(name);
    if (facts === undefined && others === 'ignored') continue;
    if (facts === undefined) throw unknownParameter(name, [...table.keys()]);
    if (before !== undefined && !facts.list) throw givenTwice(name);
    given.set(name, before === undefined ? (value ?? '') : `${before},${value ?? ''}`);
  }
  const values = [...table].map(([name, facts]) => [name, valueFrom(name, facts, given.get(name))]);
  return Object.fromEntries(values);
}

function valueFrom(
  name: string,
  { takes, required, parse }: ParameterFacts<unknown>,
  text: string | undefined,
): unknown {
  const value = text === undefined ? null : parse(text);
  if (value === null && text !== undefined) throw invalidValue(name, text, takes);
  const isMissing = value === null || (Array.isArray(value) && value.length === 0);
  if (!isMissing || !required) return value;
  throw new ApiError('missing_parameter', `${name} is missing.`, { param: name, hint: `${name} takes ${takes}.` });
}

export function invalidValue(name: string, text: string, takes: string): ApiError {
  return new ApiError('invalid_value', `${name} cannot be ${quoted(text)}.`, {
    param: name,
    hint: `${name} takes ${takes}.`,
  });
}

function givenTwice(name: string): ApiError {
  return new ApiError('duplicate_parameter', `${name} is given more than once.`, { param: name });
}

function unknownParameter(name: string, known: readonly string[]): ApiError {
  const absent = absentParameter(name, known);
  const hint = absent === null ? nearestHint(nearest(name, known), parametersText(known)) : { hint: absent };
  return new ApiError('unknown_parameter', `Unknown parameter ${quoted(name)}.`, {
    param: clipped(name),
    ...hint,
  });
}

function parametersText(known: readonly string[]): string {
  const [only = 'api_key', ...others] = known;
  if (others.length === 0) return `The only parameter of this endpoint is ${only}.`;
  return `The parameters of this endpoint are ${known.slice(0, -1).join(', ')} and ${known.at(-1)}.`;
}

/** None but `api_key`, and those in `also`. The query string is not decoded. */
export function noParameters(also: readonly string[] = [], hint: string = parametersText([])): QueryParameters<void> {
  const refuse = (query: string) => {
    for (const pair of query.split('&')) {
      const name = pair.split('=', 1)[0] ?? '';
      if (name === '' || KEY_PARAMETERS.includes(name) || also.includes(name)) continue;
      throw new ApiError('unknown_parameter', `Unknown parameter ${quoted(name)}.`, {
        param: clipped(name),
        hint,
      });
    }
  };
  return { described: [], errors: ['unknown_parameter'], parser: () => refuse };
}

export const TIME_SCHEMA: JsonObject = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\d(?:[Tt ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?[Zz]?)?$',
  examples: ['2026-01-31', '2026-01-31T12:00:00Z'],
};

/** A parameter that names a day or a time of a day. */
export function timeParameter(doc: string): ParameterFacts<WrittenTime> {
  return { doc, takes: PARAMETERS.as_of.takes, schema: TIME_SCHEMA, parse: text => parseTime(text.trim()) };
}

/** The last period that it names: nothing is older than the first. */
export function asOfPeriod(interval: ListedInterval, time: WrittenTime): Period {
  const period = lastPeriodOfTime(interval, time.millis < 0 ? { millis: 0, isDay: false } : time);
  if (period === null) {
    throw invalidValue('as_of', new Date(time.millis).toISOString(), PARAMETERS.as_of.takes);
  }
  return period;
}

/** Null: dollars. */
export interface WantedQuote {
  readonly name: string | null;
}

export function quoteParameter(): ParameterFacts<WantedQuote> {
  const { doc, takes } = PARAMETERS.quote;
  return {
    ...{ doc, takes },
    schema: { type: 'string', default: DOLLAR, examples: ['USD', 'EUR', 'BTC'] },
    parse: text => ({ name: parseQuote(text) }),
  };
}

export function intervalParameter(): ParameterFacts<ListedInterval> {
  const { doc, takes } = PARAMETERS.interval;
  return {
    ...{ doc, takes },
    schema: { type: 'string', enum: [...LISTED_INTERVALS], default: '1d' },
    parse: text => LISTED_INTERVALS.find(each => each === text.toLowerCase()) ?? null,
  };
}
