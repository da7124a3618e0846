// Zip archives as Binance publishes them, and as a broken download leaves them.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { brief, readPaths, reasons, TestFolder } from '../../test/support/csv-files.ts';
import { DamagedInput } from './inputs.ts';
import { readEntry, zipEntries } from './zip.ts';

interface Packed {
  readonly name: string;
  readonly text: string;
  readonly isStored?: boolean;
}

/** By the published description of the format (APPNOTE.TXT, 4.3): local headers and data, the central directory, its end. */
function zipOf(files: readonly Packed[], comment = ''): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let position = 0;
  for (const { name, text, isStored = false } of files) {
    const bytes = Buffer.from(text);
    const packed = isStored ? bytes : deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(isStored ? 0 : 8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
    const entry = Buffer.alloc(46);
    entry.write('PK\x01\x02');
    common.copy(entry, 6);
    entry.writeUInt32LE(position, 42);
    list.push(entry, Buffer.from(name));
    parts.push(local);
    position += local.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(position, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, directory, end, Buffer.from(comment)]);
}

const HEADER =
  'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore\n';
const START = Date.UTC(2026, 9, 1);

/** Klines as data.binance.vision has them, in microseconds since 2025. */
function klines(count: number, stepMs: number, { unit = 1000, header = false } = {}): string {
  const lines = Array.from({ length: count }, (_, i) => {
    const open = (START + i * stepMs) * unit;
    return `${open},10,20,9,${11 + i / 1000},500,${open + stepMs * unit - 1},5500,44,250,2750,0\n`;
  });
  return (header ? HEADER : '') + lines.join('');
}

const NAME = 'BTCUSDT-1m-2026-10';
const archive = (text: string, name = NAME) => zipOf([{ name: `${name}.csv`, text }]);

describe('archives of Binance', () => {
  for (const [what, options] of [
    ['in microseconds, without a header', {}],
    ['in microseconds, with a header', { header: true }],
    ['in milliseconds', { unit: 1 }],
  ] as const) {
    it(`are read as they are: ${what}`, async () => {
      using folder = new TestFolder();
      const path = folder.write(`${NAME}.zip`, archive(klines(1500, 60_000, options)));
      const { bars, rejects } = await readPaths([path]);
      assert.deepEqual(rejects, []);
      assert.deepEqual([bars.length, bars[0]!.interval, bars[0]!.symbol], [1500, '1m', 'BTC']);
      const { day, open, high, low, close, volume } = bars[1499]!;
      assert.deepEqual([day, open, high, low, close, volume], ['2026-10-02T00:59Z', 10, 20, 9, 12.499, 500]);
    });
  }

  it('give their interval by name, however few rows they have', async () => {
    using folder = new TestFolder();
    const hour = folder.write('ETHBTC-1h-2026-10-01.zip', archive(klines(1, 3_600_000), 'ETHBTC-1h-2026-10-01'));
    const { bars } = await readPaths([hour]);
    assert.deepEqual([bars[0]!.interval, bars[0]!.symbol], ['1h', 'ETH/BTC']);
    const day = folder.write('BTCUSDT-1d-2026-10.zip', archive(klines(31, 86_400_000), 'BTCUSDT-1d-2026-10'));
    assert.deepEqual(brief((await readPaths([day])).bars).slice(0, 2), ['BTC 2026-10-01 11', 'BTC 2026-10-02 11.001']);
  });

  it('of intervals that are not stored are refused with those that are', async () => {
    using folder = new TestFolder();
    for (const name of ['BTCUSDT-5m-2026-10', 'BTCUSDT-4h-2026-10', 'BTCUSDT-1s-2026-10-01']) {
      const path = folder.write(`${name}.zip`, archive(klines(100, 300_000), name));
      const { bars, rejects } = await readPaths([path]);
      assert.deepEqual([bars, reasons(rejects)], [[], [`${path}:1 wrong_spacing`]]);
      assert.match(rejects[0]!.detail, /by its name the file has bars of \S+, and the store has bars of 1m, 1h, 1d/);
    }
  });

  it('are found in a folder, and compared with the checksum beside them', async () => {
    using folder = new TestFolder();
    const [good, bad] = [archive(klines(10, 60_000)), archive(klines(10, 60_000), 'ETHUSDT-1m-2026-10')];
    const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    folder.write(`${NAME}.zip`, good);
    folder.write(`${NAME}.zip.CHECKSUM`, `${sha(good)}  ${NAME}.zip\n`);
    const path = folder.write('ETHUSDT-1m-2026-10.zip', bad);
    folder.write('ETHUSDT-1m-2026-10.zip.CHECKSUM', `${sha(good)}  ETHUSDT-1m-2026-10.zip\n`);
    const { bars, rejects } = await readPaths([folder.path]);
    assert.deepEqual([...new Set(bars.map(({ symbol }) => symbol))], ['BTC']);
    assert.deepEqual(reasons(rejects), [`${path}:1 damaged`]);
    assert.match(rejects[0]!.detail, /does not have the checksum that ETHUSDT-1m-2026-10\.zip\.CHECKSUM gives/);
  });
});

