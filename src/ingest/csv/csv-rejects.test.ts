// What the CSV source refuses: each bad line with its place and reason, and no other line with it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { brief, readPaths, readText, reasons, TestFolder } from '../../../test/support/csv-files.ts';
import type { CsvOptions } from './csv-options.ts';

const HEADER = 'symbol,day,close,volume';
const BEFORE = 'A,2024-05-11,1,10';
const AFTER = 'A,2024-05-13,3,30';

const BAD_LINES: readonly (readonly [string, string | Buffer, string, RegExp])[] = [
  ['a day that does not exist', 'A,2024-02-30,2,20', 'bad_day', /"2024-02-30" is not a day; write 2024-05-31/],
  ['an empty day', 'A,,2,20', 'bad_day', /"" is not a day/],
  [
    'a close that is not a number',
    'A,2024-05-12,two,20',
    'bad_number',
    /the close "two" is not a number; write 1234\.5/,
  ],
  ['an empty close', 'A,2024-05-12,,20', 'bad_number', /the close is ""; a bar needs one/],
  ['a close of NULL', 'A,2024-05-12,NULL,20', 'bad_number', /the close is "NULL"/],
  ['a volume that is not a number', 'A,2024-05-12,2,20 BTC', 'bad_number', /the volume "20 BTC"/],
  ['a number of two readings', 'A,2024-05-12,"2,500",20', 'bad_number', /"2,500" can be read in two ways; .*--decimal/],
  [
    'a date of two readings',
    'A,05/06/2024,2,20',
    'bad_day',
    /--date-format MM\/DD\/YYYY or --date-format DD\/MM\/YYYY/,
  ],
  ['a date with slashes', 'A,03/24/2024,2,20', 'bad_day', /order: --date-format MM\/DD\/YYYY$/],
  ['an empty symbol', ' ,2024-05-12,2,20', 'missing_symbol', /a ticker such as BTC/],
  ['an empty quoted symbol', '"",2024-05-12,2,20', 'missing_symbol', /empty/],
  ['too few cells', 'A,2024-05-12,2', 'broken_row', /3 cells, where the header has 4/],
  ['too many cells', 'A,2024-05-12,2,20,5', 'broken_row', /5 cells, where the header has 4/],
  ['a banner in the middle', 'https://data.example', 'broken_row', /1 cell, where the header has 4/],
  ['a quote that is not closed', 'A,"2024-05-12,2,20', 'broken_row', /quote/],
  ['the rest of a quoted symbol from the line before', 'line",2024-05-12,2,20', 'broken_row', /a quote inside/],
  ['text after a quote', 'A,"2024-05-12"x,2,20', 'broken_row', /quote/],
  [
    'a symbol that is not UTF-8',
    Buffer.from('caf\xe9,2024-05-12,2,20', 'latin1'),
    'bad_encoding',
    /symbol "caf\ufffd".*UTF-8/,
  ],
  ['a day that is not UTF-8', Buffer.from('A,2024\xad05\xad12,2,20', 'latin1'), 'bad_encoding', /the day/],
  ['a close that is not UTF-8', Buffer.from('A,2024-05-12,2\xa0,20', 'latin1'), 'bad_encoding', /the close/],
  ['a line of 100,000 bytes', `A,2024-05-12,${'9'.repeat(100_000)},20`, 'broken_row', /more than 65536 bytes/],
  ['a cell of 1,000 signs', `A,${'x'.repeat(1000)},2,20`, 'bad_day', /^"x{40}…" is not a day/],
];

for (const [name, line, reason, detail] of BAD_LINES) {
  test(`${name} is refused as ${reason}, and the lines around it are read`, async () => {
    const content = Buffer.concat([
      Buffer.from(`${HEADER}\n${BEFORE}\n`),
      Buffer.from(line),
      Buffer.from(`\n${AFTER}\n`),
    ]);
    const { bars, rejects } = await readText(content);
    assert.deepEqual(reasons(rejects), [`file:3 ${reason}`]);
    assert.match(rejects[0]!.detail, detail);
    assert.deepEqual(
      bars.map(bar => bar.line),
      [2, 4],
    );
  });
}

test('a small gzip file with garbage after it is damaged, not empty', async () => {
  const packed = gzipSync('symbol,day,close\nA,2024-05-12,5\n');
  const { rejects } = await readText(Buffer.concat([packed, Buffer.from('garbage')]));
  assert.deepEqual(reasons(rejects), ['file:1 truncated']);
  assert.match(rejects[0]!.detail, /gzip data is damaged/);
});

test('bytes that are not UTF-8 in a column that is not used cost nothing', async () => {
  const { bars, rejects } = await readText(Buffer.from('symbol,name,day,close\nA,caf\xe9,2024-05-12,2\n', 'latin1'));
  assert.deepEqual(rejects, []);
  assert.deepEqual(brief(bars), ['A 2024-05-12 2']);
});

test('two unclosed quotes do not take the lines between them along', async () => {
  const lines = [
    'symbol,day,note,close',
    'A,2024-05-10,"open,1',
    'B,2024-05-10,x,2',
    'C,2024-05-10,y,3',
    'D,2024-05-10,open",4',
  ];
  const { bars, rejects } = await readText(lines.join('\n'));
  assert.deepEqual(reasons(rejects), ['file:2 broken_row']);
  assert.deepEqual(brief(bars), ['B 2024-05-10 2', 'C 2024-05-10 3', 'D 2024-05-10 4']);
});

test('an unclosed quote in a large file costs its own line', async () => {
  const rows = Array.from({ length: 30_000 }, (_, i) => `S${i},2024-05-12,${i + 1}`);
  rows[100] = '"S100,2024-05-12,101';
  const { bars, rejects } = await readText(['symbol,day,close', ...rows].join('\n'));
  assert.deepEqual(reasons(rejects), ['file:102 broken_row']);
  assert.equal(bars.length, 29_999);
});

