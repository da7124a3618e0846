import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { BarColumns } from '../../src/domain/bar.ts';
import { OPTIONAL_COLUMNS } from '../../src/domain/catalogue.ts';
import { COLUMN_GROUPS } from '../../src/domain/columns.ts';
import type { Source } from '../../src/ingest/source.ts';
import { type Bars, barsAround, columnsOf, thinned, withoutSome } from '../support/oracle/bars.ts';
import { relativeError } from '../support/oracle/exact.ts';
import { exactOptional } from '../support/oracle/optional.ts';
import { uniform } from '../support/oracle/series.ts';
import type { TestService } from '../support/service.ts';
import {
  assertProblem,
  type Envelope,
  HISTORY,
  LISTING,
  ROW_FIELDS,
  type Row,
  startContractService,
} from './contract.ts';
import { TODAY, wave } from './market.ts';

const NAMES = OPTIONAL_COLUMNS.map(({ name }) => name);
const NUMERIC = OPTIONAL_COLUMNS.filter(({ type }) => type !== 'string').map(({ name }) => name);
/** Facts of the asset, whose past values are those that were recorded. */
const CURRENT = new Set(['rank', 'supply', 'market_cap', 'sources', 'gaps365', 'stale', 'findings30', 'findings365']);

/** Bars of some days that end `age` days ago. */
function barsOf(days: number, around: number, seed: number, age = 0): Bars {
  return barsAround(wave(days, around, seed), uniform(seed), TODAY - age - days + 1);
}

const BITCOIN = barsOf(420, 60_000, 1);
/** One without gaps, one with gaps and without some figures, one that ended earlier, short ones, one with closes only. */
const ASSETS: Readonly<Record<string, Bars>> = {
  BTC: BITCOIN,
  WHOLE: barsOf(400, 30, 2),
  GAPS: thinned(
    withoutSome(
      barsOf(380, 3, 3),
      i => i === 200,
      i => i % 50 === 7,
    ),
    i => i % 9 !== 4,
  ),
  EARLY: barsOf(150, 7, 4, 3),
  SHORT: barsOf(20, 1, 5),
  NEW: barsOf(1, 2, 6),
  CLOSES: withoutSome(
    barsOf(100, 11, 7),
    () => true,
    () => true,
  ),
};

/** The bars up to a day, of the assets that have any. */
function source(until: number, symbols: readonly string[] = Object.keys(ASSETS)): Source {
  return {
    name: 'test',
    async *profiles() {},
    async *bars() {
      for (const symbol of symbols) {
        const bars = columnsOf(ASSETS[symbol]!);
        const count = bars.day.filter(day => day <= until).length;
        if (count > 0) yield { kind: 'bars', batch: batchOf(symbol, bars, count) };
      }
    },
  };
}

/** Of the first bars. */
function batchOf(symbol: string, bars: BarColumns, count: number) {
  const places = { asset: new Uint32Array(count), line: new Uint32Array(count), origin: 'test' };
  return { interval: '1d' as const, ...bars, ...places, count, assets: [{ id: null, symbol }] };
}

let service: TestService;
before(async () => {
  service = await startContractService({ sources: [source(TODAY)] });
});
after(() => service.close());

const rowsOf = async (query: string) => (await service.get<Envelope>(`${LISTING}?limit=1000&${query}`)).result;

