import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { dayFromIso } from '../../src/domain/day.ts';
import { recomputePending } from '../../src/publish/publish-pending.ts';
import type { TestService } from '../support/service.ts';
import { assertProblem, ENVELOPE_FIELDS, type Envelope, startContractService } from './contract.ts';
import { MARKET, marketSource } from './market.ts';

const BARS = '/v1/crypto/bars';
const FIELDS = ['datetimeUTC', 'open', 'high', 'low', 'close', 'volume'];

/** The open, high, low, close and volume of days in the February and March of 2026; 2026-02-23 and 2026-03-02 are Mondays. */
const DAYS: readonly (readonly [
  day: string,
  open: number | null,
  high: number | null,
  low: number,
  close: number,
  volume: number,
])[] = [
  ['2026-02-25', 10, 12, 9, 11, 100],
  ['2026-02-26', 11, 15, 10, 14, 50.5],
  ['2026-03-01', 14, 14.5, 8, 9, 30],
  ['2026-03-02', 9, null, 9, 10, 20],
  ['2026-03-09', null, 11, 10, 10.5, 1],
  ['2026-03-10', 10.5, 20, 10, 19, 2],
];

let service: TestService;
before(async () => {
  service = await startWithBars();
});
after(() => service.close());

async function startWithBars(): Promise<TestService> {
  const started = await startContractService({ sources: [marketSource(MARKET.slice(0, 8))] });
  await putBars(started, DAYS);
  await recomputePending(started.store);
  await started.load(marketSource([]));
  return started;
}

async function putBars({ store }: TestService, bars: typeof DAYS): Promise<void> {
  const facts = { rank: null, type: null, supply: null, tags: '', provisional: false, delisted: false };
  const [assetNumber] = await store.putAssets([{ id: 'ohlc-bars', symbol: 'OHLC', name: 'Bars', ...facts }]);
  const numbers = (at: 1 | 2 | 3 | 4 | 5) => Float64Array.from(bars, bar => bar[at] ?? Number.NaN);
  await store.putBars({
    count: bars.length,
    assetNumber: new Uint32Array(bars.length).fill(assetNumber!),
    day: Int32Array.from(bars, ([day]) => dayFromIso(day)!),
    open: numbers(1),
    high: numbers(2),
    low: numbers(3),
    close: numbers(4),
    volume: numbers(5),
  });
}

const page = (query: string) => service.get<Envelope>(`${BARS}?${query}`);
const bars = async (query: string) =>
  (await page(`id=ohlc-bars&order=asc&limit=100&${query}`)).result.map(row => [
    String(row['datetimeUTC']).slice(0, 10),
    ...FIELDS.slice(1).map(name => row[name]),
  ]);

