// What the CSV source accepts: layouts, encodings, symbols, times, inputs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { brief, readPaths, readText, reasons, TestFolder } from '../../../test/support/csv-files.ts';
import type { CsvOptions } from './csv-options.ts';
import { csvSource } from './csv-source.ts';

const TWO_BARS = ['BTC 2024-05-11 60000.5', 'ETH 2024-05-12 2900'];

const LAYOUTS: readonly (readonly [string, string | Uint8Array, CsvOptions?])[] = [
  ['the plainest file', 'symbol,day,close\nBTC,2024-05-11,60000.5\nETH,2024-05-12,2900\n'],
  ['other names, in any order and case', 'PriceUSD,TIME,Asset\n60000.5,2024-05-11,BTC\n2900,2024-05-12,ETH\n'],
  ['semicolons', 'ticker;date;price\nBTC;2024-05-11;60000.5\nETH;2024-05-12;2900\n'],
  ['tabs', 'symbol\tday\tclose\nBTC\t2024-05-11\t60000.5\nETH\t2024-05-12\t2900\n'],
  ['bars', 'symbol|day|close\nBTC|2024-05-11|60000.5\nETH|2024-05-12|2900\n'],
  ['a byte order mark', '\ufeffsymbol,day,close\nBTC,2024-05-11,60000.5\nETH,2024-05-12,2900\n'],
  ['CR LF', 'symbol,day,close\r\nBTC,2024-05-11,60000.5\r\nETH,2024-05-12,2900\r\n'],
  ['CR', 'symbol,day,close\rBTC,2024-05-11,60000.5\rETH,2024-05-12,2900\r'],
  ['no line end at the end', 'symbol,day,close\nBTC,2024-05-11,60000.5\nETH,2024-05-12,2900'],
  ['a banner', 'https://data.example\n\nsymbol,day,close\nBTC,2024-05-11,60000.5\nETH,2024-05-12,2900\n'],
  ['a banner with commas', 'a, b, c\nsymbol,day,close\nBTC,2024-05-11,60000.5\nETH,2024-05-12,2900\n'],
  ['quoted cells', '"symbol","day","close"\n"BTC","2024-05-11","60000.5"\n"ETH","2024-05-12","2900"\n'],
  ['notes of several lines', 'symbol,day,note,close\nBTC,2024-05-11,"a\nb, c",60000.5\nETH,2024-05-12,,2900\n'],
  ['spaces around cells', 'symbol , day , close\n BTC , 2024-05-11 , 60000.5 \nETH, 2024-05-12, 2900\n'],
  [
    'empty lines and empty cells at the end',
    'symbol,day,close\n\nBTC,2024-05-11,60000.5,,\n  \nETH,2024-05-12,2900,\n',
  ],
  ['a header that comes again', 'symbol,day,close\nBTC,2024-05-11,60000.5\nsymbol,day,close\nETH,2024-05-12,2900\n'],
  ['gzip', gzipSync('symbol,day,close\nBTC,2024-05-11,60000.5\nETH,2024-05-12,2900\n')],
  [
    'columns by name',
    'coin,when,last,close\nBTC,2024-05-11,60000.5,1\nETH,2024-05-12,2900,1\n',
    { columns: { symbol: 'Coin', day: 'when', close: 'last' } },
  ],
  [
    'columns by number below a header of other words',
    'x,y,z\n60000.5,BTC,2024-05-11\n2900,ETH,2024-05-12\n',
    { columns: { symbol: '2', day: '3', close: '1' } },
  ],
  [
    'columns by number where there is no header',
    '60000.5,BTC,2024-05-11\n2900,ETH,2024-05-12\n',
    { columns: { symbol: '2', day: '3', close: '1' } },
  ],
  [
    'no header, and another delimiter',
    'BTC!2024-05-11!60000.5\nETH!2024-05-12!2900\n',
    { columns: { symbol: '1', day: '2', close: '3' }, noHeader: true, delimiter: '!' },
  ],
];

for (const [name, content, options] of LAYOUTS) {
  test(`reads ${name}`, async () => {
    const { bars, rejects } = await readText(content, options);
    assert.deepEqual(rejects, []);
    assert.deepEqual(brief(bars), TWO_BARS);
  });
}

