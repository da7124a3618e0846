import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { dayFromIso, isoFromDay } from '../../domain/day.ts';
import type { SourceItem } from '../source.ts';
import { type FactsOptions, factsSource } from './facts-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'facts-'));
after(() => rmSync(folder, { recursive: true }));

async function read(content: string | Buffer, options: FactsOptions = {}): Promise<SourceItem[]> {
  const file = join(folder, 'input.csv');
  writeFileSync(file, content);
  const source = factsSource([file], options);
  return Array.fromAsync(source.bars(async () => null, new AbortController().signal));
}

/** Each row as `asset day rank supply cap`, each reject as `line reason`. */
async function outcome(content: string | Buffer, options: FactsOptions = {}): Promise<string[]> {
  return (await read(content, options)).flatMap(item => {
    if (item.kind === 'reject') return [`${item.reject.where.split(':').at(-1)} ${item.reject.reason}`];
    if (item.kind !== 'facts') return [];
    return item.stated.rows.map(({ asset, day, rank, supply, marketCap }) =>
      [asset.id ?? asset.symbol, isoFromDay(day), rank, supply, marketCap].map(cell => cell ?? '-').join(' '),
    );
  });
}

async function detail(content: string | Buffer, options: FactsOptions = {}): Promise<string> {
  const found = (await read(content, options)).find(item => item.kind === 'reject');
  return found?.kind === 'reject' ? found.reject.detail : 'nothing was refused';
}

describe('a file of facts', () => {
  for (const [what, content, options, expected] of [
    [
      'of CoinGecko, whose values at midnight are of the day that ends there',
      'snapped_at,price,market_cap,total_volume\n2024-03-01 00:00:00 UTC,61169.26,1201378431846.5,4e10\n2024-03-02 00:00:00 UTC,62397.84,,3e10\n',
      { asset: 'btc-bitcoin' },
      ['btc-bitcoin 2024-02-29 - - 1201378431846.5', 'btc-bitcoin 2024-03-01 - - -'],
    ],
    [
      'of CoinPaprika',
      'timestamp,price,volume_24h,market_cap\n2024-03-01T00:00:00Z,61169.26,40000000000,1201378431846\n',
      { symbol: 'BTC' },
      ['BTC 2024-03-01 - - 1201378431846'],
    ],
    [
      'with all columns, in any order, case and spelling',
      'Rank;Circulating Supply;ID;Symbol;Market-Cap;Date\n1;19,6;btc-bitcoin;BTC;1.201,5;2024-03-01\n',
      { decimal: ',' },
      ['btc-bitcoin 2024-03-01 1 19.6 1201.5'],
    ],
    [
      'with Unix times',
      'time,ticker,supply\n1709251200,ETH,120\n1709337600000,ETH,121\n',
      {},
      ['ETH 2024-03-01 - 120 -', 'ETH 2024-03-02 - 121 -'],
    ],
    [
      'with 0 and empty cells for what is not known',
      'date,symbol,rank,supply\n2024-03-01,A,0,\n2024-03-01,B,NA,0\n',
      {},
      ['A 2024-03-01 - - -', 'B 2024-03-01 - - -'],
    ],
    [
      'of which some rows are wrong',
      'date,symbol,rank,supply\n2024-02-30,A,1,1\n2024-03-01,,1,1\n2024-03-01,A,1.5,1\n2024-03-01,A,1,-1\n2024-03-01,A,x,1\n2024-03-01,A,1\n2024-03-01,A,inf,1\n2024-03-01,A,7,1e9\n',
      {},
      [
        '2 bad_day',
        '3 missing_symbol',
        '4 bad_number',
        '5 bad_number',
        '6 bad_number',
        '7 broken_row',
        '8 bad_number',
        'A 2024-03-01 7 1000000000 -',
      ],
    ],
    [
      'with a quote that is not closed',
      'date,symbol,rank\n2024-03-01,"A,1\n2024-03-02,B,2\n2024-03-03,C,3\n',
      {},
      ['2 broken_row', 'B 2024-03-02 2 - -', 'C 2024-03-03 3 - -'],
    ],
    [
      'that repeats its header',
      'date,symbol,rank\n2024-03-01,A,1\ndate,symbol,rank\n2024-03-02,A,2\n\n',
      {},
      ['A 2024-03-01 1 - -', 'A 2024-03-02 2 - -'],
    ],
    ['without facts', 'date,symbol,close\n2024-03-01,A,1\n', {}, ['1 missing_column']],
    ['that names no asset', 'date,rank\n2024-03-01,1\n', {}, ['1 missing_column']],
    ['that is empty', '', {}, ['1 missing_column']],
    ['that is a spreadsheet', Buffer.from('PK\x03\x04rest'), {}, ['1 bad_encoding']],
    [
      'that is packed and cut',
      gzipSync(`date,symbol,rank\n${'2024-03-01,A,1\n'.repeat(3)}`).subarray(0, 20),
      {},
      ['1 truncated'],
    ],
  ] as const) {
    // biome-ignore format: a table
    it(`${what} is read`, async () => assert.deepEqual(await outcome(content, options), expected));
  }

  it('is refused with what would be right', async () => {
    assert.match(await detail('date,rank\n2024-03-01,1\n'), /--asset or --symbol/);
    assert.match(await detail('date,symbol,close\n2024-03-01,A,1\n'), /market_cap, circulating_supply, supply, rank/);
    assert.match(await detail('date,symbol,supply\n2024-03-01,A,"1,234"\n'), /--decimal/);
    assert.match(await detail('date,symbol,supply\n03/04/2024,A,1\n'), /--date-format/);
    assert.deepEqual(await outcome('date,symbol,supply\n03/04/2024,A,1\n', { dateFormat: 'DD/MM/YYYY' }), [
      'A 2024-04-03 - 1 -',
    ]);
  });

  it('comes in batches, however long it is', async () => {
    const first = dayFromIso('1980-01-01')!;
    const lines = Array.from(
      { length: 300_000 },
      (_, i) => `${isoFromDay((first + (i % 9000)) as typeof first)},A${i % 7},${i + 1}`,
    );
    const items = await read(`date,symbol,rank\n${lines.join('\n')}\n`);
    const sizes = items.flatMap(item => (item.kind === 'facts' ? [item.stated.rows.length] : []));
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      300_000,
    );
    assert.ok(sizes.length > 2 && Math.max(...sizes) <= 2 ** 17);
  });

  it('of one asset is not several files', async () => {
    writeFileSync(join(folder, 'other.csv'), 'x');
    await assert.rejects(async () => factsSource([folder], { symbol: 'A' }).check?.(), /names the asset of one file/);
    assert.throws(() => factsSource([folder], { symbol: 'A', asset: 'a' }), /exclude each other/);
  });
});
