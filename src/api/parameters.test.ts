import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../errors.ts';
import type { ServiceContext } from './context.ts';
import { noParameters, queryParameters } from './parameters.ts';

const parameters = queryParameters<{ symbol: string[]; days: number }>({
  symbol: {
    doc: 'Tickers.',
    takes: 'tickers',
    schema: { type: 'string' },
    list: true,
    required: true,
    parse: text => text.split(',').filter(each => each !== ''),
  },
  days: {
    doc: 'Days.',
    takes: 'an integer',
    schema: { type: 'integer' },
    parse: text => (/^\d+$/.test(text) ? Number(text) : null),
  },
});
const parse = parameters.parser({} as ServiceContext); // which this parser does not read

describe('a table of parameters', () => {
  it('has the error codes of its endpoint: one more if others are refused, and one if a parameter is required', () => {
    const days = { doc: 'Days.', takes: 'an integer', schema: { type: 'integer' }, parse: Number };
    const tolerant = queryParameters<{ days: number }>({ days }, 'ignored');
    assert.deepEqual(tolerant.errors, ['duplicate_parameter', 'bad_encoding', 'query_too_long', 'invalid_value']);
    const optional = queryParameters<{ days: number }>({ days });
    assert.deepEqual(optional.errors, [...tolerant.errors, 'unknown_parameter']);
    assert.deepEqual(parameters.errors, [...optional.errors, 'missing_parameter']);
  });

  it('parses what it names, and gives null for what is not given', () => {
    assert.deepEqual(parse('symbol=A,B&symbol[]=C&days=3&api_key=x'), { symbol: ['A', 'B', 'C'], days: 3 });
    assert.deepEqual(parse('symbol=A'), { symbol: ['A'], days: null });
  });

  for (const [query, code, param, hint] of [
    ['days=3', 'missing_parameter', 'symbol', 'symbol takes tickers.'],
    ['symbol=', 'missing_parameter', 'symbol', 'symbol takes tickers.'],
    ['symbol=A&days=x', 'invalid_value', 'days', 'days takes an integer.'],
    ['symbol=A&days=1&days=2', 'duplicate_parameter', 'days', undefined],
    ['symbol=A&day=1', 'unknown_parameter', 'day', 'Did you mean days?'],
    ['symbol=A&colour=1', 'unknown_parameter', 'colour', 'The parameters of this endpoint are symbol and days.'],
  ] as const) {
    it(`refuses ${query} with ${code}`, () => {
      assert.throws(
        () => parse(query),
        (error: unknown) => {
          assert.ok(error instanceof ApiError);
          assert.deepEqual([error.code, error.param, error.hint], [code, param, hint]);
          return true;
        },
      );
    });
  }

  it('describes them for OpenAPI', () => {
    assert.deepEqual(parameters.described, [
      {
        name: 'symbol',
        in: 'query',
        description: 'Tickers.',
        explode: false,
        required: true,
        schema: { type: 'array', items: { type: 'string' } },
      },
      { name: 'days', in: 'query', description: 'Days.', schema: { type: 'integer' } },
    ]);
  });
});

describe('an endpoint without parameters', () => {
  const refuse = noParameters(['signature']).parser({} as ServiceContext);

  it('takes the API key, and what it allows besides', () => {
    refuse('api_key=x&signature=y&');
    assert.throws(() => refuse('limit=1'), { code: 'unknown_parameter', param: 'limit' });
  });
});
