import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import * as ccxt from 'ccxt';
import { fakeBinance, fakeCoinbase, fakeKraken, type Series } from '../../../test/support/fake-exchanges.ts';
import { fakeClock, fakeProvider } from '../../../test/support/fake-provider.ts';
import { type Day, dayFromIso, isoFromDay } from '../../domain/day.ts';
import { type Since, SourceError, type SourceItem } from '../source.ts';
import { type CcxtOptions, ccxtSource } from './ccxt-source.ts';
import { exchangeNames } from './exchange.ts';

const provider = await fakeProvider();
beforeEach(() => provider.reset());
after(() => provider.close());

const TODAY = dayFromIso('2024-05-10')!;
/** The last `count` days up to today, each with a close of its own. */
const series = (count: number, offset = 0): Series =>
  Array.from({ length: count }, (_, i) => [TODAY - count + 1 + i, offset + i + 1.5] as const);

const signal = new AbortController().signal;
const nothingStored: Since = async () => null;
/** The store has everything up to this day. */
const until =
  (last: number): Since =>
  async () => ({ first: 0, last });

function source(options: Partial<CcxtOptions>) {
  const clock = fakeClock(Date.UTC(2024, 4, 10, 12));
  const defaults = {
    exchange: 'binance',
    quotes: ['USDT'],
    rateLimitMillis: 1,
    timeoutMillis: 2000,
    attempts: 3,
    clock,
  };
  return { clock, source: ccxtSource({ ...defaults, ...options }) };
}

const pull = (options: Partial<CcxtOptions>, since: Since = nothingStored) =>
  Array.fromAsync(source(options).source.bars(since, signal));

/** The closes by asset, in order of delivery. */
function closes(items: readonly SourceItem[]): Record<string, [number, number][]> {
  const found: Record<string, [number, number][]> = {};
  for (const item of items) {
    if (item.kind !== 'bars') continue;
    const { batch } = item;
    for (let i = 0; i < batch.count; i++) {
      const { symbol } = batch.assets[batch.asset[i]!]!;
      found[symbol] ??= [];
      found[symbol].push([batch.day[i]!, batch.close[i]!]);
    }
  }
  return found;
}

const rejects = (items: readonly SourceItem[]) =>
  items.flatMap(item => (item.kind === 'reject' ? [`${item.reject.where}: ${item.reject.reason}`] : []));
const delisted = (items: readonly SourceItem[]) =>
  items.flatMap(item => (item.kind === 'delisted' ? [item.asset.symbol] : []));

const btc = (count: number, more = {}) => ({ base: 'BTC', quote: 'USDT', series: series(count), ...more });

