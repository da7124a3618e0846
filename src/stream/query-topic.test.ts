import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Publications } from '../../test/support/publications.ts';
import { ByteCache } from '../common/byte-cache.ts';
import { finish } from '../common/steps.ts';
import { TA_CUR } from '../domain/datasets.ts';
import { parsePlan } from '../query/parse/parse-plan.ts';
import { QueryTopic } from './query-topic.ts';
import type { Topic } from './topic.ts';

const ONLY_PRICES = `excl_cols=${TA_CUR.columns
  .map(({ name }) => name)
  .filter(name => name !== 'symbol' && name !== 'price')
  .join()}`;

function topicOf(market: Publications, query: string, limit = 10): QueryTopic {
  const plan = parsePlan(TA_CUR, `${query}&${ONLY_PRICES}`);
  return finish(QueryTopic.create(plan, limit, market.current, new ByteCache(1e6)));
}

/** The event that a client gets which has seen the version. */
function eventOf(topic: Topic, seen: number | null): { name: string; id: string; data: unknown } | null {
  const bytes = topic.since(seen);
  if (bytes === null) return null;
  const [, name, id, data] =
    /^event: (\w+)\nid: (\d+)\ndata: (.*)\n\n$/.exec(bytes.toString()) ?? assert.fail(`${bytes}`);
  return { name: name!, id: id!, data: JSON.parse(data!) };
}

describe('the topic of a query', () => {
  it('sends a new client the rows of its page', () => {
    const topic = topicOf(new Publications({ A: 1, B: 2, C: 3 }), 'sort=price', 2);
    assert.deepEqual(eventOf(topic, null), {
      name: 'rows',
      id: '1',
      data: {
        version: 1,
        result: [
          { symbol: 'C', price: 3 },
          { symbol: 'B', price: 2 },
        ],
      },
    });
    assert.equal(eventOf(topic, 1), null);
  });

  it('sends a client that has seen the version before what has changed', () => {
    const market = new Publications({ A: 1, B: 2, C: 3 });
    const topic = topicOf(market, 'sort=price&where=price%20%3E%201.5');
    finish(topic.refresh(market.next({ A: 10, B: 1, C: 4 })));
    assert.deepEqual(eventOf(topic, 1), {
      name: 'changes',
      id: '2',
      data: { version: 2, entered: [{ symbol: 'A', price: 10 }], left: ['B'], changed: [{ symbol: 'C', price: 4 }] },
    });
  });

  it('sends all rows to a client that has missed a publication, or whose changes were released', () => {
    const market = new Publications({ A: 1 });
    const topic = topicOf(market, 'sort=price');
    finish(topic.refresh(market.next({ A: 2 })));
    finish(topic.refresh(market.next({ A: 3 })));
    assert.equal(eventOf(topic, 1)?.name, 'rows');
    assert.equal(eventOf(topic, 2)?.name, 'changes');
    topic.release();
    assert.deepEqual(eventOf(topic, 2)?.data, { version: 3, result: [{ symbol: 'A', price: 3 }] });
  });

  it('makes the bytes of a version once', () => {
    const market = new Publications({ A: 1 });
    const topic = topicOf(market, 'sort=price');
    const first = topic.since(null);
    assert.equal(topic.since(null), first);
    finish(topic.refresh(market.current));
    assert.equal(topic.since(null), first, 'the same version changes nothing');
    finish(topic.refresh(market.next({ A: 2 })));
    assert.notEqual(topic.since(null), first);
  });

  it('says that a row has changed if another asset has taken over its ticker', () => {
    const market = new Publications({ A: 1, 'A#2': 7, B: 2 });
    const topic = topicOf(market, 'sort=symbol&order=asc');
    finish(topic.refresh(market.next({}, ['A'])));
    assert.deepEqual(eventOf(topic, 1)?.data, {
      version: 2,
      entered: [],
      left: [],
      changed: [{ symbol: 'A', price: 7 }],
    });
  });
});
