import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { TestService } from '../support/service.ts';
import {
  ASSET_FIELDS,
  ASSETS,
  type Cell,
  type Envelope,
  LISTING,
  ROW_FIELDS,
  type Row,
  startContractService,
} from './contract.ts';
import { AWKWARD_TICKERS, TODAY } from './market.ts';

let service: TestService;
before(async () => {
  service = await startContractService();
});
after(() => service.close());

/** What a reader of RFC 4180 makes of the text: a list of cells a line. */
const cells = (text: string) => parse(text, { record_delimiter: '\r\n', relax_column_count: false }) as string[][];

/** As the docs tell readers who want the text itself: remove one apostrophe at the start and after each separator. */
const unguarded = (text: string) => text.replace(/(^|[;|\t\r\n])'/g, '$1');

function cellValue(text: string, like: Cell | undefined): Cell {
  if (text === '') return null;
  if (typeof like === 'boolean') return text === 'true' ? true : text === 'false' ? false : assert.fail(text);
  return typeof like === 'string' ? unguarded(text) : Number(text);
}

describe('SPEC 4: CSV', () => {
  const queries = [
    'limit=1000',
    'limit=7&page=3&sort=price',
    'limit=1000&sort=symbol&order=asc&excl_cols=datetimeUTC,sma5,vol50',
  ];
  for (const [path, query] of [LISTING, ASSETS].flatMap(path => queries.map(query => [path, query] as const))) {
    const known = path === ASSETS ? query.replace('sort=price', 'sort=name') : query;
    it(`${path}?${known} read back equals the JSON listing value for value`, async () => {
      const { result } = await service.get<Envelope>(`${path}?${known}`);
      const [header, ...lines] = cells((await service.ask(`${path}?${known}&format=csv`)).text);
      assert.deepEqual(header, Object.keys(result[0] ?? {}));
      assert.equal(lines.length, result.length);
      for (const [i, line] of lines.entries()) {
        const row: Row = Object.fromEntries(header!.map((name, at) => [name, cellValue(line[at]!, result[i]![name])]));
        assert.deepEqual(row, result[i]);
      }
    });
  }

  it('has every awkward ticker', async () => {
    const [, ...lines] = cells((await service.ask(`${LISTING}?limit=1000&format=csv`)).text);
    const read = new Set(lines.map(line => unguarded(line[1]!)));
    for (const ticker of AWKWARD_TICKERS) assert.ok(read.has(ticker), JSON.stringify(ticker));
  });

  const written = [
    ['BTC', 'BTC'],
    ['QUO"TE', '"QUO""TE"'],
    ['COM,MA', '"COM,MA"'],
    ['LINE\nBREAK', '"LINE\nBREAK"'],
    ['CR\r\nLF', '"CR\r\nLF"'],
    ['=SUM(A1)', "'=SUM(A1)"],
    ['+PLUS', "'+PLUS"],
    ['-MINUS', "'-MINUS"],
    ['@AT', "'@AT"],
    ["'APOS", "''APOS"],
    ['比特币', '比特币'],
    [' SPACE ', ' SPACE '],
    ['1e5', '1e5'],
  ] as const;
  const others = ROW_FIELDS.filter(name => name !== 'symbol').join();
  for (const [ticker, text] of written) {
    it(`writes the ticker ${JSON.stringify(ticker)} as ${JSON.stringify(text)}`, async () => {
      const path = `${LISTING}?limit=1000&sort=symbol&order=asc&excl_cols=${others}&format=csv`;
      assert.ok((await service.ask(path)).text.includes(`\r\n${text}\r\n`));
    });
  }

  it('has CR LF after every line, the last one too, and no mark at the start', async () => {
    const { body, text } = await service.ask(
      `${LISTING}?symbol=btc,eth&excl_cols=${ROW_FIELDS.slice(2).join()}&format=csv`,
    );
    assert.equal(text, 'datetimeUTC,symbol\r\n2026-03-10T00:00:00.000Z,BTC\r\n2026-03-10T00:00:00.000Z,ETH\r\n');
    assert.equal(body[0], 'd'.charCodeAt(0));
  });

  it('writes null as the empty field and never guards a number', async () => {
    const { text } = await service.ask(`${LISTING}?limit=1000&format=csv`);
    const [header, ...lines] = cells(text);
    assert.deepEqual(header, ROW_FIELDS);
    const numbers = lines.flatMap(line => line.slice(2));
    assert.ok(numbers.includes(''));
    assert.ok(numbers.some(number => number.startsWith('-')));
    for (const number of numbers) assert.match(number, /^(-?\d+(\.\d+)?(e[+-]\d+)?)?$/);
  });

  it('has a header row also where there is no row', async () => {
    assert.equal((await service.ask(`${LISTING}?symbol=nobody&format=csv`)).text, `${ROW_FIELDS.join()}\r\n`);
    assert.equal((await service.ask(`${ASSETS}?q=nobody&format=csv`)).text, `${ASSET_FIELDS.join()}\r\n`);
  });

  it('has its type, a file name, and its paging in Link', async () => {
    const { headers } = await service.ask(`${LISTING}?format=csv&limit=10&page=2`);
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8; header=present');
    const day = new Date(TODAY * 86_400_000).toISOString().slice(0, 10);
    assert.equal(headers['content-disposition'], `attachment; filename="crypto-ta-cur-${day}-page-2.csv"`);
    const past = await service.ask(`${ASSETS}?format=csv&as_of=2026-01-31`);
    assert.equal(past.headers['content-disposition'], 'attachment; filename="crypto-assets-2026-01-31-page-1.csv"');
    const to = (page: number) =>
      `${service.url}${LISTING}?limit=10&sort=datetimeUTC&order=desc&page=${page}&format=csv`;
    assert.equal(headers['link'], `<${to(3)}>; rel="next", <${to(1)}>; rel="prev"`);
    assert.equal(headers['x-limit-applied'], '10');
  });
});

describe('SPEC 3: format and Accept', () => {
  for (const [query, accept, type] of [
    ['', undefined, 'application/json'],
    ['', '*/*', 'application/json'],
    ['', 'text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
    ['', 'text/csv', 'text/csv'],
    ['', 'TEXT/CSV', 'text/csv'],
    ['', 'text/csv; header=present', 'text/csv'],
    ['', 'text/csv, application/json;q=0.9', 'text/csv'],
    ['', 'application/json, text/csv;q=0.5', 'application/json'],
    ['', 'text/csv;q=0', 'application/json'],
    ['', 'text/csvx', 'application/json'],
    ['format=json', 'text/csv', 'application/json'],
    ['format=csv', 'application/json', 'text/csv'],
  ] as const) {
    it(`?${query} with Accept: ${accept} is ${type}`, async () => {
      const answer = await service.ask(`${LISTING}?${query}`, accept === undefined ? {} : { headers: { accept } });
      assert.equal(answer.headers['content-type']?.split(';')[0], type);
    });
  }
});