test('a row of several lines that is bad is one reject at its first line when nothing in it is a row', async () => {
  const { bars, rejects } = await readText(`symbol,day,close,note\nA,soon,1,"x\ny"\nA,2024-05-12,2,z\n`);
  assert.deepEqual(reasons(rejects), ['file:2 bad_day']);
  assert.deepEqual(brief(bars), ['A 2024-05-12 2']);
});

test('a gzip file that breaks off keeps what is whole, and no half number', async () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `S${i},2024-05-12,${(i * 7919) % 100_003}.25`);
  const packed = gzipSync(['symbol,day,close', ...lines].join('\n'));
  const { bars, rejects } = await readText(packed.subarray(0, packed.length / 2));
  assert.ok(bars.length > 5000 && bars.length < 15_000);
  assert.deepEqual(
    brief(bars),
    brief(bars).map((_, i) => `S${i} 2024-05-12 ${((i * 7919) % 100_003) + 0.25}`),
  );
  assert.deepEqual(reasons(rejects), [`file:${bars.length + 2} truncated`]);
  assert.match(rejects[0]!.detail, /gzip data ends in the middle/);
});

const BAD_FILES: readonly (readonly [string, string | Uint8Array, CsvOptions, string, RegExp])[] = [
  ['empty', '', {}, 'file:1 missing_column', /the file is empty/],
  ['of blank lines', '\n \n', {}, 'file:1 missing_column', /./],
  [
    'without a symbol',
    'date,close\n2024-05-12,1\n',
    {},
    'file:1 missing_column',
    /--symbol-column, or the asset with --symbol, .*--symbol-from-name/,
  ],
  [
    'without a close',
    'https://x.example\nsymbol,day,last\nA,2024-05-12,1\n',
    {},
    'file:2 missing_column',
    /"symbol, day, last".*close, price, priceusd.*--close-column/,
  ],
  [
    'without a header',
    'A,2024-05-12,1\n',
    {},
    'file:1 missing_column',
    /not a header; if the file has none: --no-header, and give --day-column/,
  ],
  [
    'with names of another language, semicolons and decimal commas',
    'Datum;Hoch;Schluss\n01.05.2024;1.234,5;71.100,12 $\n02.05.2024;1.234,5;71.101,12 $\n',
    { symbol: 'X' },
    'file:1 missing_column',
    /"Datum, Hoch, Schluss".*--day-column.*--close-column/,
  ],
  [
    'of Yahoo Finance without its flag',
    'Date,Open,High,Low,Close,Adj Close,Volume\n2024-05-01,1,1,1,1,1,1\n',
    {},
    'file:1 missing_column',
    /such files are read with --format yahoo$/,
  ],
  [
    'of CoinGecko without its flag',
    'snapped_at,price,market_cap,total_volume\n2024-05-02 00:00:00 UTC,11,1100000,5500\n',
    {},
    'file:1 missing_column',
    /--format coingecko$/,
  ],
  [
    'of Binance without its flag',
    '1714521600000,10,12,9,11,500,1714607999999,5500,44,250,2750,0\n',
    {},
    'file:1 missing_column',
    /--format binance$/,
  ],
  ['of Kraken without its flag', '1714521600,10,12,9,11,500,44\n', {}, 'file:1 missing_column', /--format kraken$/],
  [
    'without the named column',
    'symbol,day,close\nA,2024-05-12,1\n',
    { columns: { close: 'last' } },
    'file:1 missing_column',
    /no column last, which --close-column names/,
  ],
  [
    'with too few columns',
    'symbol,day,close\nA,2024-05-12,1\n',
    { columns: { close: '4' } },
    'file:1 missing_column',
    /no column 4/,
  ],
  [
    'in UTF-16',
    Buffer.from('\ufeffsymbol,day,close\n', 'utf16le'),
    {},
    'file:1 bad_encoding',
    /UTF-16; save it as UTF-8/,
  ],
  ['from a spreadsheet', Buffer.from('PK\x03\x04\x00\x00\x00'), {}, 'file:1 bad_encoding', /xlsx.*save it as CSV/],
  ['of binary data', Buffer.from('\x7fELF\x00\x00\x00'), {}, 'file:1 bad_encoding', /not text/],
];

for (const [name, content, options, place, detail] of BAD_FILES) {
  test(`a file ${name} is refused as a whole`, async () => {
    const { bars, rejects } = await readText(content, options);
    assert.deepEqual(bars, []);
    assert.deepEqual(reasons(rejects), [place]);
    assert.match(rejects[0]!.detail, detail);
  });
}

test('one bad file of many is one reject', async () => {
  using folder = new TestFolder();
  folder.write('a.csv', 'symbol,day,close\nA,2024-05-12,1\n');
  const bad = folder.write('b.csv', 'nothing\n');
  folder.write('c.csv', 'symbol,day,close\nC,2024-05-12,3\n');
  const { bars, rejects } = await readPaths([folder.path]);
  assert.deepEqual(brief(bars), ['A 2024-05-12 1', 'C 2024-05-12 3']);
  assert.deepEqual(reasons(rejects), [`${bad}:1 missing_column`]);
});

test('--symbol refuses the rows of a second asset rather than mixing two', async () => {
  const { bars, rejects } = await readText('symbol,day,close\nA,2024-05-11,1\nB,2024-05-12,2\nA,2024-05-13,3\n', {
    symbol: 'X',
  });
  assert.deepEqual(brief(bars), ['X 2024-05-11 1', 'X 2024-05-13 3']);
  assert.deepEqual(reasons(rejects), ['file:3 missing_symbol']);
});
