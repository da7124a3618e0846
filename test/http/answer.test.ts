import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { INDICATORS } from '../../src/domain/catalogue.ts';
import type { TestService } from '../support/service.ts';
import {
  allRows,
  CHANGE_FIELDS,
  ENVELOPE_FIELDS,
  type Envelope,
  LISTING,
  ROW_FIELDS,
  type Row,
  startContractService,
} from './contract.ts';
import { MARKET } from './market.ts';

let service: TestService;
before(async () => {
  service = await startContractService();
});
after(() => service.close());

const page = (query: string) => service.get<Envelope>(`${LISTING}?${query}`);

describe('SPEC 4: the envelope', () => {
  for (const query of [
    '',
    'limit=1',
    'meta=true',
    'page=1000',
    'symbol=nobody',
    'excl_cols=symbol',
    'limit=3&page=2',
  ]) {
    it(`of ?${query} has exactly the seed’s ten fields in the seed’s order`, async () => {
      const envelope = await page(query);
      assert.equal(ENVELOPE_FIELDS.length, 10);
      assert.deepEqual(Object.keys(envelope), ENVELOPE_FIELDS);
      assert.equal(envelope.error, false);
      assert.equal(envelope.results_returned, envelope.result.length);
    });
  }

  it('says when it was made, in UTC, to the second', async () => {
    assert.equal((await page('')).datetimeUTC, '2026-03-10 12:34:56');
  });

  it('has its times in milliseconds with microsecond digits', async () => {
    for (let i = 0; i < 20; i++) {
      const { text } = await service.ask(`${LISTING}?meta=true&limit=${i + 1}`);
      const times = [...text.matchAll(/"(response_time|fetch_data_time|fetch_meta_time)":([^,]*)/g)];
      assert.equal(times.length, 3);
      for (const [, name, time] of times) assert.match(time ?? '', /^\d+(\.\d{1,3})?$/, name);
      const [all, meta, data] = times.map(time => Number(time[2]));
      // Each is rounded by itself.
      assert.ok(data! > 0 && all! + 0.002 >= data! + meta!, text.slice(0, 100));
    }
  });

  it('has a fetch_meta_time of 0 and metadata null when meta was not asked for', async () => {
    for (const query of ['', 'meta=false']) {
      const { fetch_meta_time, metadata } = await page(query);
      assert.equal(fetch_meta_time, 0);
      assert.equal(metadata, null);
    }
  });
});

describe('SPEC 4: the rows', () => {
  it('have exactly the seed’s 34 fields in the seed’s order', async () => {
    assert.equal(ROW_FIELDS.length, 34);
    for (const row of await allRows(service)) assert.deepEqual(Object.keys(row), ROW_FIELDS);
  });

  it('are numbers, but for the two texts, and only a change is ever null', async () => {
    for (const row of await allRows(service)) {
      for (const [name, value] of Object.entries(row)) {
        if (name === 'datetimeUTC') assert.match(String(value), /^\d{4}-\d\d-\d\dT00:00:00\.000Z$/);
        else if (name === 'symbol') assert.equal(typeof value, 'string');
        else if (value === null) assert.ok(CHANGE_FIELDS.includes(name), name);
        else assert.ok(Number.isFinite(value), `${name} is ${value}`);
      }
    }
    const { text } = await service.ask(`${LISTING}?limit=1000`);
    assert.doesNotMatch(text, /NaN|Infinity|undefined/);
  });

  it('have the very doubles that were computed', async () => {
    const assets = new Map((await service.store.assets()).map(asset => [asset.assetNumber, asset]));
    const published = new Map(
      (await service.store.currentSince(0)).rows.map(row => [assets.get(row.assetNumber)?.id, row]),
    );
    const idOfSymbol = new Map([...assets.values()].map(({ symbol, id }) => [symbol, id]));
    for (const row of await allRows(service)) {
      const computed = published.get(idOfSymbol.get(String(row['symbol'])));
      assert.equal(row['price'], computed?.price);
      const values = INDICATORS.map(({ name }) => row[name] ?? Number.NaN);
      assert.deepEqual(values, [...(computed?.values ?? [])], String(row['symbol']));
    }
  });

  it('are those of the active assets, one for each ticker', async () => {
    const gone = ['STALE', 'DEAD', 'GHOST'];
    const expected = MARKET.map(({ symbol }) => symbol).filter(symbol => !gone.includes(symbol) && symbol !== 'TIDE');
    const rows = await allRows(service);
    assert.deepEqual(rows.map(row => String(row['symbol'])).sort(), expected.sort());
    const { price } = rows.find(row => row['symbol'] === 'Tide')!;
    assert.equal(price, MARKET.find(({ name }) => name === 'Tide First')?.closes.at(-1));
  });

  it('are null where the history is too short, and zero where nothing changed', async () => {
    const rows = new Map((await allRows(service)).map(row => [row['symbol'], row]));
    const only = (row: Row | undefined, names: readonly string[]) => names.map(name => row?.[name]);
    assert.deepEqual(only(rows.get('ONE'), ['price', 'change1', 'sma5', 'sma365', 'var50', 'vol50']), [
      7.5,
      null,
      7.5,
      7.5,
      0,
      0,
    ]);
    assert.equal(rows.get('FIVE')?.['change5'], null);
    assert.equal(typeof rows.get('SIX')?.['change5'], 'number');
    assert.deepEqual(new Set(only(rows.get('FLATA'), CHANGE_FIELDS)), new Set([0]));
  });

  it('have the start of the UTC day of the latest close', async () => {
    const rows = new Map((await allRows(service)).map(row => [row['symbol'], row['datetimeUTC']]));
    assert.equal(rows.get('BTC'), '2026-03-10T00:00:00.000Z');
    assert.equal(rows.get('EDGE'), '2026-03-03T00:00:00.000Z');
  });
});

describe('SPEC 4: metadata', () => {
  const common = ['type', 'unit', 'nullable', 'description'];

  it('has one member for each returned field, in order', async () => {
    assert.deepEqual(Object.keys((await page('meta=true')).metadata ?? {}), ROW_FIELDS);
    const left = ROW_FIELDS.filter(name => name !== 'price' && name !== 'sma50');
    assert.deepEqual(Object.keys((await page('meta=true&excl_cols=price,sma50')).metadata ?? {}), left);
  });

  it('says of each field what it is, and of an indicator how it is computed', async () => {
    const metadata = (await page('meta=true&limit=1')).metadata ?? {};
    for (const [name, facts] of Object.entries(metadata)) {
      const window = /^(?:change|sma|var|vol)(\d+)$/.exec(name)?.[1];
      assert.deepEqual(
        Object.keys(facts),
        window === undefined ? common : [...common, 'window', 'formula', 'min_history'],
      );
      assert.equal(facts['nullable'], CHANGE_FIELDS.includes(name), name);
      assert.equal(facts['type'], ['datetimeUTC', 'symbol'].includes(name) ? 'string' : 'number', name);
      if (window !== undefined) assert.equal(facts['window'], Number(window), name);
    }
    assert.equal(metadata['change30']?.['min_history'], 31);
    assert.equal(metadata['sma30']?.['min_history'], 30);
    assert.equal(metadata['price']?.['unit'], 'USD');
  });

  it('is true: min_history is what a change needs', async () => {
    const { metadata } = await page('meta=true&limit=1');
    for (const name of CHANGE_FIELDS) {
      const needed = metadata?.[name]?.['min_history'];
      const enough = await page(`limit=1000&min_history=${needed}`);
      const known = await page(`limit=1000&not_null=${name}`);
      assert.deepEqual(known.result, enough.result, name);
    }
  });
});
