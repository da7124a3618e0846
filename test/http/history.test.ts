import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { parse } from 'csv-parse/sync';
import { barColumns } from '../../src/domain/bar.ts';
import { INDICATORS } from '../../src/domain/catalogue.ts';
import { recomputePending } from '../../src/publish/publish-pending.ts';
import { exactValue, relativeError } from '../support/oracle/exact.ts';
import type { Answer, TestService } from '../support/service.ts';
import {
  ASSETS,
  assertProblem,
  CHANGE_FIELDS,
  ENVELOPE_FIELDS,
  type Envelope,
  HISTORY,
  LISTING,
  ROW_FIELDS,
  type Row,
  startContractService,
} from './contract.ts';
import { MARKET, marketSource, wave } from './market.ts';

let service: TestService;
before(async () => {
  service = await startContractService();
});
after(() => service.close());

const page = (query: string) => service.get<Envelope>(`${HISTORY}?${query}`);
const rowsOf = async (query: string) => (await page(`limit=1000&order=asc&${query}`)).result;
const daysOf = (rows: readonly Row[]) => rows.map(row => String(row['datetimeUTC']).slice(0, 10));
const closesOf = (symbol: string) => MARKET.find(asset => asset.symbol === symbol)!.closes;

/** The last day of most assets of the market. */
const TODAY = Date.UTC(2026, 2, 10);
const dayBefore = (days: number) => new Date(TODAY - days * 86_400_000).toISOString().slice(0, 10);

describe('the history of an asset', () => {
  it('has the listing’s envelope and the listing’s columns', async () => {
    const envelope = await page('symbol=BTC');
    assert.deepEqual(Object.keys(envelope), ENVELOPE_FIELDS);
    for (const row of envelope.result) assert.deepEqual(Object.keys(row), ROW_FIELDS);
    assert.equal(envelope.results_returned, envelope.result.length);
  });

  it('has a row for each day from the first close to the latest, with its close, newest first', async () => {
    const { result } = await page('symbol=BTC&limit=1000');
    const closes = closesOf('BTC');
    assert.deepEqual(
      daysOf(result),
      closes.map((_, age) => dayBefore(age)),
    );
    assert.deepEqual(
      result.map(row => row['price']),
      [...closes].reverse(),
    );
    for (const row of result) assert.equal(row['symbol'], 'BTC');
  });

  it('equals exact arithmetic', async () => {
    const [rows, closes] = [await rowsOf('symbol=BTC'), closesOf('BTC')];
    for (const at of [0, 1, 7, 100, 366, 419]) {
      for (const column of INDICATORS) {
        const [exact, actual] = [exactValue(column, closes.slice(0, at + 1)), rows[at]![column.name]!];
        if (exact === null) assert.equal(actual, null);
        else assert.ok(relativeError(Number(actual), exact) <= 1e-12, `${column.name} on day ${at}`);
      }
    }
  });

  it('ends with the row of the listing, digit for digit, for every asset', async () => {
    const { result: current } = await service.get<Envelope>(`${LISTING}?limit=1000`);
    const asked = current.filter(row => !/[,\s]/.test(String(row['symbol'])));
    assert.ok(asked.length > 70);
    for (const row of asked) {
      const { result } = await page(`symbol=${encodeURIComponent(String(row['symbol']))}&limit=1`);
      assert.deepEqual(result, [row]);
    }
  });

  it('has the very rows that the listing had on each day', async () => {
    const [bitcoin] = MARKET;
    const published: Row[] = [];
    const other = await startContractService({ sources: [] });
    try {
      for (const days of [1, 2, 6, 51, 201, 366, 367, 419, 420]) {
        await other.load(
          marketSource([{ ...bitcoin!, closes: bitcoin!.closes.slice(0, days), age: bitcoin!.closes.length - days }]),
        );
        published.push(...(await other.get<Envelope>(LISTING)).result);
      }
      const { result } = await other.get<Envelope>(`${HISTORY}?symbol=BTC&limit=1000`);
      const byDay = new Map(result.map(row => [row['datetimeUTC'], row]));
      assert.equal(published.length, 9);
      for (const row of published) assert.deepEqual(byDay.get(row['datetimeUTC']!), row);
    } finally {
      await other.close();
    }
  });

  it('fills a gap with the close before it', async () => {
    const other = await startContractService({ sources: [] });
    try {
      const asset = { symbol: 'GAP', name: 'Gap', profile: {} };
      await other.load(marketSource([{ ...asset, closes: [10, 20], age: 4 }]));
      await other.load(marketSource([{ ...asset, closes: [5] }]));
      const { result } = await other.get<Envelope>(`${HISTORY}?symbol=GAP`);
      assert.deepEqual(
        result.map(row => [String(row['datetimeUTC']).slice(0, 10), row['price'], row['change1'], row['sma5']]),
        [
          ['2026-03-10', 5, -75, 17],
          ['2026-03-09', 20, 0, 18],
          ['2026-03-08', 20, 0, 17.5],
          ['2026-03-07', 20, 0, 50 / 3],
          ['2026-03-06', 20, 100, 15],
          ['2026-03-05', 10, null, 10],
        ],
      );
    } finally {
      await other.close();
    }
  });

  it('leaves out days that are stored but not published', async () => {
    const other = await startContractService({ sources: [marketSource([{ ...MARKET[0]!, age: 5 }])] });
    try {
      const [bitcoin] = await other.store.assets();
      const bars = barColumns(2);
      bars.day.set([bitcoin!.firstDay! - 1, bitcoin!.lastDay! + 1]);
      bars.close.set([1, 2]);
      await other.store.putBars({
        ...bars,
        count: 2,
        assetNumber: Uint32Array.of(bitcoin!.assetNumber, bitcoin!.assetNumber),
      });
      const { result } = await other.get<Envelope>(`${HISTORY}?id=btc-bitcoin&limit=1000`);
      assert.deepEqual(
        daysOf(result),
        closesOf('BTC').map((_, age) => dayBefore(5 + age)),
      );
      assert.deepEqual(result[0], (await other.get<Envelope>(LISTING)).result[0]);
    } finally {
      await other.close();
    }
  });

  it('shows new prices as soon as the listing does', async () => {
    const other = await startContractService({ sources: [marketSource(MARKET.slice(0, 1))] });
    try {
      const first = await other.ask(`${HISTORY}?id=btc-bitcoin&limit=1`);
      await other.load(marketSource([{ ...MARKET[0]!, closes: wave(420, 59_000, 1.1) }]));
      const headers = { 'if-none-match': String(first.headers.etag) };
      const second = await other.ask(`${HISTORY}?id=btc-bitcoin&limit=1`, { headers });
      assert.equal(second.status, 200);
      assert.deepEqual(second.json<Envelope>().result, (await other.get<Envelope>(LISTING)).result);
      assert.notDeepEqual(second.json<Envelope>().result, first.json<Envelope>().result);
    } finally {
      await other.close();
    }
  });
});

