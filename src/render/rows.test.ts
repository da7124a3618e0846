import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  anyValue,
  asset,
  type Market,
  NASTY_TICKERS,
  NOW,
  type Plain,
  pick,
  plainAssets,
  plainListing,
  randomMarket,
  row,
  rowValues,
  uniform,
} from '../../test/support/market.ts';
import { buildSnapshot } from '../snapshot/build/build.ts';
import type { Rows, Table } from '../snapshot/table.ts';
import { renderChunks } from './chunks.ts';
import { CSV_PAGE, CSV_PAGE_WITHOUT_HEADER } from './csv.ts';
import { JSON_PAGE } from './json.ts';
import { renderPage } from './page.ts';

const renderRowsJson = (table: Rows, rows: Uint32Array, columns: readonly number[]) =>
  renderPage({ table, rows, columns }, JSON_PAGE);
const renderRowsCsv = (table: Rows, rows: Uint32Array, columns: readonly number[], header = true) =>
  renderPage({ table, rows, columns }, header ? CSV_PAGE : CSV_PAGE_WITHOUT_HEADER);

const market = randomMarket(150, uniform(3));
const snapshot = buildSnapshot({ version: 1, ...market });
const TABLES: readonly { table: Table; plain: Plain[] }[] = [
  { table: snapshot.tables['ta-cur'], plain: plainListing(market) },
  { table: snapshot.tables.assets, plain: plainAssets(market) },
];

function everyColumn(table: Table): number[] {
  return table.columns.map((_, i) => i);
}

function everyRow(table: Table): Uint32Array {
  return Uint32Array.from({ length: table.rows }, (_, i) => i);
}

function chosen(plain: readonly Plain[], table: Table, rows: Uint32Array, columns: readonly number[]): Plain[] {
  const names = columns.map(column => table.dataset.columns[column]!.name);
  return Array.from(rows, at => Object.fromEntries(names.map(name => [name, plain[at]![name]!])));
}

/** Pages of any rows, in any order and repeated, with any columns left out; each is asked for twice. */
function* randomPages(table: Table) {
  const random = uniform(77);
  for (let i = 0; i < 60; i++) {
    const rows = Uint32Array.from({ length: random() * 40 }, () => random() * table.rows);
    const share = pick(random, [0, 0.1, 0.5, 0.9, 1]);
    const columns = everyColumn(table).filter(() => random() < share);
    yield { rows, columns };
    yield { rows, columns };
  }
}

