// The asset and the days of a listing of one asset.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ASSETS, type Dataset, TA_CUR, TA_HIST } from '../../domain/datasets.ts';
import { ApiError } from '../../errors.ts';
import { parsePlan } from './parse-plan.ts';

function errorOf(query: string, dataset: Dataset = TA_HIST): ApiError {
  try {
    parsePlan(dataset, query);
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: `no error for ?${query}` });
}

/** The days that are asked for, as `from..to`. */
function daysOf(query: string): string {
  const [filter, ...others] = parsePlan(TA_HIST, `symbol=BTC&${query}`).filters;
  assert.deepEqual(others, []);
  if (filter === undefined) return 'all';
  assert.ok(filter.kind === 'range' && TA_HIST.columns[filter.column]!.name === 'datetimeUTC');
  const end = (day: number) =>
    Number.isFinite(day) ? new Date(day * 86_400_000).toISOString().replace('T00:00:00.000Z', '') : '';
  return `${end(filter.low)}..${end(filter.high)}`;
}

describe('the asset', () => {
  for (const [query, by, text] of [
    ['symbol=BTC', 'symbol', 'BTC'],
    ['symbol=btc', 'symbol', 'BTC'],
    ['symbol=+btc+,', 'symbol', 'BTC'],
    ['symbol=%E6%AF%94', 'symbol', '比'],
    ['id=btc-bitcoin', 'id', 'btc-bitcoin'],
    ['id=COM,MA', 'id', 'COM,MA'],
  ] as const) {
    it(`of ?${query} is the one with the ${by} ${text}`, () => {
      const { asset, symbols } = parsePlan(TA_HIST, query);
      assert.deepEqual({ asset, symbols }, { asset: { by, text }, symbols: null });
    });
  }

  for (const [query, code, param, hint] of [
    ['', 'missing_parameter', 'symbol', /symbol=BTC or id=btc-bitcoin/],
    ['limit=5&from=2026-01-01', 'missing_parameter', 'symbol', /id=/],
    ['symbol=BTC&id=btc-bitcoin', 'conflicting_parameters', 'symbol', /Remove symbol/],
    ['symbol=', 'invalid_value', 'symbol', /one ticker/],
    ['symbol=BTC,ETH', 'invalid_value', 'symbol', /one ticker/],
    ['symbol=BTC&symbol=ETH', 'duplicate_parameter', 'symbol', /one ticker, once/],
    ['id=', 'invalid_value', 'id', /btc-bitcoin/],
    ['id=+', 'invalid_value', 'id', /btc-bitcoin/],
    ['id=a&id=b', 'duplicate_parameter', 'id', /once/],
    ['symbl=BTC', 'unknown_parameter', 'symbl', /Did you mean symbol\?/],
    ['symbol=BTC&form=2026-01-01', 'unknown_parameter', 'form', /Did you mean from\?/],
    ['symbol=BTC&q=bit', 'unknown_parameter', 'q', /\S/],
  ] as const) {
    it(`?${query} is refused as ${code}`, () => {
      const error = errorOf(query);
      assert.deepEqual([error.code, error.param], [code, param]);
      assert.match(error.hint ?? '', hint);
    });
  }

  it('is not taken by the other listings', () => {
    for (const dataset of [TA_CUR, ASSETS]) {
      assert.equal(parsePlan(dataset, 'symbol=btc').asset, null);
      for (const name of ['from', 'to']) assert.equal(errorOf(`${name}=2026-01-01`, dataset).code, 'unknown_parameter');
    }
    assert.equal(errorOf('id=btc-bitcoin', TA_CUR).code, 'unknown_parameter');
  });
});

describe('the days', () => {
  for (const [query, days] of [
    ['', 'all'],
    ['from=2026-01-31', '2026-01-31..'],
    ['to=2026-01-31', '..2026-01-31'],
    ['from=2026-01-30&to=2026-01-31', '2026-01-30..2026-01-31'],
    ['from=2026-01-31&to=2026-01-31', '2026-01-31..2026-01-31'],
    ['from=2024-02-29', '2024-02-29..'],
    ['from=1970-01-01&to=9999-12-31', '1970-01-01..9999-12-31'],
    // A time stands for its day.
    ['from=2026-01-31T00:00:00.000Z', '2026-01-31..'],
    ['from=2026-01-31T23:59:59Z', '2026-01-31..'],
    ['from=2026-01-31T12:30', '2026-01-31..'],
    ['to=2026-01-31+12:34:56', '..2026-01-31'],
    ['to=2026-01-31t12:34:56.123456z', '..2026-01-31'],
    ['from=1900-01-01', '1969-12-31..'],
    ['to=1969-12-31', '..1969-12-31'],
    ['from=1900-01-01&to=1901-12-31T12:00Z', '1969-12-31..1969-12-31'],
    ['from=2026-01-31T20:00:00Z&to=2026-01-31T10:00:00Z', '2026-01-31..2026-01-31'],
  ] as const) {
    it(`of ?${query} are ${days}`, () => assert.equal(daysOf(query), days));
  }

  for (const text of [
    '',
    '2026',
    '2026-1-31',
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '20260131',
    '31.01.2026',
    'today',
    '1769817600',
    '2026-01-31T',
    '2026-01-31T24:00:00Z',
    '2026-01-31T12:60',
    '2026-01-31T12',
    '2026-01-31T12:00:00%2B02:00',
    '2026-01-31T12:00:00ZZ',
    '-02026-01-31',
    '2026-01-31,2026-02-01',
  ]) {
    it(`are not ${JSON.stringify(text)}`, () => {
      for (const name of ['from', 'to']) {
        const error = errorOf(`symbol=BTC&${name}=${text}`);
        assert.deepEqual([error.code, error.param], ['invalid_value', name]);
        assert.match(error.hint ?? '', /2026-01-31/);
      }
    });
  }

  it('do not begin after an end before 1970', () => {
    assert.match(errorOf('symbol=BTC&from=2026-02-01&to=1960-01-01').detail, /2026-02-01.*before 1970/);
  });

  it('do not begin after they end', () => {
    const error = errorOf('symbol=BTC&from=2026-02-01&to=2026-01-31');
    assert.deepEqual([error.code, error.param], ['invalid_range', 'from']);
    assert.match(error.detail, /2026-02-01.*2026-01-31/);
  });

  it('are none of the filters that not_null speaks of', () => {
    const { filters } = parsePlan(TA_HIST, 'symbol=BTC&from=2026-01-01&not_null&sort=change7');
    assert.deepEqual(
      filters.map(({ kind }) => kind),
      ['range', 'not_null'],
    );
  });
});