test('reads an exchange file of the older kind: banner, newest first, seconds and milliseconds, NULL', async () => {
  const { bars, rejects } = await readText(
    [
      'https://www.exchange.example',
      'unix,date,symbol,open,high,low,close,Volume XYZ,Volume USDT,tradecount',
      '1609286400000,2020-12-30 00:00:00,XYZ/USDT,10.5,12.00000000,9,11,1000.5,11000,44',
      '1609200000.0,2020-12-29,XYZ/USDT,10,NULL,9,10.5,2000,21000,NULL',
    ].join('\n'),
  );
  assert.deepEqual(rejects, []);
  assert.deepEqual(bars, [
    {
      interval: '1d',
      symbol: 'XYZ',
      day: '2020-12-30',
      open: 10.5,
      high: 12,
      low: 9,
      close: 11,
      volume: 1000.5,
      line: 3,
    },
    {
      interval: '1d',
      symbol: 'XYZ',
      day: '2020-12-29',
      open: 10,
      high: Number.NaN,
      low: 9,
      close: 10.5,
      volume: 2000,
      line: 4,
    },
  ]);
});

test('reads an exchange file of the newer kind, whose pairs only the volume columns tell', async () => {
  const { bars } = await readText(
    'Unix,Date,Symbol,Close,Volume XYZ,Volume USDT\n1715472000000,2024-05-12,XYZUSDT,2.25e-05,1291147948597.0,29049137.9\n',
  );
  assert.deepEqual(brief(bars), ['XYZ 2024-05-12 0.0000225']);
  assert.equal(bars[0]!.volume, 1291147948597);
});

test('a price in something other than dollars belongs to the pair, and the volume is that of its base', async () => {
  const { bars } = await readText('pair,day,close,Volume XYZ,Volume BTC\nXYZ/BTC,2024-05-12,0.0002,70,0.014\n');
  assert.deepEqual(brief(bars), ['XYZ/BTC 2024-05-12 0.0002']);
  assert.equal(bars[0]!.volume, 70);
});

const PAIR_FILES: readonly (readonly [string, string, CsvOptions, string])[] = [
  ['a column named pair', 'pair,day,close\nXYZUSDC,2024-05-12,7\n', {}, 'XYZ'],
  ['the option', 'symbol,day,close\nXYZUSDC,2024-05-12,7\n', { pairs: true }, 'XYZ'],
  ['its form', 'symbol,day,close\nXYZUSDC,2024-05-12,7\n', {}, 'XYZ'],
  ['the option --no-pairs', 'symbol,day,close\nXYZUSDC,2024-05-12,7\n', { pairs: false }, 'XYZUSDC'],
  ['a column named market', 'Market,day,close\nXYZ-USD,2024-05-12,7\n', {}, 'XYZ'],
  ['a column named market', 'market,day,close\nXYZ_ETH,2024-05-12,7\n', {}, 'XYZ/ETH'],
  ['the option', 'symbol,day,close\nXYZ_USD,2024-05-12,7\n', { pairs: true }, 'XYZ'],
  ['the volumes', 'symbol,day,close,Volume XYZ,Volume USD\nXYZ-USD,2024-05-12,7,1,7\n', {}, 'XYZ'],
  ['the option --no-pairs', 'symbol,day,close\nXYZ_USD,2024-05-12,7\n', { pairs: false }, 'XYZ_USD'],
];

for (const [proof, content, options, symbol] of PAIR_FILES) {
  const written = content.split('\n')[1]!.split(',')[0]!;
  test(`${proof} makes ${written} the symbol ${symbol}`, async () => {
    assert.deepEqual(brief((await readText(content, options)).bars), [`${symbol} 2024-05-12 7`]);
  });
}

test('tickers with an underscore are assets of their own beside those that they begin with', async () => {
  const { bars } = await readText(
    'symbol,day,close\nUSDT,2024-05-12,1\nUSDT_ETH,2024-05-12,1.01\nBNB_ETH,2024-05-12,600\n',
  );
  assert.deepEqual(brief(bars), ['USDT 2024-05-12 1', 'USDT_ETH 2024-05-12 1.01', 'BNB_ETH 2024-05-12 600']);
});

test('--symbol names the asset of a file that does not, and of one that names it otherwise', async () => {
  const without = await readText('date,price\n2024-05-12,7\n', { symbol: 'XYZ' });
  assert.deepEqual(brief(without.bars), ['XYZ 2024-05-12 7']);
  const otherwise = await readText('symbol,date,price\nxyz.old,2024-05-12,7\n', { symbol: 'XYZ/USD' });
  assert.deepEqual(brief(otherwise.bars), ['XYZ 2024-05-12 7']);
});

