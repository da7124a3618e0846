// `ta-cur/facets` over HTTP: the numbers are those that the filters `type` and `tag` give.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DemoServer, startDemo } from '../support/demo-server.ts';
import type { Envelope, Problem } from './contract.ts';

const LISTING = '/v1/crypto/ta-cur';
let demo: DemoServer;
before(async () => {
  demo = await startDemo();
});
after(() => demo.close());

async function rows(path: string): Promise<Envelope['result']> {
  const answer = await demo.ask(path);
  assert.equal(answer.status, 200, answer.text);
  return answer.json<Envelope>().result;
}

describe('the facets of a listing', () => {
  for (const query of ['', 'where=price>1&', 'as_of=2025-12-31&', 'tag=defi&']) {
    it(`have the rows that the listing has with each type and tag (${query || 'all rows'})`, async () => {
      const facets = await rows(`${LISTING}/facets?${query}limit=1000`);
      assert.ok(facets.length > 3);
      for (const { facet, value, count } of facets) {
        // A second `tag` would add to the first: its condition is an expression.
        const condition = facet === 'tag' ? `where=tag('${value}')` : `type=${value}`;
        const both =
          query.includes('where') && facet === 'tag' ? `where=price>1 and tag('${value}')` : `${query}${condition}`;
        const listed = await rows(`${LISTING}?limit=1000&excl_cols=price&${encodeURI(both)}`);
        assert.equal(listed.length, count, `${facet} ${value}`);
      }
    });
  }

  it('are ordered: types first, then tags, the most frequent first', async () => {
    const facets = await rows(`${LISTING}/facets?limit=1000`);
    const wanted = [...facets].sort(
      (a, b) =>
        String(b['facet']).localeCompare(String(a['facet'])) ||
        Number(b['count']) - Number(a['count']) ||
        (String(a['value']) < String(b['value']) ? -1 : 1),
    );
    assert.deepEqual(facets, wanted);
    assert.equal(facets[0]?.['facet'], 'type');
  });

  it('come in pages and as CSV, with the filters in their links', async () => {
    const answer = await demo.ask(`${LISTING}/facets?limit=2&where=price>1`);
    const { result, next } = answer.json<Envelope>();
    assert.equal(result.length, 2);
    assert.equal(new URL(next!).searchParams.get('where'), 'price>1');
    const csv = await demo.ask(`${LISTING}/facets?limit=1&format=csv`);
    assert.match(csv.text, /^facet,value,count\r\ntype,\w+,\d+\r\n$/);
  });

  it('refuse what the listing refuses', async () => {
    const answer = await demo.ask(`${LISTING}/facets?where=prize>1`);
    assert.deepEqual([answer.status, answer.json<Problem>().code], [400, 'unknown_column']);
  });
});
