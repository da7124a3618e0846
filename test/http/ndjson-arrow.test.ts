import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { type Table, tableFromIPC } from 'apache-arrow';
import { TestService } from '../support/service.ts';
import {
  ASSETS,
  assertProblem,
  type Cell,
  type Envelope,
  HISTORY,
  LISTING,
  type Row,
  startContractService,
} from './contract.ts';
import { manyAssets } from './many-assets.ts';
import { AWKWARD_TICKERS } from './market.ts';

const BARS = '/v1/crypto/bars';
const ARROW = 'application/vnd.apache.arrow.stream';
const NDJSON = 'application/x-ndjson';

let service: TestService;
before(async () => {
  service = await startContractService();
});
after(() => service.close());

const lines = (text: string): Row[] => {
  assert.ok(text === '' || text.endsWith('}\n'));
  return text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line));
};

/** The rows that Apache's own reader finds, with times written as the listing has them. */
function rowsOf(table: Table, milliseconds = true): Row[] {
  const columns = table.schema.fields.map(field => {
    const vector = table.getChild(field.name)!;
    const cell = (value: unknown): Cell => {
      if (value === null) return null;
      if (String(field.type).startsWith('Timestamp')) {
        const text = new Date(Number(value)).toISOString();
        return milliseconds ? text : text.replace('.000Z', 'Z');
      }
      return typeof value === 'bigint' ? Number(value) : (value as Cell); // the other types are those of JSON
    };
    return Array.from({ length: table.numRows }, (_, i) => [field.name, cell(vector.get(i))] as const);
  });
  return Array.from({ length: table.numRows }, (_, i) => Object.fromEntries(columns.map(column => column[i]!)));
}

describe('SPEC 18: ndjson and arrow have the rows of the JSON listing', () => {
  for (const query of [
    `${LISTING}?limit=1000`,
    `${LISTING}?limit=7&page=3&sort=price`,
    `${LISTING}?limit=1000&sort=symbol&order=asc&excl_cols=datetimeUTC,sma5,vol50`,
    `${LISTING}?limit=1000&calc=trend:sma50/sma200&calc=gap:change365-change180&sort=trend`,
    `${LISTING}?limit=1000&as_of=2026-01-15`,
    `${LISTING}?symbol=nobody`,
    `${LISTING}?page=1000`,
    `${ASSETS}?limit=1000`,
    `${ASSETS}?limit=1000&as_of=2026-01-15`,
    `${HISTORY}?symbol=BTC&limit=1000`,
    `${HISTORY}?id=one-newcomer`,
    `${BARS}?symbol=ETH&limit=1000&interval=1w`,
    '/v1/crypto/ta-cur/stats?limit=1000&bins=5',
  ]) {
    it(query, async () => {
      const { result } = await service.get<Envelope>(query);
      assert.deepEqual(lines((await service.ask(`${query}&format=ndjson`)).text), result);

      const table = tableFromIPC((await service.ask(`${query}&format=arrow`)).body);
      const read = rowsOf(table, !query.startsWith(ASSETS));
      // A JSON object is a text in Arrow, as in CSV.
      const asTexts = result.map(row =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
          ]),
        ),
      );
      assert.deepEqual(read, asTexts);
      if (result.length > 0)
        assert.deepEqual(
          table.schema.fields.map(({ name }) => name),
          Object.keys(result[0]!),
        );
    });
  }

  it('rows of no columns', async () => {
    const names = Object.keys((await service.get<Envelope>(`${ASSETS}?limit=1`)).result[0]!).join();
    const query = `${ASSETS}?limit=3&excl_cols=${names}`;
    assert.equal((await service.ask(`${query}&format=ndjson`)).text, '{}\n{}\n{}\n');
    assert.deepEqual(tableFromIPC((await service.ask(`${query}&format=arrow`)).body).schema.fields, []);
  });

  it('every awkward ticker', async () => {
    const query = `${LISTING}?limit=1000`;
    const table = tableFromIPC((await service.ask(`${query}&format=arrow`)).body);
    for (const found of [lines((await service.ask(`${query}&format=ndjson`)).text), rowsOf(table)]) {
      const read = new Set(found.map(row => row['symbol']));
      for (const ticker of AWKWARD_TICKERS) assert.ok(read.has(ticker), JSON.stringify(ticker));
    }
  });

  it('arrow has types, and whether a column may be null', async () => {
    const { schema } = tableFromIPC((await service.ask(`${ASSETS}?limit=5&format=arrow`)).body);
    assert.deepEqual(
      schema.fields.map(({ name, type, nullable }) => [name, String(type), nullable]),
      [
        ['id', 'Utf8', false],
        ['name', 'Utf8', false],
        ['symbol', 'Utf8', false],
        ['rank', 'Int64', true],
        ['is_new', 'Bool', false],
        ['is_active', 'Bool', false],
        ['type', 'Utf8', true],
        ['first_data_at', 'Timestamp<MILLISECOND, UTC>', true],
        ['last_data_at', 'Timestamp<MILLISECOND, UTC>', true],
      ],
    );
  });

  it('arrow has the metadata of each column with meta=true, and otherwise none', async () => {
    const query = `${LISTING}?limit=5&calc=trend:sma50/sma200`;
    const { metadata } = await service.get<Envelope>(`${query}&meta=true`);
    const { schema } = tableFromIPC((await service.ask(`${query}&meta=true&format=arrow`)).body);
    for (const { name, metadata: found } of schema.fields) {
      const { position: _, ...known } = metadata![name]!;
      const expected = Object.entries(known).filter(([, value]) => value !== null);
      assert.deepEqual(
        [...found],
        expected.map(([key, value]) => [key, String(value)]),
      );
    }
    const plain = tableFromIPC((await service.ask(`${query}&format=arrow`)).body);
    for (const field of plain.schema.fields) assert.equal(field.metadata.size, 0);
  });
});

