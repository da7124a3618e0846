// The sources of an asset over HTTP: what each has, its own bars, and what it contributed to an explained number.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { dayFromIso } from '../../src/domain/day.ts';
import { SourceRoutes } from '../../src/ingest/source-routes.ts';
import { storePriceRules } from '../../src/publish/price-rules.ts';
import { recomputePending } from '../../src/publish/publish-pending.ts';
import { batch, DAY } from '../contract/fixtures.ts';
import type { TestService } from '../support/service.ts';
import { assertProblem, type Envelope, startContractService } from './contract.ts';
import { MARKET, marketSource } from './market.ts';
import { callTool } from './mcp-calls.ts';

const FIRST = dayFromIso('2026-03-01')! - DAY;
const CLOSES = { kraken: [100, 110, 120], binance: [101, 115, 121, 130] } as const;

interface Row {
  readonly source: string;
  readonly decided: number;
}

const FACTS = { rank: null, type: null, supply: null, tags: '', provisional: false, delisted: false };

let service: TestService;
let asset: number;
before(async () => {
  service = await startContractService({ sources: [marketSource(MARKET.slice(0, 3))] });
  const { store } = service;
  [asset = 0] = await store.putAssets([{ id: 'two-sources', symbol: 'TWO', name: 'Two', ...FACTS }]);
  for (const [source, closes] of Object.entries(CLOSES)) {
    const bars = closes.map((close, i) => ({ assetNumber: asset, day: FIRST + i, close, volume: 1 }));
    await SourceRoutes.put(store, source, '1d', batch(bars), await store.beginLoad(`ccxt:${source}`));
  }
  await publish();
});
after(() => service.close());

async function publish(): Promise<void> {
  await recomputePending(service.store);
  await service.load(marketSource([]));
}

const sources = (query: string) => service.get<{ price_rule: string; result: Row[] }>(`/v1/crypto/sources?${query}`);
const closes = async (query: string) => {
  const body = await service.get<Envelope>(`/v1/crypto/bars?symbol=TWO&order=asc&${query}`);
  return body.result.map(row => row['close']);
};