describe('bars', () => {
  it('have the envelope of a listing, newest first', async () => {
    const envelope = await page('symbol=ohlc&limit=2');
    assert.deepEqual(Object.keys(envelope), ENVELOPE_FIELDS);
    assert.deepEqual(envelope.result, [
      { datetimeUTC: '2026-03-10T00:00:00.000Z', open: 10.5, high: 20, low: 10, close: 19, volume: 2 },
      { datetimeUTC: '2026-03-09T00:00:00.000Z', open: null, high: 11, low: 10, close: 10.5, volume: 1 },
    ]);
    assert.match(String(envelope.next), /\/bars\?limit=2&sort=datetimeUTC&order=desc&page=2&symbol=ohlc$/);
  });

  it('are of delivered days only', async () => {
    assert.deepEqual(await bars(''), DAYS);
    assert.deepEqual(await bars('interval=1d'), DAYS);
  });

  it('are of weeks from Monday; a figure that a day lacks is null', async () => {
    assert.deepEqual(await bars('interval=1w'), [
      ['2026-02-23', 10, 15, 8, 9, 180.5],
      ['2026-03-02', 9, null, 9, 10, 20],
      ['2026-03-09', null, 20, 10, 19, 3],
    ]);
  });

  it('are of calendar months', async () => {
    assert.deepEqual(await bars('interval=1mo'), [
      ['2026-02-01', 10, 15, 9, 14, 150.5],
      ['2026-03-01', 14, null, 8, 19, 53],
    ]);
  });

  it('are whole, whichever days are requested', async () => {
    assert.deepEqual(await bars('interval=1w&from=2026-02-24&to=2026-03-03'), [['2026-03-02', 9, null, 9, 10, 20]]);
    assert.deepEqual(await bars('from=2026-03-03&to=2026-03-09'), [DAYS[4]]);
  });

  it('take filters, sorts, expressions and excluded columns', async () => {
    const days = async (query: string) => (await bars(query)).map(([day]) => day);
    assert.deepEqual(await days('volume=20:50'), ['2026-03-01', '2026-03-02']);
    assert.deepEqual(await days('[close]>:[open]&not_null=high'), ['2026-02-25', '2026-02-26', '2026-03-10']);
    assert.deepEqual(await days('where=high-low>5'), ['2026-03-01', '2026-03-10']);
    const { result } = await page('id=ohlc-bars&calc=span:high-low&sort=span&limit=1&excl_cols=volume,open');
    assert.deepEqual(result, [{ datetimeUTC: '2026-03-10T00:00:00.000Z', high: 20, low: 10, close: 19, span: 10 }]);
  });

  it('come as CSV, with metadata, and with an ETag', async () => {
    const csv = await service.ask(`${BARS}?id=ohlc-bars&format=csv&interval=1mo`);
    assert.deepEqual(parse(csv.text), [
      FIELDS,
      ['2026-03-01T00:00:00.000Z', '14', '', '8', '19', '53'],
      ['2026-02-01T00:00:00.000Z', '10', '15', '9', '14', '150.5'],
    ]);
    const { metadata } = await page('id=ohlc-bars&meta=true');
    assert.deepEqual(Object.keys(metadata ?? {}), FIELDS);
    const first = await service.ask(`${BARS}?id=ohlc-bars`);
    const headers = { 'if-none-match': String(first.headers.etag) };
    assert.equal((await service.ask(`${BARS}?id=ohlc-bars`, { headers })).status, 304);
    assert.equal((await service.ask(`${BARS}?id=ohlc-bars&interval=1w`, { headers })).status, 200);
  });

  it('have the closes of the history', async () => {
    const { result } = await page('symbol=BTC&limit=1000');
    assert.deepEqual(
      result.map(row => row['close']),
      [...MARKET[0]!.closes].reverse(),
    );
    for (const row of result) assert.equal(row['open'], null);
  });

  it('are none of an asset without prices', async () => {
    const other = await startContractService();
    try {
      assert.deepEqual((await other.get<Envelope>(`${BARS}?symbol=GHOST`)).result, []);
    } finally {
      await other.close();
    }
  });

  for (const [query, code, param] of [
    ['interval=1w', 'missing_parameter', 'symbol'],
    ['symbol=OHLC&interval=1h', 'unknown_interval', 'interval'],
    ['symbol=OHLC&interval=2h', 'invalid_value', 'interval'],
    ['symbol=OHLC&interval=1d&interval=1d', 'duplicate_parameter', 'interval'],
    ['symbol=OHLC&min_history=3', 'unknown_parameter', 'min_history'],
    ['symbol=OHLC&sort=price', 'unknown_column', 'sort'],
    ['symbol=OHLC&from=2026-03-02&to=2026-03-01', 'invalid_range', 'from'],
  ] as const) {
    it(`answer ${query} with ${code}`, async () => {
      assertProblem(await service.ask(`${BARS}?${query}`), 400, code, param);
    });
  }

  it('answer an unknown asset with 404', async () => {
    assertProblem(await service.ask(`${BARS}?symbol=NOBODY`), 404, 'unknown_asset', 'symbol');
  });
});

describe('bars while a load is under way', () => {
  it('keep the published close, without numbers of the load beside it', async () => {
    const other = await startWithBars();
    try {
      const newest = async () => (await other.get<Envelope>(`${BARS}?id=ohlc-bars&limit=1`)).result[0];
      await putBars(other, [['2026-03-10', 1, 99, 1, 98, 5]]);
      const day = { datetimeUTC: '2026-03-10T00:00:00.000Z' };
      assert.deepEqual(await newest(), { ...day, open: null, high: null, low: null, close: 19, volume: null });
      await recomputePending(other.store);
      await other.load(marketSource([]));
      assert.deepEqual(await newest(), { ...day, open: 1, high: 99, low: 1, close: 98, volume: 5 });
    } finally {
      await other.close();
    }
  });
});