describe('SPEC 18: ndjson and arrow over HTTP', () => {
  for (const [format, type, extension] of [
    ['ndjson', `${NDJSON}; charset=utf-8`, 'ndjson'],
    ['arrow', ARROW, 'arrows'],
  ] as const) {
    it(`${format} has its type, a file name, paging in Link, an ETag and a HEAD`, async () => {
      const path = `${LISTING}?format=${format}&limit=10&page=2`;
      const { headers, body } = await service.ask(path);
      assert.equal(headers['content-type'], type);
      assert.equal(
        headers['content-disposition'],
        `attachment; filename="crypto-ta-cur-2026-03-10-page-2.${extension}"`,
      );
      const to = (page: number) =>
        `${service.url}${LISTING}?limit=10&sort=datetimeUTC&order=desc&page=${page}&format=${format}`;
      assert.equal(headers['link'], `<${to(3)}>; rel="next", <${to(1)}>; rel="prev"`);
      assert.equal(headers['x-limit-applied'], '10');
      const head = await service.ask(path, { method: 'HEAD' });
      assert.equal(head.headers['content-length'], String(body.length));
      assert.equal(head.headers['content-type'], type);
      const again = await service.ask(path, { headers: { 'if-none-match': headers.etag! } });
      assert.equal(again.status, 304);
      const json = await service.ask(`${LISTING}?format=json&limit=10&page=2`);
      assert.notEqual(json.headers.etag, headers.etag);
    });

    it(`${format} is compressed if the client accepts that`, async () => {
      const path = `${LISTING}?format=${format}&limit=1000`;
      const plain = await service.ask(path);
      for (const [coding, decode] of [
        ['gzip', gunzipSync],
        ['zstd', zstdDecompressSync],
      ] as const) {
        const answer = await service.ask(path, { headers: { 'accept-encoding': coding } });
        assert.equal(answer.headers['content-encoding'], coding);
        assert.deepEqual(decode(answer.body), plain.body);
      }
    });

    it(`an error of ${format} is a problem`, async () => {
      assertProblem(await service.ask(`${LISTING}?format=${format}&sort=nothing`), 400, 'unknown_column', 'sort');
    });
  }

  it('an unknown format is refused with the known ones', async () => {
    const problem = assertProblem(await service.ask(`${LISTING}?format=parquet`), 400, 'invalid_value', 'format');
    assert.equal(problem.hint, 'format takes "json", "csv", "ndjson", "arrow" or "sse".');
  });

  for (const [accept, type] of [
    [ARROW, ARROW],
    [NDJSON, NDJSON],
    [`${ARROW}, ${NDJSON};q=0.9, */*;q=0.1`, ARROW],
    [`${ARROW};q=0.5, ${NDJSON}`, NDJSON],
    [`${NDJSON}, application/json;q=0.9`, NDJSON],
    [`application/json, ${ARROW};q=0.9`, 'application/json'],
    [`${ARROW};q=0`, 'application/json'],
    [`text/csv;q=0.9, ${ARROW}`, ARROW],
    [`text/csv, ${ARROW}`, 'text/csv'],
  ] as const) {
    it(`Accept: ${accept} is ${type}`, async () => {
      const { headers } = await service.ask(LISTING, { headers: { accept } });
      assert.equal(headers['content-type']?.split(';')[0], type);
    });
  }
});

describe('SPEC 18: long pages', () => {
  const ROWS = 6000;
  let large: TestService;
  before(async () => {
    large = await TestService.start({ sources: [manyAssets(ROWS)] });
  });
  after(() => large.close());

  it('are streamed in many record batches, and equal the JSON listing', async () => {
    const query = `${LISTING}?limit=100000&sort=price&order=asc`;
    const { result } = await large.get<Envelope>(query);
    assert.equal(result.length, ROWS);
    const arrow = await large.ask(`${query}&format=arrow`);
    assert.equal(arrow.headers['transfer-encoding'], 'chunked');
    const table = tableFromIPC(arrow.body);
    assert.ok(table.batches.length > 1);
    assert.deepEqual(rowsOf(table), result);
    assert.deepEqual(lines((await large.ask(`${query}&format=ndjson`)).text), result);
  });
});

describe('a long page with a computed column', () => {
  const query = 'calc=twice:2*price&sort=twice&order=desc&excl_cols=var5';
  let many: TestService;
  before(async () => {
    many = await TestService.start({ sources: [manyAssets(1700)] });
  });
  after(() => many.close());

  it('has the rows of its short pages in every format, though it is written in parts', async () => {
    const short: Row[] = [];
    for (let page = 1; page <= 17; page++) {
      short.push(...(await many.get<Envelope>(`${LISTING}?${query}&limit=100&page=${page}`)).result);
    }
    assert.equal(short.length, 1700);
    const whole = async (format: string) => (await many.ask(`${LISTING}?${query}&limit=5000&format=${format}`)).body;
    assert.deepEqual(JSON.parse((await whole('json')).toString()).result, short);
    assert.deepEqual(lines((await whole('ndjson')).toString()), short);
    assert.deepEqual(rowsOf(tableFromIPC(await whole('arrow'))), short);
    const [header, ...rows] = (await whole('csv')).toString().trimEnd().split('\r\n');
    const names = Object.keys(short[0]!);
    assert.equal(header, names.join());
    const cells = short.map(row => names.map(name => String(row[name] ?? '')).join());
    assert.deepEqual(rows, cells);
  });
});