test('symbols keep their case and their letters', async () => {
  const { bars } = await readText('symbol,day,close\n xyz ,2024-05-12,1\n币安,2024-05-12,2\n"a ""b""",2024-05-12,3\n');
  assert.deepEqual(
    bars.map(bar => bar.symbol),
    ['xyz', '币安', 'a "b"'],
  );
});

test('a row is read by the first of its day columns that holds a time', async () => {
  const { bars, rejects } = await readText(
    'unix,date,symbol,close\n1715385600,2024-05-11,A,1\n1715472000000,,A,2\n1715558400,soon,A,3\n,2024-05-15,A,4\n',
  );
  assert.deepEqual(rejects, []);
  assert.deepEqual(brief(bars), ['A 2024-05-11 1', 'A 2024-05-12 2', 'A 2024-05-13 3', 'A 2024-05-15 4']);
});

test('a time inside a day belongs to that UTC day', async () => {
  const { bars } = await readText(
    'symbol,time,close\nA,2024-05-12T23:59:59.999Z,1\nB,2024-05-12 23:30:00-01:00,2\nC,1715471999,3\n',
  );
  assert.deepEqual(brief(bars), ['A 2024-05-12 1', 'B 2024-05-13 2', 'C 2024-05-11 3']);
});

test('files of a folder are read in order, and batches name the file they are from', async () => {
  using folder = new TestFolder();
  folder.write('b.csv', 'symbol,day,close\nB,2024-05-12,2\n');
  folder.write('a.csv.gz', gzipSync('symbol,day,close\nA,2024-05-12,1\n'));
  folder.write('sub/c.txt', 'symbol,day,close\nC,2024-05-12,3\n');
  const origins: string[] = [];
  const signal = new AbortController().signal;
  for await (const item of csvSource([folder.path]).bars(async () => null, signal)) {
    if (item.kind === 'bars') origins.push(item.batch.origin.slice(folder.path.length + 1));
  }
  assert.deepEqual(origins, ['a.csv.gz', 'b.csv', 'sub/c.txt']);
});

test('reads standard input', () => {
  const script = `
    import { csvSource } from ${JSON.stringify(new URL('./csv-source.ts', import.meta.url).href)};
    for await (const item of csvSource(['-']).bars(async () => null, new AbortController().signal)) {
      if (item.kind === 'bars') console.log(item.batch.origin, item.batch.count, item.batch.close[0]);
    }
  `;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    input: 'symbol,day,close\nA,2024-05-12,7',
  });
  assert.equal(run.stdout.toString(), 'stdin 1 7\n', run.stderr.toString());
});

test('a missing file is an error before anything is read', async () => {
  using folder = new TestFolder();
  const there = folder.write('there.csv', 'symbol,day,close\nA,2024-05-12,1\n');
  const items: string[] = [];
  const reading = async (): Promise<void> => {
    const source = csvSource([there, `${there}.gone`]);
    for await (const item of source.bars(async () => null, new AbortController().signal)) items.push(item.kind);
  };
  await assert.rejects(reading(), { name: 'SourceError', message: /there\.csv\.gone does not exist/ });
  assert.deepEqual(items, []);
});

test('an aborted load ends with the reason of its signal', async () => {
  using folder = new TestFolder();
  const path = folder.write('a.csv', `symbol,day,close\n${'A,2024-05-12,x\n'.repeat(60_000)}`);
  const controller = new AbortController();
  const reason = new Error('enough');
  let seen = 0;
  const reading = async (): Promise<void> => {
    for await (const _ of csvSource([path]).bars(async () => null, controller.signal)) {
      if (++seen === 10) controller.abort(reason);
    }
  };
  await assert.rejects(reading(), error => error === reason);
  assert.ok(seen < 30_000, `${seen} items after the abort`);
});