describe('a history while a load is under way', () => {
  const path = `${HISTORY}?id=btc-bitcoin&limit=1`;
  const price = (answer: Answer) => answer.json<Envelope>().result[0]!['price'];

  /** A service, and how to restate the last close of its asset without publishing it. */
  async function restating(t: TestContext): Promise<{ other: TestService; restate: (close: number) => Promise<void> }> {
    const other = await startContractService({ sources: [marketSource(MARKET.slice(0, 1))] });
    t.after(() => other.close());
    const [bitcoin] = await other.store.assets();
    const restate = async (close: number) => {
      const bars = barColumns(1);
      bars.day[0] = bitcoin!.lastDay!;
      bars.close[0] = close;
      await other.store.putBars({ ...bars, count: 1, assetNumber: Uint32Array.of(bitcoin!.assetNumber) });
    };
    return { other, restate };
  }

  it('is made of what is published, whatever has been stored since', async t => {
    const { other, restate } = await restating(t);
    await restate(7);
    const [row] = (await other.get<Envelope>(path)).result;
    assert.deepEqual(row, (await other.get<Envelope>(LISTING)).result[0]);
    assert.equal(row?.['price'], closesOf('BTC').at(-1));
  });

  it('waits until the listing shows what is published, and has its version', async t => {
    const { other, restate } = await restating(t);
    await restate(7);
    await recomputePending(other.store);
    const asked = other.ask(path);
    // Nothing is new in it: the service learns of the publication.
    await other.load(marketSource([]));
    const [answer, listing] = [await asked, await other.ask(LISTING)];
    assert.equal(price(answer), 7);
    assert.equal(answer.headers['x-data-version'], listing.headers['x-data-version']);
    const again = await other.ask(path, { headers: { 'if-none-match': String(answer.headers.etag) } });
    assert.equal(again.status, 304);
  });

  it('is of the version that is published, and says so, where the listing stays behind', async t => {
    const { other, restate } = await restating(t);
    const listing = await other.ask(LISTING);
    await restate(7);
    await recomputePending(other.store);
    // Only the first one waits, or this would take longer than a test may.
    const answers = [await other.ask(path)];
    for (let i = 0; i < 100; i++) answers.push(await other.ask(path));
    assert.deepEqual([...new Set(answers.map(price))], [7]);
    const version = String(await other.store.version());
    assert.notEqual(version, listing.headers['x-data-version']);
    assert.deepEqual([...new Set(answers.map(({ headers }) => headers['x-data-version']))], [version]);
    const [tag, ...others] = new Set(answers.map(({ headers }) => headers.etag));
    assert.deepEqual(others, []);
    await other.load(marketSource([]));
    const { status } = await other.ask(path, { headers: { 'if-none-match': String(tag) } });
    assert.equal(status, 200);
  });
});

