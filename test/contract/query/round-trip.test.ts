// What a plan says of itself: links lead to the same plan, and the canonical form is one for one question.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DATASETS, TA_CUR } from '../../../src/domain/datasets.ts';
import { ApiError } from '../../../src/errors.ts';
import { parsePlan } from '../../../src/query/parse/parse-plan.ts';
import type { Plan } from '../../../src/query/parse/plan.ts';
import { Chance } from './chance.ts';
import { randomRequest } from './random-requests.ts';
import { randomRows } from './random-rows.ts';

/** As the service builds `next` and `prev`. */
function linkOf(plan: Plan, page: number): string {
  const start = `limit=${plan.limit}&sort=${plan.dataset.columns[plan.sort]!.name}&order=${plan.order}&page=${page}`;
  return plan.rest === '' ? start : `${start}&${plan.rest}`;
}

for (const dataset of DATASETS) {
  describe(`1,000 random requests for ${dataset.name}`, () => {
    const chance = new Chance(7);
    const rows = randomRows(dataset, 30, chance);
    const requests = Array.from({ length: 1000 }, () => randomRequest(dataset, rows, chance));

    it('have links that lead to the same plan, on another page', () => {
      for (const { query } of requests) {
        const plan = parsePlan(dataset, `api_key=tm_secret&${query}`);
        const link = linkOf(plan, plan.page + 1);
        assert.deepEqual(parsePlan(dataset, link), { ...plan, page: plan.page + 1, apiKey: null }, `?${query}`);
        assert.doesNotMatch(link, /tm_secret/);
        assert.match(link, /^[\w.~:,!*'()%=&-]*$/, 'a link holds nothing that a URL or a Link header may not');
      }
    });

    it('have a canonical form that does not depend on how they are written', () => {
      for (const { query } of requests) {
        const { canonical } = parsePlan(dataset, query);
        const shuffled = chance.shuffled(query.split('&')).join('&');
        const otherPage = parsePlan(
          dataset,
          `${shuffled.replace(/(^|&)(page|limit)=\d+/g, '')}&page=9&limit=3&api_key=k`,
        );
        assert.equal(otherPage.canonical, canonical, `?${query}`);
      }
    });
  });
}

describe('the canonical form', () => {
  const canonical = (query: string) => parsePlan(TA_CUR, query).canonical;

  it('is one for one question', () => {
    for (const [a, b] of [
      ['price=1:8&price=2:9', 'range=price:2:8'],
      ['[sma50]>:[sma200]', 'comparison=sma200<:sma50'],
      ['[sma200]=:[sma50]', '[sma50]=:[sma200]'],
      ['[sma200]>=:[sma50]', '[sma50]<=:[sma200]'],
      ['price=1e2', 'price=100.0:100'],
      ['price=-0:', 'price=0:'],
      ['symbol=btc,eth', 'symbol=ETH,BTC,btc'],
      ['excl_cols=close,price', 'excl_cols=price'],
      ['meta=false&sort=datetimeUTC&order=desc', ''],
      ['not_null&price=1:', 'price=1:'],
      ['not_null=change5,change7&[change5]>:[change7]', '[change5]>:[change7]'],
    ] as const) {
      assert.equal(canonical(a), canonical(b), `?${a} and ?${b}`);
    }
  });

  it('differs where the rows or their form may', () => {
    const queries = [
      '',
      'sort=price',
      'order=asc',
      'format=csv',
      'format=json',
      'meta=true',
      'excl_cols=price',
      'min_history=5',
      'symbol=a',
      'symbol=a,b',
      'price=1:2',
      'price=1:',
      'price=:1',
      'price=1',
      'sma5=1',
      'not_null=change5',
      '[sma5]>:[sma7]',
      '[sma5]>=:[sma7]',
      '[sma7]>:[sma5]',
    ];
    assert.equal(new Set(queries.map(canonical)).size, queries.length);
  });
});

describe('20,000 mutated query strings', () => {
  it('give a plan or an error of the table, never anything else', () => {
    const chance = new Chance(11);
    const rows = randomRows(TA_CUR, 20, chance);
    const pieces = [
      '%',
      '%00',
      '%ff',
      '&',
      '=',
      ':',
      '[',
      ']',
      '>',
      '<',
      '!',
      ',',
      '+',
      '\xe9',
      '__proto__',
      'not_null',
      '1e999',
      '-',
    ];
    const codes = new Set<string>();
    for (let i = 0; i < 20_000; i++) {
      let { query } = randomRequest(TA_CUR, rows, chance);
      for (let mutations = 1 + chance.below(3); mutations > 0; mutations--) {
        const at = chance.below(query.length + 1);
        query =
          query.slice(0, at) + (chance.happens(0.7) ? chance.pick(pieces) : '') + query.slice(at + chance.below(3));
      }
      try {
        parsePlan(TA_CUR, query);
        codes.add('none');
      } catch (error) {
        assert.ok(error instanceof ApiError, `?${query}: ${error}`);
        assert.notEqual(error.param, undefined, `?${query}: ${error.code} names no parameter`);
        codes.add(error.code);
      }
    }
    assert.ok(codes.size >= 8, `only ${[...codes]} occurred`);
  });
});