describe('incl_cols', () => {
  it('adds nothing if it is not given', async () => {
    for (const row of await rowsOf('sort=rsi14&turnover=0:')) assert.deepEqual(Object.keys(row), ROW_FIELDS);
  });

  for (const [query, names] of [
    ['incl_cols=', []],
    ['incl_cols=rsi14', ['rsi14']],
    ['incl_cols=ath,%20rsi14,open', ['open', 'rsi14', 'ath']],
    ['incl_cols=price,ema10', ['ema10']],
    ['incl_cols=trend,ema10', NAMES.slice(NAMES.indexOf('ema10'), NAMES.indexOf('rsi7'))],
    ['incl_cols=all', NAMES],
    ['incl_cols=range&excl_cols=ath_at,max365,min365', ['from_max365', 'from_min365', 'ath', 'from_ath']],
    ['incl_cols=rsi14&calc=double:2*rsi14', ['rsi14', 'double']],
  ] as [string, string[]][]) {
    it(`${query} adds ${names.length} columns in the order of the catalogue`, async () => {
      for (const row of await rowsOf(query)) assert.deepEqual(Object.keys(row), [...ROW_FIELDS, ...names]);
    });
  }

  for (const [wrong, near] of [
    ['rsi41', 'rsi14? The windows of rsi are 7, 14, 21 days.'],
    ['momentun', 'momentum?'],
    ['al', 'all?'],
  ] as const) {
    it(`refuses ${wrong} and proposes ${near}`, async () => {
      const answer = await service.ask(`${LISTING}?incl_cols=price,${wrong}`);
      const problem = assertProblem(answer, 400, 'unknown_column', 'incl_cols');
      assert.equal(problem.hint, `Did you mean ${near}`);
    });
  }

  it('is not a parameter of the asset list', async () => {
    assertProblem(await service.ask('/v1/crypto/assets?incl_cols=all'), 400, 'unknown_parameter', 'incl_cols');
  });

  it('adds the columns to CSV and to the metadata', async () => {
    const { text } = await service.ask(`${LISTING}?incl_cols=momentum&format=csv`);
    const [head] = parse(text) as string[][];
    const momentum = OPTIONAL_COLUMNS.filter(({ group }) => group === 'momentum').map(({ name }) => name);
    assert.deepEqual(head, [...ROW_FIELDS, ...momentum]);
    const { metadata } = await service.get<Envelope>(`${LISTING}?incl_cols=momentum&meta=true`);
    assert.deepEqual(Object.keys(metadata!), head);
    assert.equal(metadata!['rsi14']!['group'], 'momentum');
  });

  it('is in next and prev', async () => {
    const { next } = await service.get<Envelope>(`${LISTING}?limit=2&incl_cols=rsi14`);
    assert.match(next!, /incl_cols=rsi14/);
  });
});

describe('optional columns', () => {
  it('equal exact arithmetic, and are null where the definition says so', async () => {
    const rows = new Map((await rowsOf('incl_cols=all')).map(row => [String(row['symbol']), row]));
    assert.equal(rows.size, Object.keys(ASSETS).length);
    for (const [symbol, bars] of Object.entries(ASSETS)) {
      // Exact arithmetic over long histories is slow; the golden cases have them.
      if (bars.day.length > 200 && symbol !== 'GAPS') continue;
      for (const name of NAMES.filter(each => !CURRENT.has(each))) {
        const [exact, served] = [exactOptional(name, bars, BITCOIN), rows.get(symbol)![name]!];
        const value = typeof served === 'string' ? Date.parse(served) / 86_400_000 : served;
        if (exact === null) assert.equal(value, null, `${symbol} ${name}`);
        else assert.ok(relativeError(Number(value), exact) <= 1e-11, `${symbol} ${name} = ${value}`);
      }
    }
  });

  for (const name of NUMERIC) {
    it(`${name} can be sorted by, filtered and compared, without being in the row`, async () => {
      const all = await rowsOf(`incl_cols=${name}&sort=symbol&order=asc`);
      const known = all.filter(row => row[name] !== null);
      const values = known.map(row => Number(row[name]));
      const symbols = (rows: readonly Row[]) => rows.map(row => row['symbol']);
      for (const order of ['asc', 'desc'] as const) {
        const sign = order === 'asc' ? 1 : -1;
        const expected = [...known].sort((a, b) => sign * (Number(a[name]) - Number(b[name])));
        const sorted = await rowsOf(`sort=${name}&order=${order}`);
        assert.deepEqual(symbols(sorted), symbols([...expected, ...all.filter(row => row[name] === null)]));
        for (const row of sorted) assert.deepEqual(Object.keys(row), ROW_FIELDS);
      }
      const middle = values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
      const byName = 'sort=symbol&order=asc';
      const atMost = symbols(known.filter(row => Number(row[name]) <= middle));
      assert.deepEqual(symbols(await rowsOf(`${byName}&${name}=:${middle}`)), atMost);
      assert.deepEqual(symbols(await rowsOf(`${byName}&where=${encodeURIComponent(`${name} <= ${middle}`)}`)), atMost);
      assert.deepEqual(symbols(await rowsOf(`${byName}&not_null=${name}`)), symbols(known));
      assert.deepEqual(
        symbols(await rowsOf(`${byName}&[${name}]<:[price]`)),
        symbols(known.filter(row => Number(row[name]) < Number(row['price']))),
      );
      const calculated = await rowsOf(`${byName}&calc=doubled:2*${name}`);
      assert.deepEqual(
        calculated.map(row => row['doubled']),
        all.map(row => (row[name] === null ? null : 2 * Number(row[name]))),
      );
    });
  }

  it('are described in the catalogue with their group', async () => {
    const { datasets } = await service.get<{
      datasets: { name: string; columns: { name: string; group?: string }[] }[];
    }>('/v1/catalog');
    for (const name of ['ta-cur', 'ta-hist']) {
      const columns = datasets.find(dataset => dataset.name === name)!.columns;
      assert.deepEqual(
        columns.map(column => column.name),
        [...ROW_FIELDS, ...NAMES],
      );
      for (const column of columns) {
        assert.equal(
          column.group !== undefined && column.group in COLUMN_GROUPS,
          NAMES.some(each => each === column.name),
        );
      }
    }
  });
});