const WRONG_OPTIONS: readonly (readonly [string, CsvOptions, RegExp])[] = [
  ['a delimiter of two letters', { delimiter: 'ab' }, /delimiter/],
  ['a quote as the delimiter', { delimiter: '"' }, /delimiter/],
  ['a delimiter beyond ASCII', { delimiter: '§' }, /ASCII/],
  ['an empty symbol', { symbol: ' ' }, /--symbol is empty/],
  ['the column 0', { columns: { close: '0' } }, /--close-column is "0"/],
  ['a column without a name', { columns: { day: '' } }, /--day-column/],
  ['no header and no columns', { noHeader: true }, /without a header/],
  ['a symbol and one from names', { symbol: 'A', symbolFromName: true }, /exclude each other/],
  ['a pattern without a place', { symbolFromName: true, namePattern: 'btc.csv' }, /where the ticker stands/],
  ['a pattern with two groups', { symbolFromName: true, namePattern: '(a)(b)' }, /where the ticker stands/],
  ['a pattern that is broken', { symbolFromName: true, namePattern: '(' }, /not a regular expression/],
  ['a date format without a year', { dateFormat: 'MM/DD' }, /a day, a month and a year/],
  ['no header and a column by name', { noHeader: true, columns: { day: 'when', close: '2' }, symbol: 'A' }, /no names/],
];

for (const [name, options, message] of WRONG_OPTIONS) {
  test(`${name} is refused at once`, () => {
    assert.throws(() => csvSource(['x.csv'], options), { name: 'SourceError', message });
  });
}

test('names of files name their assets', async () => {
  using folder = new TestFolder();
  const close = (value: number) => `time,PriceUSD\n2024-05-12,${value}\n`;
  for (const [i, name] of ['btc.csv', 'ETH-USD.csv', 'sub/sol_usdt.csv.gz', 'usdt_eth.csv', '1inch.txt'].entries()) {
    folder.write(name, name.endsWith('.gz') ? gzipSync(close(i + 1)) : close(i + 1));
  }
  const { bars, rejects } = await readPaths([folder.path], { symbolFromName: true });
  assert.deepEqual(brief(bars).sort(), [
    '1INCH 2024-05-12 5',
    'BTC 2024-05-12 1',
    'ETH 2024-05-12 2',
    'SOL 2024-05-12 3',
    'USDT_ETH 2024-05-12 4',
  ]);
  assert.deepEqual(rejects, []);
});

for (const pattern of ['Binance_{symbol}USDT_d.csv', '*_{symbol}USDT*', 'binance_(.+)usdt_']) {
  test(`the pattern ${pattern} says where in the name the ticker stands`, async () => {
    using folder = new TestFolder();
    folder.write('Binance_BTCUSDT_d.csv', 'date,close\n2024-05-12,1\n');
    const other = folder.write('readme.txt', 'date,close\n2024-05-12,2\n');
    const { bars, rejects } = await readPaths([folder.path], { symbolFromName: true, namePattern: pattern });
    assert.deepEqual(brief(bars), ['BTC 2024-05-12 1']);
    assert.deepEqual(reasons(rejects), [`${other}:1 missing_symbol`]);
  });
}

test('--symbol with several files is refused before one is read', async () => {
  using folder = new TestFolder();
  const paths = ['btc.csv', 'eth.csv'].map(name => folder.write(name, 'date,close\n2024-05-12,1\n'));
  const expected = { name: 'SourceError', message: /these are 2/, hint: /--symbol-from-name/ };
  await assert.rejects(readPaths(paths, { symbol: 'BTC' }), expected);
  await assert.rejects(csvSource([folder.path], { symbol: 'BTC' }).check!(), expected);
  assert.equal((await readPaths([paths[0]!], { symbol: 'BTC' })).bars.length, 1);
});

test('dates and numbers as spreadsheets and sites write them are read', async () => {
  const file = 'Date,Close\n"Sep 05, 2017","4,376.53"\n"Nov 15, 2026","71,108.5"\n';
  assert.deepEqual(brief((await readText(file, { symbol: 'BTC' })).bars), [
    'BTC 2017-09-05 4376.53',
    'BTC 2026-11-15 71108.5',
  ]);
  const german = 'Datum;Kurs\n15.11.2026;71.108,5\n';
  const columns = { day: 'Datum', close: 'Kurs' };
  assert.deepEqual(brief((await readText(german, { symbol: 'BTC', columns })).bars), ['BTC 2026-11-15 71108.5']);
  const american = 'Date,Close\n03/24/2024,"1,234"\n04/05/2024,"1,235"\n';
  const options = { symbol: 'BTC', dateFormat: 'MM/DD/YYYY', decimal: '.' } as const;
  assert.deepEqual(brief((await readText(american, options)).bars), ['BTC 2024-03-24 1234', 'BTC 2024-04-05 1235']);
});