describe('Binance', () => {
  it('gives its whole history in pages, none dropped, none doubled', async () => {
    const urls = fakeBinance(provider, [btc(2350), { base: 'ETH', quote: 'USDT', series: series(3, 7000) }]);
    const items = await pull({ urls });
    assert.deepEqual(closes(items), { BTC: series(2350), ETH: series(3, 7000) });
    assert.deepEqual(rejects(items), []);
  });

  it('gives the range and the volume in units of the asset', async () => {
    const items = await pull({ urls: fakeBinance(provider, [btc(1)]) });
    const { batch } = items.find(item => item.kind === 'bars')!;
    const { open, high, low, volume } = batch;
    assert.deepEqual([open[0], high[0], low[0], volume[0]], [1, 9.5, 0.5, 12.25]);
    assert.deepEqual(batch.assets, [{ id: null, symbol: 'BTC' }]);
  });

  it('is asked only for what is not stored yet, the last stored day included', async () => {
    const urls = fakeBinance(provider, [btc(400)]);
    const items = await pull({ urls }, until(TODAY - 2));
    assert.deepEqual(closes(items), { BTC: series(400).slice(-3) });
    assert.equal(provider.asked.filter(({ path }) => path.endsWith('klines')).length, 1);
  });

  it('is asked from a given day on', async () => {
    const urls = fakeBinance(provider, [btc(400)]);
    assert.deepEqual(closes(await pull({ urls, since: (TODAY - 9) as Day })), { BTC: series(400).slice(-10) }); // In the calendar.
  });

  it('is asked for what is stored, too, where that is wanted', async () => {
    const urls = fakeBinance(provider, [btc(40)]);
    assert.deepEqual(closes(await pull({ urls, full: true }, until(TODAY))), { BTC: series(40) });
  });

  it('keeps days without a trade apart', async () => {
    const gaps = series(1500).filter(([day]) => day % 7 !== 0 && (day < TODAY - 1400 || day > TODAY - 300));
    assert.deepEqual(closes(await pull({ urls: fakeBinance(provider, [btc(0, { series: gaps })]) })), { BTC: gaps });
  });

  it('has markets that ended: known ones are pulled and delisted, unknown ones are left out', async () => {
    const ended = (base: string) => ({ base, quote: 'USDT', status: 'BREAK', series: series(30).slice(0, 20) });
    const urls = fakeBinance(provider, [btc(3), ended('LUNA'), ended('OLD')]);
    const since: Since = async ({ symbol }) => (symbol === 'LUNA' ? { first: 0, last: TODAY - 12 } : null);
    const items = await pull({ urls }, since);
    assert.deepEqual(closes(items), { BTC: series(3), LUNA: series(30).slice(17, 20) });
    assert.deepEqual(delisted(items), ['LUNA']);
  });

  it('is told which symbols it does not have, and gives the others', async () => {
    const urls = fakeBinance(provider, [btc(3)]);
    const items = await pull({ urls, symbols: ['BTC', 'NOPE'] });
    assert.deepEqual(closes(items), { BTC: series(3) });
    assert.deepEqual(rejects(items), ['ccxt:binance NOPE: unknown_asset']);
  });

  it('counts the assets as it goes', async () => {
    const urls = fakeBinance(provider, [btc(3), { base: 'ETH', quote: 'USDT', series: series(3) }]);
    const progress = (await pull({ urls })).filter(item => item.kind === 'progress');
    assert.deepEqual(
      progress.map(({ done, total, unit }) => [done, total, unit]),
      [
        [1, 2, 'assets'],
        [2, 2, 'assets'],
      ],
    );
  });
});

describe('Kraken', () => {
  const bitcoin = { id: 'XXBTZUSD', altname: 'XBTUSD', base: 'XXBT', quote: 'ZUSD' };
  const kraken = { exchange: 'kraken', quotes: ['USD'] };

  it('gives its 720 newest under its own name of the pair; the asset has the common one', async () => {
    const urls = fakeKraken(provider, [{ ...bitcoin, series: series(1000) }]);
    assert.deepEqual(closes(await pull({ ...kraken, urls })), { BTC: series(1000).slice(-720) });
  });

  it('gives what is new', async () => {
    const urls = fakeKraken(provider, [{ ...bitcoin, series: series(1000) }]);
    assert.deepEqual(closes(await pull({ ...kraken, urls }, until(TODAY - 1))), {
      BTC: series(1000).slice(-2),
    }); // In the calendar.
  });

  for (const error of ['EAPI:Rate limit exceeded', 'EService:Unavailable', 'EGeneral:Temporary lockout']) {
    it(`is asked again after ${error}, which comes with status 200`, async () => {
      const urls = fakeKraken(provider, [{ ...bitcoin, series: series(5) }], [{ json: { error: [error] } }]);
      const { clock, source: one } = source({ ...kraken, urls });
      assert.deepEqual(closes(await Array.fromAsync(one.bars(nothingStored, signal))), { BTC: series(5) });
      assert.equal(clock.slept.length, 1);
    });
  }

  it('loses no market in silence when it answers under another name', async () => {
    const urls = fakeKraken(provider, [{ ...bitcoin, series: series(5), answered: 'XBT/USD' }]);
    assert.deepEqual(rejects(await pull({ ...kraken, urls })), ['ccxt:kraken BTC/USD: bad_answer']);
  });
});

describe('Coinbase', () => {
  const coinbase = { exchange: 'coinbaseexchange', quotes: ['USD'] };

  it('gives its history in windows, also before the first trade and through a long silence, in its own order of columns', async () => {
    const days = series(1400).filter(([day]) => day < TODAY - 900 || day > TODAY - 250);
    const items = await pull({ ...coinbase, urls: fakeCoinbase(provider, [{ id: 'BTC-USD', series: days }]) });
    assert.deepEqual(closes(items), { BTC: days });
    const { open, high, low, volume } = items.find(item => item.kind === 'bars')!.batch;
    assert.deepEqual([open[0], high[0], low[0], volume[0]], [1, 9.5, 0.5, 12.25]);
  });
});