describe('the asset of a history', () => {
  const priceOf = async (query: string) => (await page(`${query}&limit=1`)).result[0]?.['price'];
  const lastClose = (name: string) => MARKET.find(asset => asset.name === name)?.closes.at(-1);

  for (const [query, name] of [
    ['symbol=btc', 'Bitcoin'],
    ['id=btc-bitcoin', 'Bitcoin'],
    ['id=BTC-Bitcoin', 'Bitcoin'],
    ['id=BTC', 'Bitcoin'],
    ['id=%E6%AF%94%E7%89%B9%E5%B8%81', 'Awkward 9'],
    ['id=COM,MA', 'Awkward 1'],
    ['symbol=dead', 'Delisted'],
    ['id=dead-delisted', 'Delisted'],
    ['symbol=STALE', 'Not seen for eight days'],
    // Three assets have the ticker; the listing has the best-ranked of the active ones.
    ['symbol=tide', 'Tide First'],
    ['id=tide-tide-second', 'Tide Second'],
    ['id=tide-tide-gone', 'Tide Gone'],
  ] as const) {
    it(`of ?${query} is ${name}`, async () => assert.equal(await priceOf(query), lastClose(name)));
  }

  it('is the best-ranked one where none is active', async () => {
    const gone = { symbol: 'OLD', closes: [1, 2], profile: { rank: 9, is_active: false } };
    const other = await startContractService({
      sources: [
        marketSource([
          { ...gone, name: 'Second' },
          { ...gone, name: 'First', closes: [3, 4], profile: { ...gone.profile, rank: 8 } },
        ]),
      ],
    });
    try {
      assert.equal((await other.get<Envelope>(`${HISTORY}?symbol=OLD`)).result[0]?.['price'], 4);
    } finally {
      await other.close();
    }
  });

  it('has no rows when it has no prices', async () => {
    const { result, next, prev } = await page('symbol=GHOST');
    assert.deepEqual({ result, next, prev }, { result: [], next: null, prev: null });
    assert.equal((await service.ask(`${HISTORY}?symbol=GHOST&format=csv`)).text, `${ROW_FIELDS.join()}\r\n`);
  });

  it('is found by the id of every asset in the list', async () => {
    const { result } = await service.get<Envelope>(`${ASSETS}?limit=1000`);
    for (const { id, last_data_at } of result) {
      const rows = (await page(`id=${encodeURIComponent(String(id))}&limit=1`)).result;
      assert.deepEqual(daysOf(rows), last_data_at === null ? [] : [String(last_data_at).slice(0, 10)], String(id));
    }
  });

  const errors: readonly [query: string, status: number, code: string, param: string, hint: RegExp][] = [
    ['', 400, 'missing_parameter', 'symbol', /symbol=BTC or id=btc-bitcoin/],
    ['symbol=BTC&id=btc-bitcoin', 400, 'conflicting_parameters', 'symbol', /Remove symbol/],
    ['symbol=BTC,ETH', 400, 'invalid_value', 'symbol', /one ticker/],
    ['symbol=', 400, 'invalid_value', 'symbol', /one ticker/],
    ['id=', 400, 'invalid_value', 'id', /btc-bitcoin/],
    ['symbol=nobody', 404, 'unknown_asset', 'symbol', /assets\?q=/],
    ['symbol=btc-bitcon', 404, 'unknown_asset', 'symbol', /Did you mean btc-bitcoin\?/],
    ['id=btc-bitcon', 404, 'unknown_asset', 'id', /Did you mean btc-bitcoin\?/],
    [`id=${'x'.repeat(5000)}`, 404, 'unknown_asset', 'id', /\S/],
    ['id=TIDE', 409, 'ambiguous_symbol', 'id', /id of one of the candidates/],
    ['symbol=BTC&from=2026-02-30', 400, 'invalid_value', 'from', /2026-01-31/],
    ['symbol=BTC&to=yesterday', 400, 'invalid_value', 'to', /2026-01-31/],
    ['symbol=BTC&from=2026-03-02&to=2026-03-01', 400, 'invalid_range', 'from', /for from and to/],
    ['symbol=BTC&form=2026-03-01', 400, 'unknown_parameter', 'form', /Did you mean from\?/],
    ['symbol=BTC&until=2026-03-01', 400, 'unknown_parameter', 'until', /\S/],
    ['symbol=BTC&from=2026-01-01&from=2026-01-02', 400, 'duplicate_parameter', 'from', /once/],
    ['symbol=BTC&sort=sma500', 400, 'unknown_column', 'sort', /Did you mean sma50\?/],
    ['symbol=BTC&datetimeUTC=1:2', 400, 'column_not_numeric', 'datetimeUTC', /price/],
  ];
  for (const [query, status, code, param, hint] of errors) {
    it(`?${query.slice(0, 60)} is ${status} ${code}`, async () => {
      const problem = assertProblem(await service.ask(`${HISTORY}?${query}`), status, code, param);
      assert.match(problem.hint ?? '', hint);
      assert.ok(problem.detail.length < 200);
    });
  }

  it('is one of the candidates where a ticker as id means several', async () => {
    const { candidates } = assertProblem(await service.ask(`${HISTORY}?id=tide`), 409, 'ambiguous_symbol', 'id');
    assert.deepEqual(candidates, ['tide-tide-first', 'tide-tide-gone', 'tide-tide-second']);
  });

  it('that is not there is 404 also for who has it already', async () => {
    const answer = await service.ask(`${HISTORY}?symbol=nobody`, { headers: { 'if-none-match': '*' } });
    assertProblem(answer, 404, 'unknown_asset', 'symbol');
  });
});