describe('sources over HTTP', () => {
  it('are listed with what they have and how often they decided', async () => {
    const { price_rule, result } = await sources('symbol=two');
    assert.equal(price_rule, 'priority');
    assert.deepEqual(result, [
      {
        ...{ source: 'kraken', first: '2026-03-01T00:00:00.000Z', last: '2026-03-03T00:00:00.000Z', bars: 3 },
        ...{ decided: 0.75, median_distance: 0, largest_distance: 0 },
      },
      {
        ...{ source: 'binance', first: '2026-03-01T00:00:00.000Z', last: '2026-03-04T00:00:00.000Z', bars: 4 },
        ...{ decided: 0.25, median_distance: (101 / 100 - 1 + (121 / 120 - 1)) / 2, largest_distance: 115 / 110 - 1 },
      },
    ]);
  });

  it('are one for an asset with one', async () => {
    const { result } = await sources(`symbol=${MARKET[0]!.symbol}`);
    assert.deepEqual(
      result.map(({ source, decided }) => [source, decided]),
      [['test', 1]],
    );
  });

  it('each serve their own bars', async () => {
    assert.deepEqual(await closes(''), [100, 110, 120, 130]);
    assert.deepEqual(await closes('source=binance'), [101, 115, 121, 130]);
    assert.deepEqual(await closes('source=Kraken&from=2026-03-02'), [110, 120]);
    assert.deepEqual(await closes('source=binance&interval=1mo'), [130]);
  });

  it('say what they contributed to an explained number', async () => {
    const body = await service.get<{ inputs: { sources?: unknown }[] }>(
      '/v1/crypto/explain/two-sources/price?as_of=2026-03-02',
    );
    assert.deepEqual(body.inputs[0]!.sources, [
      { source: 'kraken', close: 110, weight: 1, decided: true },
      { source: 'binance', close: 115, weight: 0, decided: false },
    ]);
    const other = await service.get<{ inputs: object[] }>(`/v1/crypto/explain/${MARKET[0]!.symbol}/price`);
    assert.ok(!('sources' in other.inputs[0]!));
  });

  it('are named in an explanation with the action and the correction behind an input', async () => {
    const { store } = service;
    const [old = 0] = await store.putAssets([{ ...FACTS, id: 'old-token', symbol: 'OLD', name: 'Old' }]);
    const days = [-1, 0].map(day => ({ assetNumber: old, day: FIRST + day, close: 2 }));
    await SourceRoutes.put(store, 'kraken', '1d', batch(days), await store.beginLoad('ccxt:kraken'));
    const day = DAY + FIRST;
    const [migration = 0, split = 0] = await store.addActions([
      { assetNumber: asset, day, ratio: 1, fromAsset: old, reason: 'new name' },
      { assetNumber: asset, day: day + 1, ratio: 10, fromAsset: null, reason: '' },
    ]);
    const none = { open: null, high: null, low: null, volume: null };
    const corrected = { assetNumber: asset, interval: '1d', period: day + 1, ...none } as const;
    const correction = await store.addCorrection({ ...corrected, close: 7, reason: 'typo' });
    await publish();
    type Reviews = {
      close: number;
      actions?: { action: number; day: string; from_id: string | null }[];
      correction?: object;
    };
    const explained = async () =>
      (await service.get<{ inputs: Reviews[] }>('/v1/crypto/explain/two-sources/sma5?as_of=2026-03-03')).inputs;
    const inputs = await explained();
    assert.deepEqual(
      inputs.map(({ close, actions }) => [close, actions?.map(each => [each.action, each.day, each.from_id])]),
      [
        [120, undefined],
        [7, undefined],
        [1000, [[split, '2026-03-02', null]]],
        [
          20,
          [
            [split, '2026-03-02', null],
            [migration, '2026-03-01', 'old-token'],
          ],
        ],
      ],
    );
    const { correction: found, ...others } = inputs[1]!;
    assert.deepEqual({ ...found, created_at: '' }, { correction, close: 7, reason: 'typo', created_at: '' });
    assert.ok(!('actions' in others) && !inputs.some((input, i) => i !== 1 && 'correction' in input));
    // A period that a correction removes has the close before it.
    const drop = await store.addCorrection({ ...corrected, close: null, reason: 'no trade' });
    await publish();
    assert.deepEqual((await explained())[1], {
      ...(await explained())[1],
      close: 1000,
      correction: {
        ...found,
        correction: drop,
        close: null,
        reason: 'no trade',
        created_at: (await store.corrections()).at(-1)!.createdAt,
      },
    });
    for (const number of [migration, split]) await store.removeAction(number);
    for (const number of [correction, drop]) await store.undoCorrection(number);
    await publish();
    assert.ok(!(await explained()).some(input => 'actions' in input || 'correction' in input));
  });

  it('are shown by the tool get_asset, with the open findings', async () => {
    const { text } = await callTool(service, 'get_asset', { asset: 'two-sources' });
    assert.match(text, /^Sources of its daily prices, the preferred one first:$/m);
    assert.match(text, /^kraken: 3 days from 2026-03-01 to 2026-03-03, decided 75 % of the prices, at most 0 % from/m);
    assert.match(
      text,
      /^binance: 4 days from 2026-03-01 to 2026-03-04, decided 25 % of the prices, at most 4\.55 % from/m,
    );
    assert.doesNotMatch(text, /Open findings/);
    const { store } = service;
    const found = { assetNumber: asset, interval: '1d', rule: 'inconsistent', source: 'kraken' } as const;
    const doubt = { ...found, value: 1, expected: 2, detail: 'The high 1 is below the close 2.' };
    await store.recordFindings(Array.from({ length: 12 }, (_, i) => ({ ...doubt, period: DAY + FIRST - i })));
    await store.accept({ ...found, period: DAY + FIRST }, 'seen');
    const { text: now } = await callTool(service, 'get_asset', { asset: 'two-sources' });
    const findings = now.split('\n').filter(line => line.includes(' inconsistent of kraken: The high 1 is below'));
    assert.match(now, /^Open findings: 11, the newest 10 of them:$/m);
    assert.deepEqual([findings.length, findings[0]?.slice(0, 10)], [10, '2026-02-28']);
    const url = new URL(/^All findings: (\S+)$/m.exec(now)?.[1] ?? assert.fail(now), 'http://localhost');
    const { result } = await service.get<Envelope>(url.pathname + url.search);
    assert.equal(result.filter(({ rule }) => rule === 'inconsistent').length, 12);
    await store.removeRecorded(await store.recordedFindings());
    const { text: other } = await callTool(service, 'get_asset', { asset: MARKET[0]!.symbol });
    assert.doesNotMatch(other, /Sources of|Open findings/);
  });

  it('make another price by another rule', async () => {
    await storePriceRules(service.store, { ofAll: { kind: 'median', order: [] }, ofAssets: new Map() });
    await publish();
    assert.deepEqual(await closes(''), [100.5, 112.5, 120.5, 130]);
    const { price_rule, result } = await sources('id=two-sources');
    assert.deepEqual([price_rule, ...result.map(each => each.decided)], ['median', 0.75, 1]);
  });

  for (const [path, code, param, status = 400] of [
    ['/v1/crypto/sources', 'missing_parameter', 'symbol'],
    ['/v1/crypto/sources?symbol=TWO&id=two-sources', 'conflicting_parameters', 'id'],
    ['/v1/crypto/sources?symbol=NOBODY', 'unknown_asset', 'symbol', 404],
    ['/v1/crypto/sources?symbol=TWO&interval=1w', 'invalid_value', 'interval'],
    ['/v1/crypto/bars?symbol=TWO&source=okx', 'invalid_value', 'source'],
    ['/v1/crypto/bars?symbol=TWO&source=', 'invalid_value', 'source'],
    ['/v1/crypto/ta-hist?symbol=TWO&source=kraken', 'unknown_parameter', 'source'],
  ] as const) {
    it(`refuse ${path}`, async () => {
      assertProblem(await service.ask(path), status, code, param);
    });
  }
});