test('a warning names weekly bars, and tickers that look like pairs', async () => {
  const weekly = `symbol,day,close\n${[1, 8, 15, 22, 29].map(day => `A,2024-05-${day < 10 ? `0${day}` : day},1\n`).join('')}`;
  assert.match((await readText(weekly)).warnings.join(), /^the bars of .* are a week apart/);
  const daily = `symbol,day,close\n${[1, 2, 3, 4, 11].map(day => `A,2024-05-${day < 10 ? `0${day}` : day},1\n`).join('')}`;
  assert.deepEqual((await readText(daily)).warnings, []);
  const pairs = 'symbol,day,close\nBTCUSDT,2024-05-01,1\nETHUSDT,2024-05-01,1\n';
  assert.match(
    (await readText(pairs)).warnings.join(),
    /^read as prices in dollars: BTCUSDT as BTC, ETHUSDT as ETH\. If these are tickers and not pairs: --no-pairs$/,
  );
  const cross = 'symbol,day,close\nETHBTC,2024-05-01,0.05\n';
  assert.match((await readText(cross)).warnings.join(), /not priced in dollars.* ETHBTC as ETH\/BTC, priced in BTC/);
  assert.deepEqual((await readText(cross, { pairs: false })).warnings, []);
  const doubtful = 'symbol,day,close\nRENBTC,2024-05-01,60000\n';
  assert.match((await readText(doubtful)).warnings.join(), /^RENBTC was taken for a ticker.*--pairs$/);
  assert.deepEqual((await readText(pairs, { pairs: true })).warnings, []);
  assert.deepEqual((await readText(pairs.replaceAll('USDT', ''))).warnings, []);
});

test('a warning names volumes that may be in dollars, and --volume-in quote turns them into units', async () => {
  const yahoo = 'Date,Open,High,Low,Close,Adj Close,Volume\n2024-05-01,60000,61000,59000,60000,60000,30000000000\n';
  const as = (options: CsvOptions) => readText(yahoo, { symbol: 'BTC', ...options });
  assert.match((await as({})).warnings.join(), /looks like a file of Yahoo.*--format yahoo/);
  assert.deepEqual((await as({ volumeIn: 'base' })).warnings, []);
  const { bars, warnings } = await as({ volumeIn: 'quote' });
  assert.deepEqual([bars[0]!.volume, warnings], [500_000, []]);
});

test('impossible numbers are left out one by one, and the rest of their bar is read', async () => {
  const { bars, rejects } = await readText(
    'symbol,day,open,high,low,close,volume\nA,2024-05-01,2,1,3,2,-5\nA,2024-05-02,2,3,1,2,7\nA,2024-05-03,2,3,1,2,inf\n',
  );
  const none = Number.NaN;
  assert.deepEqual(bars[0], {
    interval: '1d',
    symbol: 'A',
    day: '2024-05-01',
    open: 2,
    high: none,
    low: none,
    close: 2,
    volume: none,
    line: 2,
  });
  assert.deepEqual(
    bars.slice(1).map(({ close, volume }) => [close, volume]),
    [
      [2, 7],
      [2, none],
    ],
  );
  assert.deepEqual(reasons(rejects), ['file:2 impossible_number', 'file:4 impossible_number']);
  assert.match(rejects[0]!.detail, /^high 1 is below the close 2, low 3 is above the close 2, volume -5 is negative/);
});

test('progress counts the stored bytes of all files', async () => {
  using folder = new TestFolder();
  const text = `symbol,day,close,note\n${`A,2024-05-12,1,${'x'.repeat(500)}\n`.repeat(5000)}`;
  folder.write('a.csv', text);
  folder.write('b.csv', text);
  const steps: number[] = [];
  for await (const item of csvSource([folder.path]).bars(async () => null, new AbortController().signal)) {
    if (item.kind !== 'progress') continue;
    assert.equal(item.total, 2 * text.length);
    steps.push(item.done);
  }
  assert.ok(steps.length >= 4);
  assert.deepEqual(
    steps,
    steps.toSorted((a, b) => a - b),
  );
  assert.equal(steps.at(-1), 2 * text.length);
});

test('a source of prices has no profiles', async () => {
  const items: unknown[] = [];
  for await (const item of csvSource(['x.csv']).profiles(new AbortController().signal)) items.push(item);
  assert.deepEqual(items, []);
});

test('the same file given twice is read once', async () => {
  using folder = new TestFolder();
  const path = folder.write('a.csv', 'symbol,day,close\nA,2024-05-12,1\n');
  assert.equal((await readPaths([path, folder.path])).bars.length, 1);
});