describe('the days of a history', () => {
  for (const [query, first, last] of [
    ['', 419, 0],
    [`from=${dayBefore(5)}`, 5, 0],
    [`to=${dayBefore(400)}`, 419, 400],
    [`from=${dayBefore(20)}&to=${dayBefore(10)}`, 20, 10],
    [`from=${dayBefore(10)}&to=${dayBefore(10)}`, 10, 10],
    [`from=${dayBefore(20)}T18:00:00Z&to=${dayBefore(10)}T06:00:00.000Z`, 20, 10],
    ['from=1970-01-01&to=9999-12-31', 419, 0],
  ] as const) {
    it(`of ?${query} are both ends and what lies between`, async () => {
      const all = await rowsOf('symbol=BTC');
      const rows = await rowsOf(`symbol=BTC&${query}`);
      assert.deepEqual([daysOf(rows)[0], daysOf(rows).at(-1)], [dayBefore(first), dayBefore(last)]);
      // The windows reach back before the first day: the rows are the same as without from and to.
      assert.deepEqual(rows, all.slice(419 - first, 420 - last));
    });
  }

  for (const query of ['from=2026-03-11', 'to=2025-01-14', 'from=9999-12-31']) {
    it(`of ?${query}, where there are no prices, are none`, async () => {
      assert.deepEqual((await page(`symbol=BTC&${query}`)).result, []);
    });
  }

  it('can be filtered by numbers as the listing’s rows can', async () => {
    const all = await rowsOf('symbol=BTC');
    for (const [filter, holds] of [
      ['change1=5:', row => row['change1'] !== null && Number(row['change1']) >= 5],
      ['price=60000:65000', row => Number(row['price']) >= 60_000 && Number(row['price']) <= 65_000],
      ['[sma50]>:[sma200]', row => Number(row['sma50']) > Number(row['sma200'])],
      ['not_null=change365', row => row['change365'] !== null],
    ] as const satisfies readonly (readonly [string, (row: Row) => boolean])[]) {
      assert.deepEqual(await rowsOf(`symbol=BTC&${filter}`), all.filter(holds), filter);
      const days = `from=${dayBefore(300)}&to=${dayBefore(40)}`;
      assert.deepEqual(await rowsOf(`symbol=BTC&${filter}&${days}`), all.slice(119, 380).filter(holds), filter);
    }
    assert.deepEqual(await rowsOf('symbol=BTC&min_history=366'), all.slice(365));
  });
});