describe('an archive', () => {
  it('may hold several files, stored or packed, and a comment that looks like its end', async () => {
    using folder = new TestFolder();
    const csv = (symbol: string) => `symbol,day,close\n${symbol},2026-10-01,1\n`;
    const files = [
      { name: 'a/', text: '', isStored: true },
      { name: 'a/a.csv', text: csv('A') },
      { name: 'b.txt', text: csv('B'), isStored: true },
      { name: 'readme.md', text: 'nothing' },
    ];
    const path = folder.write('files.zip', zipOf(files, `PK\x05\x06${'x'.repeat(30)}`));
    const { bars, rejects } = await readPaths([path]);
    assert.deepEqual([brief(bars), rejects], [['A 2026-10-01 1', 'B 2026-10-01 1'], []]);
  });

  it('without a CSV file, and what is no archive, are refused in plain words', async () => {
    using folder = new TestFolder();
    for (const [content, words] of [
      [zipOf([{ name: 'readme.md', text: 'x' }]), /holds no file that ends in \.csv, \.tsv, \.txt/],
      [zipOf([]), /holds no file/],
      [Buffer.from('symbol,day,close\nA,2026-10-01,1\n'), /is not a zip archive/],
      [Buffer.alloc(0), /is empty/],
    ] as const) {
      const path = folder.write('x.zip', content);
      const { bars, rejects } = await readPaths([path]);
      assert.deepEqual([bars, reasons(rejects)], [[], [`${path}:1 damaged`]]);
      assert.match(rejects[0]!.detail, words);
    }
  });

  it('that was cut anywhere is refused whole, and the other files are loaded', async () => {
    using folder = new TestFolder();
    const whole = archive(klines(200, 60_000));
    folder.write('other.csv', 'symbol,day,close\nA,2026-10-01,1\n');
    for (let at = 4; at < whole.length; at += 97) {
      const path = folder.write(`${NAME}.zip`, whole.subarray(0, at));
      const { bars, rejects } = await readPaths([folder.path]);
      assert.deepEqual([brief(bars), reasons(rejects)], [['A 2026-10-01 1'], [`${path}:1 damaged`]], `cut at ${at}`);
      assert.match(rejects[0]!.detail, /ends in the middle; download it again$/);
    }
  });

  it('with any wrong byte is refused whole, or its content is as it was', async () => {
    using folder = new TestFolder();
    const text = klines(100, 60_000);
    const whole = archive(text);
    const property = fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
      const broken = Buffer.from(whole);
      broken[at]! ^= flip;
      const path = folder.write('x.zip', broken);
      try {
        for (const entry of await zipEntries(path)) {
          const chunks = await Array.fromAsync(readEntry(path, entry, new AbortController().signal));
          assert.equal(Buffer.concat(chunks).toString(), text);
        }
      } catch (error) {
        assert.ok(error instanceof DamagedInput, String(error));
      }
    });
    await fc.assert(property, { numRuns: 500 });
  });

  it('that unpacks to more than it says is stopped', async () => {
    using folder = new TestFolder();
    const bytes = zipOf([{ name: 'a.csv', text: 'x'.repeat(50_000_000) }]);
    // The size in the list of files.
    bytes.writeUInt32LE(1000, bytes.indexOf('PK\x01\x02') + 24);
    const path = folder.write('x.zip', bytes);
    const [entry] = await zipEntries(path);
    let length = 0;
    const read = async () => {
      for await (const chunk of readEntry(path, entry!, new AbortController().signal)) length += chunk.length;
    };
    await assert.rejects(read(), DamagedInput);
    assert.equal(length, 0);
  });
});