/** RFC 4180, letter by letter. `null` is an empty field without quotes. */
function parseCsv(text: string): (string | null)[][] {
  const lines: (string | null)[][] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  for (let line: (string | null)[] = []; field.lastIndex < text.length; ) {
    const match = field.exec(text);
    assert.ok(match, 'the text follows the grammar to its end');
    const [, quoted, bare, end] = match;
    line.push(quoted === undefined ? bare || null : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    lines.push(line);
    line = [];
  }
  return lines;
}

/** What the header of csv.ts tells a reader to do. */
function readCell(cell: string | null, type: string): Plain[string] {
  if (cell === null) return null;
  if (type === 'boolean') return cell === 'true';
  return type === 'string' ? cell.replace(/(^|[;|\t\r\n])'/g, '$1') : Number(cell);
}

describe('rows as JSON', () => {
  for (const { table, plain } of TABLES) {
    it(`of ${table.dataset.name} read back as the same objects, fields in the same order`, () => {
      for (const { rows, columns } of randomPages(table)) {
        const text = renderRowsJson(table, rows, columns).toString();
        const expected = chosen(plain, table, rows, columns);
        assert.deepEqual(JSON.parse(text), expected);
        assert.equal(text, JSON.stringify(expected));
      }
    });
  }

  it('of no rows are an empty array', () =>
    assert.equal(renderRowsJson(snapshot.tables['ta-cur'], new Uint32Array(), [0, 1]).toString(), '[]'));
});

describe('every double reads back as itself', () => {
  const random = uniform(12);
  const values = Array.from({ length: 3000 }, () => anyValue(random)).filter(value => !Number.isNaN(value));
  values.push(5e-324, 2.2250738585072014e-308, 1e21, 123456789012345680000, 1e-7, 0.1 + 0.2, 2 ** 53 + 2, -1e300, 0);
  const doubles: Market = {
    assets: values.map((_, i) => asset({ assetNumber: i + 1, symbol: `N${String(i).padStart(5, '0')}` })),
    rows: values.map((price, i) => row(i + 1, { price, values: rowValues(() => price) })),
    now: NOW,
  };
  const { 'ta-cur': listing } = buildSnapshot({ version: 1, ...doubles }).tables;

  it('from JSON', () => {
    const parsed = JSON.parse(renderRowsJson(listing, everyRow(listing), [2, 33]).toString());
    assert.deepEqual(
      parsed,
      values.map(price => ({ price, vol50: price })),
    );
  });

  it('from CSV', () => {
    const lines = parseCsv(renderRowsCsv(listing, everyRow(listing), [2], false).toString());
    assert.deepEqual(
      lines.map(([cell]) => Number(cell)),
      values,
    );
  });
});

describe('rows as CSV', () => {
  for (const { table } of TABLES) {
    it(`of ${table.dataset.name} read back as the JSON does, value for value`, () => {
      for (const { rows, columns } of randomPages(table)) {
        if (columns.length === 0) continue;
        const [header, ...lines] = parseCsv(renderRowsCsv(table, rows, columns).toString());
        assert.deepEqual(
          header,
          columns.map(column => table.dataset.columns[column]!.name),
        );
        const types = columns.map(column => table.dataset.columns[column]!.type);
        const read = lines.map(line =>
          Object.fromEntries(line.map((cell, i) => [header![i]!, readCell(cell, types[i]!)])),
        );
        assert.deepEqual(read, JSON.parse(renderRowsJson(table, rows, columns).toString()));
      }
    });
  }

  for (const [name, cell] of [
    ['', '""'],
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "a"', '"say ""a"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['=A1,B1', '"\'=A1,B1"'],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@sum', "'@sum"],
    ['\tx', "'\tx"],
    ['\rx', '"\'\rx"'],
    ['＝x', "'＝x"],
    [' =1+1', "' =1+1"],
    ['\u00a0\u2003=1+1', "'\u00a0\u2003=1+1"],
    ['\t=1', "'\t'=1"],
    ['\0=1', "'\0=1"],
    ['x;=1+1', "x;'=1+1"],
    ['x; -1;y', "x;' -1;y"],
    ['x|@y', "x|'@y"],
    [';=1', ";'=1"],
    ['x\n+1', '"x\n\'+1"'],
    ["x;'y", "x;''y"],
    ['x;y', 'x;y'],
    ['x; y-z', 'x; y-z'],
    [' x', ' x'],
    ["'x", "''x"],
    ['a=b', 'a=b'],
    ['币安', '币安'],
    ['ｘ', 'ｘ'],
  ] as const) {
    it(`writes the text ${JSON.stringify(name)} as ${JSON.stringify(cell)}`, () => {
      const assets = [asset({ assetNumber: 1, name })];
      const { assets: table } = buildSnapshot({ version: 1, assets, rows: [], now: NOW }).tables;
      assert.equal(renderRowsCsv(table, Uint32Array.of(0), [1], false).toString(), `${cell}\r\n`);
    });
  }

  it('never take a negative number for a formula', () => {
    const { 'ta-cur': listing } = buildSnapshot({
      version: 1,
      assets: [asset({ assetNumber: 1 })],
      rows: [row(1, { price: -1.5 })],
      now: NOW,
    }).tables;
    assert.equal(renderRowsCsv(listing, Uint32Array.of(0), [2], false).toString(), '-1.5\r\n');
  });

  it('have their names in a header, unless that is not wanted', () => {
    const none = new Uint32Array();
    assert.equal(renderRowsCsv(snapshot.tables.assets, none, [0, 3]).toString(), 'id,rank\r\n');
    assert.equal(renderRowsCsv(snapshot.tables.assets, none, [0, 3], false).toString(), '');
  });
});

describe('a large page in pieces', () => {
  // More than is kept of rendered rows, so that the oldest are forgotten on the way; one of them longer than a segment.
  const long = asset({ assetNumber: 1, symbol: `${NASTY_TICKERS.join('')}${'🚀'.repeat(100_000)}` });
  const assets = [long, ...Array.from({ length: 3999 }, (_, i) => asset({ assetNumber: i + 2 }))];
  const random = uniform(5);
  const rows = assets.map(({ assetNumber }) => row(assetNumber, { values: rowValues(random) }));
  const { 'ta-cur': table } = buildSnapshot({ version: 1, assets, rows, now: NOW }).tables;
  const page = {
    table,
    rows: Uint32Array.from({ length: 40_000 }, (_, i) => (i * 7919) % 4000),
    columns: everyColumn(table),
  };

  it('is the same as at once', () => {
    const small = { ...page, rows: page.rows.subarray(0, 4000) };
    for (const [format, whole] of [
      ['json', renderRowsJson(table, small.rows, page.columns)],
      ['csv', renderRowsCsv(table, small.rows, page.columns)],
      ['csv-without-header', renderRowsCsv(table, small.rows, page.columns, false)],
    ] as const) {
      assert.ok(Buffer.concat([...renderChunks(small, format)]).equals(whole), format);
    }
  });

  it('comes in pieces of some 64 kB, none of which changes while the next are made', () => {
    // Row 0 is the long one.
    const narrow = { ...page, columns: [0, 1, 2], rows: page.rows.filter(at => at !== 0) };
    const copies: Buffer[] = [];
    const pieces: Buffer[] = [];
    for (const piece of renderChunks(narrow, 'json')) {
      copies.push(Buffer.from(piece));
      pieces.push(piece);
    }
    assert.ok(pieces.length > 20);
    assert.ok(pieces.slice(0, -1).every(piece => piece.length >= 65_536));
    assert.deepEqual(pieces, copies);
    assert.equal(JSON.parse(Buffer.concat(pieces).toString()).length, narrow.rows.length);
  });
});
