// Files as providers write them, each with --format alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPaths, type SeenBar, TestFolder } from '../../../test/support/csv-files.ts';
import type { CsvOptions, FileFormat } from './csv-options.ts';

const bar = (symbol: string, day: string, numbers: Partial<SeenBar>): Omit<SeenBar, 'line'> => ({
  ...{
    interval: '1d',
    symbol,
    day,
    open: Number.NaN,
    high: Number.NaN,
    low: Number.NaN,
    close: Number.NaN,
    volume: Number.NaN,
  },
  ...numbers,
});
const DAY1 = { open: 10, high: 12, low: 9, close: 11, volume: 500 };
const DAY2 = { open: 11, high: 14, low: 10, close: 12.5, volume: 400 };

const FILES: readonly (readonly [FileFormat, string, readonly string[], readonly Omit<SeenBar, 'line'>[]])[] = [
  [
    'yahoo',
    'XYZ-USD.csv',
    [
      'Date,Open,High,Low,Close,Adj Close,Volume',
      '2024-05-01,10,12,9,11,11,5500',
      '2024-05-02,11,14,10,12.5,12.5,5000',
      '2024-05-03,null,null,null,null,null,null',
    ],
    [bar('XYZ', '2024-05-01', DAY1), bar('XYZ', '2024-05-02', DAY2)],
  ],
  [
    'binance',
    'XYZUSDT-1d-2024-05.csv',
    [
      '1714521600000,10,12,9,11,500,1714607999999,5500,44,250,2750,0',
      // From 2025 on these times are microseconds.
      '1714608000000000,11,14,10,12.5,400,1714694399999999,5000,33,200,2500,0',
    ],
    [bar('XYZ', '2024-05-01', DAY1), bar('XYZ', '2024-05-02', DAY2)],
  ],
  [
    'binance',
    'XYZBTC-1d-2024-05-01.csv',
    [
      'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore',
      '1714521600000,10,12,9,11,500,1714607999999,5500,44,250,2750,0',
    ],
    [bar('XYZ/BTC', '2024-05-01', DAY1)],
  ],
  [
    'kraken',
    'XBTUSD_1440.csv',
    ['1714521600,10,12,9,11,500,44', '1714608000,11,14,10,12.5,400,33'],
    [bar('BTC', '2024-05-01', DAY1), bar('BTC', '2024-05-02', DAY2)],
  ],
  [
    'cdd',
    'Binance_XYZUSDT_d.csv',
    [
      'https://www.CryptoDataDownload.com',
      'Unix,Date,Symbol,Open,High,Low,Close,Volume XYZ,Volume USDT,tradecount',
      '1714608000000,2024-05-02,XYZUSDT,11,14,10,12.5,400,5000,33',
      '1714521600000,2024-05-01,XYZUSDT,10,12,9,11,500,5500,44',
    ],
    [bar('XYZ', '2024-05-02', DAY2), bar('XYZ', '2024-05-01', DAY1)],
  ],
  [
    'coingecko',
    'xyz-usd-max.csv',
    [
      'snapped_at,price,market_cap,total_volume',
      '2024-05-02 00:00:00 UTC,11,1100000,5500',
      '2024-05-03 00:00:00 UTC,12.5,1250000,5000',
    ],
    [bar('XYZ', '2024-05-01', { close: 11, volume: 500 }), bar('XYZ', '2024-05-02', { close: 12.5, volume: 400 })],
  ],
];

for (const [format, name, lines, expected] of FILES) {
  test(`--format ${format} reads ${name}`, async () => {
    using folder = new TestFolder();
    const { bars, warnings, rejects } = await readPaths([folder.write(name, lines.join('\n'))], { format });
    assert.deepEqual(
      bars.map(({ line: _, ...each }) => each),
      expected,
    );
    assert.deepEqual(warnings, []);
    // Yahoo writes null for a day that it does not know.
    assert.deepEqual(
      rejects.map(({ reason }) => reason),
      format === 'yahoo' ? ['bad_number'] : [],
    );
  });
}

test('of CoinGecko, a price before the end of a day that is over is not its close', async () => {
  using folder = new TestFolder();
  const lines = [
    'snapped_at,price,total_volume',
    '2024-05-02 00:00:00 UTC,11,5500',
    '2024-05-02 13:45:02 UTC,12.5,5000',
  ];
  const path = folder.write('xyz-usd-max.csv', lines.join('\n'));
  const days = async (options: CsvOptions) =>
    (await readPaths([path], { format: 'coingecko', ...options })).bars.map(each => each.day);
  assert.deepEqual(await days({}), ['2024-05-01']);
  assert.deepEqual(await days({ keepIncomplete: true }), ['2024-05-01', '2024-05-02']);
  assert.deepEqual(
    await days({ now: Date.parse('2024-05-02T14:00Z') }),
    ['2024-05-01', '2024-05-02'],
    'the running day',
  );
  const { rejects } = await readPaths([path], { format: 'coingecko' });
  assert.match(
    `${rejects[0]!.reason} ${rejects[0]!.detail}`,
    /^incomplete_day 2024-05-02T13:45:02.000Z is before the end/,
  );
});

test('--symbol counts before the name of the file', async () => {
  using folder = new TestFolder();
  const path = folder.write('download.csv', '1714521600,10,12,9,11,500,44');
  assert.equal((await readPaths([path], { format: 'kraken', symbol: 'WBTC' })).bars[0]!.symbol, 'WBTC');
});

test('a file whose name does not tell the asset is refused with the flag that does', async () => {
  using folder = new TestFolder();
  const path = folder.write('my prices.csv', '1714521600000,10,12,9,11,500,1,1,1,1,1,0');
  const { rejects } = await readPaths([path], { format: 'binance' });
  assert.match(rejects[0]!.detail, /does not match --format binance; name the asset with --symbol/);
});