describe('optional columns of a history', () => {
  it('are those that the listing had on each day, digit for digit, however the bars were loaded', async () => {
    const other = await startContractService({ sources: [] });
    const published: Row[] = [];
    const publish = async (until: number, symbols?: readonly string[]) => {
      await other.load(source(until, symbols));
      published.push(...(await other.get<Envelope>(`${LISTING}?limit=1000&incl_cols=all`)).result);
    };
    try {
      for (const age of [300, 299, 200, 120, 100, 17, 4]) await publish(TODAY - age);
      // The benchmark comes later than others, then before them.
      await publish(TODAY - 3, ['WHOLE', 'GAPS']);
      await publish(TODAY - 2, ['BTC']);
      await publish(TODAY - 2);
      await publish(TODAY);
      let compared = 0;
      for (const symbol of Object.keys(ASSETS)) {
        const { result } = await other.get<Envelope>(`${HISTORY}?symbol=${symbol}&limit=1000&incl_cols=all`);
        const byDay = new Map(result.map(row => [row['datetimeUTC'], row]));
        // What the last publication with this day showed of it: the benchmark may have come later.
        const last = new Map(published.filter(row => row['symbol'] === symbol).map(row => [row['datetimeUTC'], row]));
        for (const [day, row] of last) {
          assert.deepEqual(withoutCurrent(byDay.get(day)!), withoutCurrent(row), `${symbol} on ${day}`);
          compared++;
        }
        for (const row of result) for (const name of CURRENT) assert.equal(row[name], null);
      }
      assert.ok(compared > 25, `${compared} rows`);
    } finally {
      await other.close();
    }
  });

  it('can be sorted by and filtered', async () => {
    const path = `${HISTORY}?symbol=WHOLE&limit=1000&incl_cols=rsi14,ath_at`;
    const { result: all } = await service.get<Envelope>(path);
    const { result: low } = await service.get<Envelope>(`${path}&rsi14=:40&sort=rsi14&order=asc`);
    const expected = all.filter(row => row['rsi14'] !== null && Number(row['rsi14']) <= 40);
    assert.ok(low.length > 0);
    assert.deepEqual(
      low.map(row => row['rsi14']),
      expected.map(row => Number(row['rsi14'])).sort((a, b) => a - b),
    );
  });
});

function withoutCurrent(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !CURRENT.has(name)));
}