describe('trouble that passes costs nothing', () => {
  for (const [name, trouble] of [
    [
      '429 with Retry-After',
      { status: 429, headers: { 'retry-after': '5' }, json: { code: -1003, msg: 'Too many requests.' } },
    ],
    [
      '418 with Retry-After',
      { status: 418, headers: { 'retry-after': '5' }, json: { code: -1003, msg: 'Way too many requests.' } },
    ],
    ['502 with a page', { status: 502, text: '<html>bad gateway</html>' }],
    ['a cut connection', { cut: '[[1,' }],
    ['no answer at all', { disconnects: true }],
    ['malformed JSON', { text: '[[17154,"1' }],
    ['an empty body', { text: '' }],
  ] as const) {
    it(name, async () => {
      const urls = fakeBinance(provider, [btc(1500, { trouble: [trouble] })], [trouble]);
      const { clock, source: one } = source({ urls });
      const items = await Array.fromAsync(one.bars(nothingStored, signal));
      assert.deepEqual(closes(items), { BTC: series(1500) });
      assert.deepEqual(rejects(items), []);
      const pause = name.includes('Retry-After') ? 5125 : 500;
      assert.deepEqual(clock.slept, [pause, pause]);
    });
  }

  it('a body that does not end in time', async () => {
    const urls = fakeBinance(provider, [btc(3, { trouble: [{ stall: '[[' }] })]);
    assert.deepEqual(closes(await pull({ urls, timeoutMillis: 150 })), { BTC: series(3) });
  });
});

describe('trouble that stays', () => {
  const always = (answer: object) => Array.from({ length: 20 }, () => answer as { json: unknown }); // Each case is an Answer.

  for (const [name, answer] of [
    ['an error of its own', { status: 500, json: {} }],
    ['an object instead of candles', { json: { rows: [] } }],
    ['a text instead of candles', { json: 'maintenance' }],
    ['candles that are none', { json: [['soon'], null] }],
    ['malformed JSON', { text: '<html>' }],
    ['no candle at all', { json: [] }],
  ] as const) {
    it(`of one market costs no other: ${name}`, async () => {
      const urls = fakeBinance(provider, [{ base: 'AAA', quote: 'USDT', series: [], trouble: always(answer) }, btc(3)]);
      const items = await pull({ urls });
      assert.deepEqual(closes(items), { BTC: series(3) });
      assert.equal(rejects(items).length, 1);
      assert.match(rejects(items)[0]!, /^ccxt:binance AAA\/USDT: bad_/);
    });
  }

  it('of a market that the exchange does not know is told as such', async () => {
    const unknown = always({ status: 400, json: { code: -1121, msg: 'Invalid symbol.' } });
    const urls = fakeBinance(provider, [{ base: 'AAA', quote: 'USDT', series: [], trouble: unknown }, btc(3)]);
    assert.deepEqual(rejects(await pull({ urls })), ['ccxt:binance AAA/USDT: unknown_asset']);
  });

  it('of many markets in a row ends the load', async () => {
    const broken = ['A1', 'A2', 'A3', 'A4', 'A5'].map(base => ({
      base,
      quote: 'USDT',
      series: [],
      trouble: always({ status: 500, json: {} }),
    }));
    await assert.rejects(pull({ urls: fakeBinance(provider, broken) }), /fails for 3 markets in a row/);
  });

  for (const [name, answer, message] of [
    ['a rate limit', { status: 429, json: { code: -1003, msg: 'Too many requests.' } }, /Binance wants fewer requests/],
    [
      'a ban for a day',
      { status: 418, headers: { 'retry-after': '86400' }, json: { code: -1003, msg: 'banned' } },
      /Binance wants fewer requests/,
    ],
    [
      'an answer only for customers',
      { status: 401, json: { code: -2015, msg: 'Invalid API-key, IP, or permissions for action.' } },
      /only to customers/,
    ],
  ] as const) {
    it(`${name} ends the load with what to do`, async () => {
      const urls = fakeBinance(provider, [btc(3, { trouble: always(answer) })]);
      await assert.rejects(pull({ urls }), (error: unknown) => {
        assert.ok(error instanceof SourceError);
        assert.match(error.message, message);
        assert.ok(error.hint.length > 10);
        return true;
      });
    });
  }

  for (const [name, options, message] of [
    ['a misspelt exchange', { exchange: 'binanse' }, /there is no exchange binanse/],
    ['an exchange without candles', { exchange: 'coincheck' }, /has no daily candles/],
    ['a quote currency that does not exist', { quotes: ['XYZ'] }, /no spot market for XYZ/],
    ['symbols that do not exist', { symbols: ['NOPE'] }, /no spot market for NOPE/],
  ] as const) {
    it(`${name} is told before anything is loaded`, async () => {
      const urls = fakeBinance(provider, [btc(3)]);
      await assert.rejects(pull({ urls, ...options }), (error: unknown) => {
        assert.ok(error instanceof SourceError);
        assert.match(error.message, message);
        return true;
      });
    });
  }

  it('every exchange of ccxt has a name that can be given', () => {
    assert.deepEqual(exchangeNames().sort(), Object.keys(ccxt.exchanges).sort());
  });

  it('an exchange that is not there is told', async () => {
    const gone = await fakeProvider();
    const urls = { api: { public: gone.url } };
    await gone.close();
    await assert.rejects(pull({ urls }), /cannot read the markets of/);
  });

  it('a stop ends it at once, in the middle of a body', async () => {
    const controller = new AbortController();
    const urls = fakeBinance(provider, [btc(3)]);
    provider.on('/api/v3/klines', () => {
      setImmediate(() => controller.abort(new Error('stopped')));
      return { stall: '[' };
    });
    const { source: one } = source({ urls, timeoutMillis: 60_000 });
    await assert.rejects(Array.fromAsync(one.bars(nothingStored, controller.signal)), /stopped/);
  });
});