describe('sorting and paging a history', () => {
  /** Follows `next` from the first page to the end, checking that `prev` leads back as well. */
  async function walk(query: string): Promise<Row[]> {
    const rows: Row[] = [];
    let at: string | null = `${service.url}${HISTORY}?${query}`;
    let back: string | null = null;
    for (let pages = 0; at !== null; pages++) {
      assert.ok(pages < 100, 'the links lead nowhere');
      const { result, next, prev }: Envelope = await service.get<Envelope>(at);
      assert.equal(prev, back);
      assert.ok(result.length > 0);
      rows.push(...result);
      [back, at] = [at, next];
    }
    return rows;
  }

  for (const column of ROW_FIELDS) {
    it(`by ${column}: following next yields every day once, nulls last, ties by day`, async () => {
      const all = await rowsOf('symbol=BTC&from=2025-11-01');
      for (const order of ['asc', 'desc']) {
        const sign = order === 'asc' ? 1 : -1;
        const expected = [...all].sort((a, b) => {
          const [x, y] = [a[column]!, b[column]!];
          if (x === null || y === null) return Number(x === null) - Number(y === null);
          return sign * (typeof x === 'string' ? Number(x > String(y)) - Number(x < String(y)) : Number(x) - Number(y));
        });
        assert.deepEqual(
          await walk(`limit=37&sort=${column}&order=${order}&page=1&symbol=BTC&from=2025-11-01`),
          expected,
          order,
        );
      }
    });
  }

  it('ties of an unchanging price stay in the order of days', async () => {
    for (const order of ['asc', 'desc']) {
      const rows = await walk(`limit=90&sort=price&order=${order}&page=1&symbol=FLATA`);
      assert.deepEqual(daysOf(rows), daysOf(rows).sort(), order);
      assert.equal(new Set(daysOf(rows)).size, 400);
    }
  });

  it('has links that carry the asset and the days', async () => {
    const rest = 'id=btc-bitcoin&from=2026-01-01&to=2026-02-28T12:00:00Z&excl_cols=vol50';
    const { next, prev } = await page(`limit=10&page=2&${rest}&api_key=secret`);
    const to = (number: number) =>
      `${service.url}${HISTORY}?limit=10&sort=datetimeUTC&order=desc&page=${number}&${rest}`;
    assert.deepEqual({ next, prev }, { next: to(3), prev: to(1) });
  });

  it('past the end there is no row, and prev is the last page that has some', async () => {
    const { result, next, prev } = await page('symbol=SEVEN&limit=3&page=9');
    assert.deepEqual({ result, next }, { result: [], next: null });
    assert.match(prev ?? '', /[?&]page=3&symbol=SEVEN$/);
  });
});

describe('the forms of a history', () => {
  it('CSV read back equals JSON value for value', async () => {
    const query = 'symbol=C49&limit=400&excl_cols=symbol';
    const { result } = await page(query);
    const answer = await service.ask(`${HISTORY}?${query}&format=csv`);
    assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8; header=present');
    assert.equal(answer.headers['content-disposition'], 'attachment; filename="crypto-ta-hist-page-1.csv"');
    const [header, ...lines] = parse(answer.text, { record_delimiter: '\r\n' }) as string[][]; // without columns: lists
    assert.deepEqual(
      header,
      ROW_FIELDS.filter(name => name !== 'symbol'),
    );
    const value = (name: string, text: string) => (text === '' ? null : name === 'datetimeUTC' ? text : Number(text));
    assert.deepEqual(
      lines.map(line => Object.fromEntries(header!.map((name, at) => [name, value(name, line[at]!)]))),
      result,
    );
  });

  it('metadata describes the columns that are not left out', async () => {
    const { metadata, result } = await page(`symbol=BTC&limit=1&meta=true&excl_cols=price,${CHANGE_FIELDS.join()}`);
    const left = ROW_FIELDS.filter(name => name !== 'price' && !CHANGE_FIELDS.includes(name));
    assert.deepEqual(Object.keys(metadata ?? {}), left);
    assert.deepEqual(Object.keys(result[0]!), left);
  });

  it('304 for the ETag of the same question, and another tag for another one', async () => {
    const path = `${HISTORY}?symbol=BTC&from=2026-01-01`;
    const { headers } = await service.ask(path);
    const again = await service.ask(path, { headers: { 'if-none-match': String(headers.etag) } });
    assert.deepEqual([again.status, again.text], [304, '']);
    const others = ['symbol=ETH', 'symbol=BTC', 'symbol=BTC&from=2026-01-02', 'symbol=BTC&to=2026-01-01'];
    const tags = await Promise.all(others.map(async query => (await service.ask(`${HISTORY}?${query}`)).headers.etag));
    assert.equal(new Set([headers.etag, ...tags]).size, others.length + 1);
  });

  it('compressed, and without a body for HEAD', async () => {
    const query = `${HISTORY}?symbol=BTC&limit=100`;
    const zipped = await service.ask(query, { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(zipped.headers['content-encoding'], 'gzip');
    const head = await service.ask(query, { method: 'HEAD' });
    assert.deepEqual([head.status, head.text], [200, '']);
  });
});
