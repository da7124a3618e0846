// `findings`, `actions` and the columns of the group `quality`, through real sockets.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { recomputePending } from '../../src/publish/publish-pending.ts';
import { separate } from '../../src/publish/sources-of.ts';
import { batch, DAY, draft } from '../contract/fixtures.ts';
import { TestService } from '../support/service.ts';

const calm = (day: number) => 100 * (1 + (day % 2) / 100);

describe('findings', () => {
  let service: TestService;
  let [spiked, holed, late] = [0, 0, 0];
  const rows = async (path: string) => {
    const answer = await service.ask(`/v1/crypto/${path}`);
    const body = answer.json<Record<string, unknown>>();
    // biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect of the JSON
    return (answer.status === 200 ? body['result'] : body) as any;
  };

  before(async () => {
    service = await TestService.start();
    const { store } = service;
    [spiked = 0, holed = 0, late = 0] = await store.putAssets([draft('spiked'), draft('holed'), draft('late')]);
    const days = Array.from({ length: 400 }, (_, day) => day);
    await store.putBars(
      batch([
        ...days.map(day => ({ assetNumber: spiked, day, close: calm(day) * (day === 390 || day === 100 ? 10 : 1) })),
        ...days.filter(day => day < 30 || day > 32).map(day => ({ assetNumber: holed, day, close: calm(day) })),
        ...days.filter(day => day < 395 && day !== 60).map(day => ({ assetNumber: late, day, close: calm(day) })),
      ]),
    );
    await recomputePending(store);
    await service.refresh();
  });
  after(() => service.close());

  it('are rows with a time, an asset, a rule and a state, the newest first', async () => {
    const found = await rows('findings');
    assert.deepEqual(
      found.map((row: Record<string, unknown>) => [
        row['datetimeUTC'],
        row['symbol'],
        row['rule'],
        row['value'],
        row['state'],
      ]),
      [
        ['2025-03-31T00:00:00.000Z', 'LATE', 'stale', 5, 'open'],
        ['2025-03-26T00:00:00.000Z', 'SPIKED', 'spike', 1000, 'open'],
        ['2024-06-09T00:00:00.000Z', 'SPIKED', 'spike', 1000, 'open'],
        ['2024-04-30T00:00:00.000Z', 'LATE', 'gap', 1, 'open'],
        ['2024-03-31T00:00:00.000Z', 'HOLED', 'gap', 3, 'open'],
      ],
    );
    assert.deepEqual(Object.keys(found[0]), [
      'datetimeUTC',
      'symbol',
      'id',
      'interval',
      'rule',
      'value',
      'expected',
      'source',
      'detail',
      'state',
    ]);
  });

  for (const [name, query, expected] of [
    ['pages', 'limit=2&page=2', ['SPIKED', 'LATE']],
    ['a sort', 'sort=value&order=asc&limit=2', ['LATE', 'HOLED']],
    ['a sort by text', 'sort=symbol&order=asc&limit=1', ['HOLED']],
    ['a range', 'value=3:6', ['LATE', 'HOLED']],
    ['a ticker', 'symbol=spiked', ['SPIKED', 'SPIKED']],
    ['days', 'from=2024-04-01&to=2024-06-09', ['SPIKED', 'LATE']],
    ['a condition', `where=${encodeURIComponent("rule = 'gap' and state = 'open'")}`, ['LATE', 'HOLED']],
    ['a time in a condition', `where=${encodeURIComponent("datetimeUTC > '2025-03-26'")}`, ['LATE']],
  ] as const) {
    it(`take ${name}`, async () => {
      const found = await rows(`findings?${query}`);
      assert.deepEqual(
        found.map?.((row: Record<string, unknown>) => row['symbol']),
        expected,
        JSON.stringify(found),
      );
    });
  }

  it('come as CSV, with metadata, and unchanged as 304', async () => {
    const { text } = await service.ask('/v1/crypto/findings?format=csv&limit=1');
    assert.match(text, /^datetimeUTC,symbol,.*\r?\n2025-03-31T00:00:00\.000Z,LATE,/);
    const { metadata } = (await service.ask('/v1/crypto/findings?meta=true')).json<{
      metadata: { rule: { description: string } };
    }>();
    assert.match(metadata.rule.description, /spike/);
    const { headers } = await service.ask('/v1/crypto/findings');
    const again = await service.ask('/v1/crypto/findings', {
      headers: { 'if-none-match': String(headers.etag) },
    });
    assert.equal(again.status, 304);
    assert.equal((await rows('findings?colour=red')).code, 'unknown_parameter');
  });

  it('count in the columns of the group quality, which have no past', async () => {
    const names = ['symbol', 'sources', 'gaps365', 'stale', 'findings30', 'findings365'];
    // A quote changes prices, not what is in doubt.
    for (const quote of ['', '&quote=HOLED']) {
      const listed = await rows(`ta-cur?incl_cols=quality&sort=symbol&order=asc${quote}`);
      assert.deepEqual(
        listed.map((row: Record<string, unknown>) => names.map(name => row[name])),
        [
          ['HOLED', 1, 0, 0, 0, 0],
          ['LATE', 1, 1, 5, 0, 1],
          ['SPIKED', 1, 0, 0, 1, 2],
        ],
        quote,
      );
    }
    const clean = await rows(`ta-cur?where=${encodeURIComponent('findings30 = 0 and stale = 0')}`);
    assert.deepEqual(
      clean.map((row: Record<string, unknown>) => row['symbol']),
      ['HOLED'],
    );
    const past = await rows(`ta-cur?as_of=2025-01-01&where=${encodeURIComponent('findings30 = 0')}`);
    assert.equal(past.code, 'no_past_values');
  });

  it('change their state with what people say, and so do the columns', async () => {
    const { store } = service;
    const place = { assetNumber: spiked, interval: '1d', period: DAY + 390, rule: 'spike', source: 'unknown' } as const;
    await store.accept(place, 'a real one');
    await recomputePending(store);
    await service.refresh();
    const [, spike] = await rows('findings');
    assert.deepEqual([spike.state, spike.source], ['accepted', 'unknown']);
    const counts = async () => {
      const [row] = await rows('ta-cur?incl_cols=quality&symbol=SPIKED');
      return [row.findings30, row.findings365, row.sources];
    };
    assert.deepEqual(await counts(), [0, 1, 1]);
    await store.removeAcceptance(place);
    await recomputePending(store);
    await service.refresh();
    assert.deepEqual(await counts(), [1, 2, 1]);
  });

  it('and what is served come back byte for byte when a correction or an action is undone', async () => {
    const { store } = service;
    const published = async (work: () => Promise<unknown>) => {
      await work();
      await recomputePending(store);
      await service.refresh();
      const all = await Promise.all(
        [
          'ta-cur?format=csv&incl_cols=all',
          'bars?symbol=SPIKED&format=csv',
          'bars?symbol=LATE&format=csv',
          'findings?format=csv',
          'actions?format=csv',
          'sources?symbol=SPIKED',
          'explain/spiked/sma20?as_of=2025-03-31',
        ].map(async path => (await service.ask(`/v1/crypto/${path}`)).text),
      );
      return all.join('\n');
    };
    const before = await published(async () => {});
    const numbers = { open: null, high: null, low: null, close: 101, volume: null };
    const correction = { assetNumber: spiked, interval: '1d', period: DAY + 390, ...numbers, reason: 'typo' } as const;
    let number = 0;
    const corrected = await published(async () => {
      for (const asset of [spiked, holed, late]) await separate(store, asset);
      number = await store.addCorrection(correction);
    });
    assert.notEqual(corrected, before);
    assert.match(corrected, /2025-03-26T00:00:00\.000Z,SPIKED,.*,corrected/);
    assert.equal(await published(() => store.undoCorrection(number)), before);
    const barsOf = async (more: string) => (await service.ask(`/v1/crypto/bars?symbol=LATE&format=csv${more}`)).text;
    const unadjusted = await barsOf('');
    const action = { assetNumber: late, day: DAY + 200, ratio: 1000, fromAsset: holed, reason: 'became it' };
    const adjusted = await published(async () => {
      [number = 0] = await store.addActions([action]);
    });
    assert.notEqual(adjusted, before);
    assert.equal(await barsOf('&adjusted=false'), unadjusted);
    assert.notEqual(await barsOf(''), unadjusted);
    assert.match(adjusted, /2024-09-17T00:00:00\.000Z,LATE,late,1000,holed,became it/);
    assert.equal(await published(() => store.removeAction(number)), before);
  });
});