it('candles that do not begin at midnight UTC are refused with the reason', async () => {
  const urls = fakeBinance(provider, [btc(0, { series: series(3).map(([day, close]) => [day - 1 / 3, close]) })]);
  const items = await pull({ urls });
  assert.deepEqual(closes(items), {});
  const reject = items.find(item => item.kind === 'reject')?.reject;
  assert.equal(reject?.reason, 'bad_day');
  assert.match(reject?.detail ?? '', new RegExp(`${isoFromDay((TODAY - 3) as Day)}T16:00:00.000Z .*midnight UTC`)); // In the calendar.
});

describe('hours and minutes', () => {
  const MINUTE = 60;
  const HOUR = 3600;
  const NOW = Date.UTC(2024, 4, 10, 12) / 1000;
  /** The last `count` periods up to the running one. */
  const last = (count: number, seconds: number): Series => {
    const current = Math.floor(NOW / seconds);
    return Array.from({ length: count }, (_, i) => [current - count + 1 + i, i + 1.5] as const);
  };
  const klines = () => provider.asked.filter(({ path }) => path.endsWith('klines')).length;
  const since = (day: string) => ({ since: dayFromIso(day)! });

  it('come in pages, oldest first, none dropped, none doubled, with gaps as gaps', async () => {
    const minutes = last(35_000, MINUTE).filter(([minute]) => minute % 97 !== 0 && !(minute % 5000 < 1200));
    const urls = fakeBinance(provider, [btc(0, { series: { [MINUTE]: minutes } })]);
    const items = await pull({ urls, interval: '1m', ...since('2024-04-10') });
    assert.deepEqual(closes(items), { BTC: minutes });
    const batches = items.filter(item => item.kind === 'bars');
    assert.ok(batches.length > 1, 'they leave in parts');
    assert.deepEqual(new Set(batches.map(({ batch }) => batch.interval)), new Set(['1m']));
  });

  for (const [name, options, fake] of [
    ['Kraken, which gives 720', { exchange: 'kraken', quotes: ['USD'] }, 'kraken'],
    ['Coinbase, which gives windows of 300', { exchange: 'coinbaseexchange', quotes: ['USD'] }, 'coinbase'],
  ] as const) {
    it(`come from ${name}`, async () => {
      const hours = last(1000, HOUR);
      const bitcoin = { id: 'XXBTZUSD', altname: 'XBTUSD', base: 'XXBT', quote: 'ZUSD', series: { [HOUR]: hours } };
      const urls =
        fake === 'kraken'
          ? fakeKraken(provider, [bitcoin])
          : fakeCoinbase(provider, [{ id: 'BTC-USD', series: { [HOUR]: hours } }]);
      const found = closes(await pull({ ...options, urls, interval: '1h', ...since('2024-03-01') }));
      assert.deepEqual(found, { BTC: fake === 'kraken' ? hours.slice(-720) : hours });
    });
  }

  it('continue from the last stored one', async () => {
    const hours = last(900, HOUR);
    const urls = fakeBinance(provider, [btc(0, { series: { [HOUR]: hours } })]);
    const [first, end] = [hours[0]![0], hours.at(-5)![0]];
    const items = await pull({ urls, interval: '1h', ...since('2024-04-03') }, async () => ({ first, last: end }));
    assert.deepEqual(closes(items), { BTC: hours.slice(-5) });
    assert.equal(klines(), 2, 'one asks whether anything precedes what is stored');
  });

  it('are pulled from the start if another source has stored the newest ones only', async () => {
    const minutes = last(3000, MINUTE);
    const urls = fakeBinance(provider, [btc(0, { series: { [MINUTE]: minutes } })]);
    const stored: Since = async () => ({ first: minutes.at(-50)![0], last: minutes.at(-1)![0] });
    assert.deepEqual(closes(await pull({ urls, interval: '1m', ...since('2024-05-01') }, stored)), { BTC: minutes });
  });

  it('are not pulled for longer than they are kept, which a warning says', async () => {
    const minutes = last(9000, MINUTE);
    const urls = fakeBinance(provider, [btc(0, { series: { [MINUTE]: minutes } })]);
    const items = await pull({ urls, interval: '1m', keptDays: 2, ...since('2024-01-01') });
    assert.deepEqual(closes(items), {
      BTC: minutes.filter(([minute]) => minute * MINUTE >= Date.UTC(2024, 4, 9) / 1000),
    });
    assert.match(
      items.flatMap(item => (item.kind === 'warning' ? [item.text] : [])).join(),
      /^candles of 1m are pulled since 2024-05-09: the store does not keep older ones/,
    );
  });

  it('tell how far one market is', async () => {
    const urls = fakeBinance(provider, [btc(0, { series: { [MINUTE]: last(50_000, MINUTE) } })]);
    const items = await pull({ urls, interval: '1m', ...since('2024-04-01') });
    const shares = items.flatMap(item => (item.kind === 'progress' ? [item.done] : []));
    assert.ok(shares.length > 2 && shares.slice(0, -1).every(share => share > 0 && share < 1), shares.join());
    assert.deepEqual(
      shares,
      shares.toSorted((a, b) => a - b),
    );
    assert.equal(shares.at(-1), 1);
  });

  it('that an exchange does not have are refused with those that it has', async () => {
    const wanted = exchangeNames().flatMap(name => {
      const Class = ccxt.exchanges[name as 'binance'];
      const { has, timeframes } = new Class();
      return has['fetchOHLCV'] === true && timeframes?.['1d'] && timeframes['1h'] && !timeframes['1m'] ? [name] : [];
    });
    assert.ok(wanted.length > 0, 'some exchange has hours and no minutes');
    await assert.rejects(source({ exchange: wanted[0]!, interval: '1m' }).source.check!(), {
      message: /has no candles of 1m$/,
      hint: 'it has 1h and 1d: --interval 1h, or choose another exchange',
    });
  });

  it('off the grid are told and left out', async () => {
    const hours = last(5, HOUR);
    const odd = [...hours.slice(0, 4), [hours[4]![0] + 0.5, 7] as const];
    const urls = fakeBinance(provider, [btc(0, { series: { [HOUR]: odd } })]);
    const items = await pull({ urls, interval: '1h', ...since('2024-05-10') });
    assert.deepEqual([closes(items)['BTC'], rejects(items)], [hours.slice(0, 4), ['ccxt:binance BTC/USDT: off_grid']]);
  });
});
