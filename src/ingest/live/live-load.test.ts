import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { batch, DAY, draft } from '../../../test/contract/fixtures.ts';
import { fakeBinance, fakeBitstamp, type Series, type Trouble } from '../../../test/support/fake-exchanges.ts';
import { type FakeLiveBinance, fakeLiveBinance } from '../../../test/support/fake-live-binance.ts';
import { fakeProvider } from '../../../test/support/fake-provider.ts';
import type { AssetNumber } from '../../domain/asset.ts';
import { recomputePending } from '../../publish/publish-pending.ts';
import { openStore } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';
import { batchOf } from '../bar-list.ts';
import { load } from '../pipeline.ts';
import type { Source } from '../source.ts';
import { followPrices, type LiveOptions, type LiveSummary } from './live-load.ts';

const DAY_MS = 86_400_000;
const TIMEOUT_MS = 30_000;
const folder = mkdtempSync(join(tmpdir(), 'tidemark-live-'));
const provider = await fakeProvider();
beforeEach(() => provider.reset());
after(async () => {
  await provider.close();
  rmSync(folder, { recursive: true });
});
let files = 0;

const today = () => Math.floor(Date.now() / DAY_MS);
/** The last `count` days up to this one; the close of the last is 1000 × `scale` + `count`. */
function series(count: number, scale: number, last = today()): [number, number][] {
  return Array.from({ length: count }, (_, i) => [last - count + 1 + i, 1000 * scale + i + 1]);
}

interface TestMarket {
  readonly base: string;
  readonly quote: string;
  readonly series: Series;
  readonly trouble?: Trouble;
}

/** A live load of the local Binance, and what it has stored. */
class Live {
  readonly store: Store;
  readonly exchange: FakeLiveBinance;
  readonly notes: string[] = [];
  /** Of the load's clock, in milliseconds. */
  shift = 0;
  readonly #stop = new AbortController();
  #done: Promise<LiveSummary> = Promise.reject(new Error('it was not started'));

  static async prepare(t: TestContext): Promise<Live> {
    const live = new Live(await openStore(`sqlite:${join(folder, `${++files}.db`)}`), await fakeLiveBinance());
    t.after(async () => {
      await live.stop().catch(() => {});
      await live.exchange.close();
      await live.store.close();
    });
    return live;
  }

  private constructor(store: Store, exchange: FakeLiveBinance) {
    this.store = store;
    this.exchange = exchange;
    this.#done.catch(() => {});
  }

  options(markets: readonly TestMarket[]): LiveOptions {
    const { api } = fakeBinance(provider, markets) as { api: object }; // what it returns
    const urls = { api: { ...api, ws: { spot: `${this.exchange.url}/ws` } } };
    return {
      store: this.store,
      exchanges: [{ exchange: 'binance', urls, rateLimitMillis: 1 }],
      quotes: ['USDT'],
      everyMs: 20,
      signal: this.#stop.signal,
      clock: {
        now: () => Date.now() + this.shift,
        sleep: async (millis, signal) => void (await wait(Math.min(millis, 50), undefined, { signal })),
        random: () => 0.5,
      },
      onNote: text => this.notes.push(text),
    };
  }

  /** Returns when it follows the tickers and has loaded the candles. */
  async start(markets: readonly TestMarket[], more: Partial<LiveOptions> = {}): Promise<void> {
    this.run({ ...this.options(markets), ...more });
    await this.until('subscriptions', async () => this.exchange.subscribed().length === markets.length);
    await this.until('the candles', async () => (await this.prices()).size === markets.length);
  }

  run(options: LiveOptions): void {
    this.#done = followPrices(options);
    this.#done.catch(() => {});
  }

  stop(): Promise<LiveSummary> {
    this.#stop.abort();
    return this.#done;
  }

  async prices(): Promise<Map<string, number>> {
    const symbols = new Map((await this.store.assets()).map(({ assetNumber, symbol }) => [assetNumber, symbol]));
    return new Map(
      (await this.store.currentSince(0)).rows.map(({ assetNumber, price }) => [symbols.get(assetNumber)!, price]),
    );
  }

  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    const giveUp = performance.now() + TIMEOUT_MS;
    while (!(await holds())) {
      if (performance.now() > giveUp) assert.fail(`it did not come: ${what}; ${this.notes.join('; ')}`);
      await Promise.race([wait(10), this.#done.then(() => assert.fail('it ended'))]);
    }
  }

  /** Sends the tick until it is stored: a connection may be made anew in between. */
  async stored(symbol: string, price: number): Promise<void> {
    await this.until(`${symbol} ${price}`, async () => {
      this.exchange.tick(`${symbol}USDT`, price, Date.now() + this.shift);
      return (await this.prices()).get(symbol) === price;
    });
  }
}

const btc = (more: Partial<TestMarket> = {}): TestMarket => ({
  base: 'BTC',
  quote: 'USDT',
  series: series(40, 1),
  ...more,
});
const eth = (): TestMarket => ({ base: 'ETH', quote: 'USDT', series: series(40, 2) });

describe('live prices', () => {
  it('replace the close of the running day, and the other numbers of the candle stay', async t => {
    const live = await Live.prepare(t);
    await live.start([btc(), eth()]);
    await live.stored('BTC', 1234.5);
    assert.deepEqual(
      await live.prices(),
      new Map([
        ['BTC', 1234.5],
        ['ETH', 2040],
      ]),
    );
    const { assetNumber } = (await live.store.assets()).find(({ symbol }) => symbol === 'BTC')!;
    const last = await live.store.bars(assetNumber, today() as never, today() as never);
    assert.deepEqual([last.close[0], last.volume[0]], [1234.5, 12.25]);
    const [tick] = await live.store.newestTicks();
    assert.equal(tick!.source, 'live binance');
    assert.ok(Math.abs(Date.now() - tick!.at) < 60_000);
    const running = (await live.store.loads(9)).find(({ source }) => source === 'live binance');
    assert.equal(running!.state, 'running');
    const summary = await live.stop();
    assert.equal(summary.state, 'stopped');
    assert.ok(summary.replaced >= 1);
    assert.equal((await live.store.loads(9)).filter(({ state }) => state === 'running').length, 0);
  });

  it('go on over a new connection when the old one breaks', async t => {
    const live = await Live.prepare(t);
    await live.start([btc()]);
    await live.stored('BTC', 1);
    for (const price of [2, 3]) {
      for (const socket of live.exchange.sockets) socket.cut();
      await live.stored('BTC', price);
    }
    assert.ok(live.exchange.connected() >= 3);
    assert.match(live.notes.join('\n'), /binance: .*trying again/);
  });

  for (const pauseMs of [0, 20, 200]) {
    it(`end when they are stopped ${pauseMs} ms after their connection broke twice`, async t => {
      const live = await Live.prepare(t);
      await live.start([btc()]);
      for (const price of [1, 2]) {
        await live.stored('BTC', price);
        for (const socket of live.exchange.sockets) socket.cut();
      }
      await wait(pauseMs);
      const late = wait(TIMEOUT_MS, undefined, { ref: false }).then(() => assert.fail('it did not end'));
      assert.equal((await Promise.race([live.stop(), late])).state, 'stopped');
      // ccxt may have been about to connect again.
      await wait(500);
      assert.equal(live.exchange.sockets.size, 0);
    });
  }

  it('that make no sense are refused and counted', async t => {
    const live = await Live.prepare(t);
    await live.start([btc()]);
    for (const price of ['-5', '0', 'NaN', 'Infinity', '1e300', 'x', '']) {
      live.exchange.tick('BTCUSDT', price, Date.now());
      await wait(30);
    }
    live.exchange.tick('BTCUSDT', 77, Date.now() + 3_600_000);
    await wait(30);
    await live.stored('BTC', 55);
    const { rejected } = await live.stop();
    assert.ok(rejected >= 1, `${rejected}`);
    const closes = (await live.store.currentSince(0)).rows.map(({ price }) => price);
    assert.deepEqual(closes, [55]);
  });

  it('go on whatever text the exchange sends', async t => {
    const live = await Live.prepare(t);
    await live.start([btc()]);
    let price = 0;
    const wrong = { e: '24hrMiniTicker', E: Date.now(), s: 'BTCUSDT' };
    const texts = [
      ...[
        'not JSON',
        '',
        'null',
        '[]',
        '5',
        '{}',
        '[null]',
        '{"e":null}',
        '{"e":"unknown"}',
        '{"stream":1,"data":null}',
      ],
      ...[{}, { s: 5 }, { s: 'XXXUSDT' }, { c: null }, { c: [] }, { c: {} }, { E: 'x' }, { E: -1, c: '3' }].map(each =>
        JSON.stringify({ ...wrong, ...each }),
      ),
      '{"error":{"code":2,"msg":"Invalid request"},"id":1}',
      '{"code":-1003,"msg":"Too many requests"}',
      `{"e":"24hrMiniTicker","s":"${'B'.repeat(2 ** 20)}"}`,
    ];
    for (const text of texts) {
      live.exchange.say(text);
      await live.stored('BTC', ++price);
    }
  });

  it('out of order do not undo newer ones', async t => {
    const live = await Live.prepare(t);
    await live.start([btc()]);
    await live.stored('BTC', 10);
    live.exchange.tick('BTCUSDT', 9, Date.now() - 60_000);
    await wait(100);
    assert.equal((await live.prices()).get('BTC'), 10);
    assert.ok((await live.stop()).outOfOrder >= 1);
  });

  it('wait for another load, and the newest is stored when that has ended', async t => {
    const live = await Live.prepare(t);
    await live.start([btc()]);
    let lock = await live.store.lock('load');
    for (; lock === null; lock = await live.store.lock('load')) await wait(5);
    for (const price of [5, 6, 7]) live.exchange.tick('BTCUSDT', price, Date.now() + price);
    await wait(100);
    assert.equal((await live.prices()).get('BTC'), 1040);
    live.shift += 31_000;
    await live.until('a note', async () => live.notes.some(note => /behind by \d+ s/.test(note)));
    await lock.release();
    await live.until('the newest price', async () => (await live.prices()).get('BTC') === 7);
    await live.until('a note', async () => live.notes.includes('caught up'));
  });

  it('let another load run between two batches', async t => {
    const live = await Live.prepare(t);
    await live.start([btc()]);
    const ticking = setInterval(() => live.exchange.tick('BTCUSDT', Math.random() + 1, Date.now()), 1);
    t.after(() => clearInterval(ticking));
    const asset = { id: null, symbol: 'OTHER' };
    const bar = { asset, day: today() as never, open: 1, high: 1, low: 1, close: 1, volume: 1, line: 1 };
    const source: Source = {
      name: 'other',
      async *profiles() {},
      async *bars() {
        yield { kind: 'bars', batch: batchOf('other', [bar]) };
      },
    };
    for (let i = 0; i < 5; i++) {
      const { state } = await load({
        store: live.store,
        source,
        today: today() as never,
        signal: new AbortController().signal,
      });
      assert.equal(state, 'done');
    }
    assert.equal((await live.prices()).get('OTHER'), 1);
  });

  it('of a market that vanishes end with the day, and the others go on', async t => {
    const live = await Live.prepare(t);
    const markets: (TestMarket & { status?: string })[] = [btc(), eth()];
    await live.start(markets);
    await live.stored('ETH', 2.5);
    markets[1]!.status = 'BREAK';
    live.shift = (today() + 1) * DAY_MS + 61_000 - Date.now();
    await live.until('the end of the market', async () => live.exchange.subscribed().join() === 'BTCUSDT');
    await live.stored('BTC', 1.5);
    assert.equal((await live.prices()).get('ETH'), 2040, 'its last day was closed from its candle');
  });

  it('close a day from its candle, and follow the markets that appear', async t => {
    const live = await Live.prepare(t);
    const markets = [btc({ series: series(40, 1) })];
    await live.start(markets);
    await live.stored('BTC', 1234.5);
    const first = today();
    // The day ends with another close than the last tick, and a market is new.
    (markets[0]!.series as [number, number][]).at(-1)![1] = 1111;
    (markets[0]!.series as [number, number][]).push([first + 1, 2222]);
    markets.push({ base: 'NEW', quote: 'USDT', series: series(3, 5, first + 1) });
    live.shift = (first + 1) * DAY_MS + 61_000 - Date.now();
    const { assetNumber } = (await live.store.assets())[0]!;
    const close = async (day: number) => (await live.store.bars(assetNumber, day as never, day as never)).close[0];
    await live.until('the close of the candle', async () => (await close(first)) === 1111);
    await live.until('the new market', async () => live.exchange.subscribed().includes('NEWUSDT'));
    await live.stored('BTC', 3333);
    await live.stored('NEW', 4444);
    assert.deepEqual([await close(first), await close(first + 1)], [1111, 3333]);
  });

  it('of today do not hide days before it whose candles could not be loaded', async t => {
    const live = await Live.prepare(t);
    const first = today();
    const [assetNumber] = (await live.store.putAssets([draft('btc', { symbol: 'BTC' })])) as [AssetNumber];
    await live.store.putSources([{ assetNumber, name: 'binance', firstLoad: 1 }]);
    const known = series(40, 1, first - 3);
    await live.store.putBars(batch(known.map(([day, close]) => ({ assetNumber, day: day - DAY, close }))), 1);
    await recomputePending(live.store);
    const refused = { status: 400, json: { code: -1100, msg: 'Illegal characters found.' } };
    const days = series(43, 1, first);
    await live.start([{ ...btc(), series: days, trouble: [refused] }]);
    await live.stored('BTC', 1234.5);
    const closes = async () =>
      Array.from((await live.store.bars(assetNumber, (first - 3) as never, first as never)).close);
    assert.deepEqual(await closes(), [known.at(-1)![1], 1234.5]);
    days.push([first + 1, 2222]);
    live.shift = (first + 1) * DAY_MS + 61_000 - Date.now();
    const wanted = days.slice(-5, -1).map(([, close]) => close);
    await live.until('the candles of all days', async () => String(await closes()) === String(wanted));
  });

  it('are kept as minutes where that is wanted, and hours are made of them', async t => {
    const live = await Live.prepare(t);
    const minuteOf = (at: number) => Math.floor(at / 60_000);
    // The exchange's candles of the last two hours; a minute of them has no trade.
    const candles = Array.from({ length: 120 }, (_, i): [number, number] => [minuteOf(Date.now()) - 120 + i, 500 + i]);
    const series = { 86400: btc().series as Series, 60: candles.filter((_, i) => i !== 60) };
    await live.start([{ ...btc(), series: series as never }], { minutes: true });
    const { assetNumber } = (await live.store.assets())[0]!;
    const minutes = async () => {
      const { day, ...bars } = await live.store.series('1m').bars(assetNumber, 0 as never, 99_999_999 as never);
      return { bars, places: new Map(Array.from(day, (period, i) => [period, i])) };
    };
    await live.until('the candles of minutes', async () => (await minutes()).places.size >= 119);
    const { bars, places } = await minutes();
    for (const [minute, close] of series[60]) assert.equal(bars.close[places.get(minute)!], close);
    assert.equal(places.has(candles[60]![0]), false, 'a minute without a trade is a gap');
    // Ticks of one later minute, and of the next.
    live.shift = 10 * 60_000;
    const at = () => minuteOf(Date.now() + live.shift);
    let [first, prices] = [0, [] as number[]];
    do {
      [first, prices] = [at(), [700, 720, 690, 710]];
      for (const price of prices) await live.stored('BTC', price);
    } while (at() !== first);
    const tickMinute = await minutes();
    const place = tickMinute.places.get(first)!;
    const { open, high, low, close, volume } = tickMinute.bars;
    assert.deepEqual([open[place], high[place], low[place], close[place]], [700, 720, 690, 710]);
    assert.ok(Number.isNaN(volume[place]), 'a ticker does not tell the volume of a minute');
    const hour = Math.floor(first / 60) as never;
    assert.equal((await live.store.series('1h').bars(assetNumber, hour, hour)).close[0], 710);
    // The day is closed by its own candle, and by the ticks: what is loaded for a day wins over what is made of hours.
    assert.equal((await live.prices()).get('BTC'), 710);
    await live.store.checkIntegrity();
  });

  it('are not followed as minutes from an exchange that has none', async t => {
    const live = await Live.prepare(t);
    const exchanges = [{ exchange: 'mercado' }];
    await assert.rejects(
      followPrices({ ...live.options([btc()]), exchanges, minutes: true }),
      /^SourceError: .* has no candles of 1m/,
    );
  });

  it('drop minutes that are too old once per hour', async t => {
    const live = await Live.prepare(t);
    // In the evening the minutes since yesterday are more than a day of them, and what bars are dropped with.
    const evening = (today() - 1) * DAY_MS + 20 * 3_600_000;
    live.shift = evening - Date.now();
    const minute = Math.floor(evening / 60_000);
    const candles = Array.from({ length: 3000 }, (_, i): [number, number] => [minute - 2999 + i, 500 + i]);
    const series = { 86400: btc().series as Series, 60: candles };
    await live.start([{ ...btc(), series: series as never }], { minutes: true, retention: { '1m': 1, '1h': 0 } });
    const bars = async () => (await live.store.intervals())[0]!.bars;
    await live.until('the candles of minutes', async () => (await bars()) > 1500);
    const before = await bars();
    live.shift += 3_700_000;
    await live.until('a note', async () => live.notes.some(note => /^dropped \d+ bars of 1m/.test(note)));
    assert.ok((await bars()) < before);
  });

  it('are followed by one process per store', async t => {
    const live = await Live.prepare(t);
    await live.start([btc()]);
    const other = { ...live.options([btc()]), signal: new AbortController().signal };
    await assert.rejects(followPrices(other), { name: 'LiveBusyError' });
  });

  it('of a process that was killed are marked as failed by the next one, and not by another load', async t => {
    const live = await Live.prepare(t);
    const dead = await live.store.beginLoad('live binance');
    await live.start([btc()]);
    const loads = await live.store.loads(9);
    assert.deepEqual(loads.find(({ id }) => id === dead)!.state, 'failed');
    // The candles were loaded meanwhile, by a load of their own.
    assert.ok(loads.some(({ source, state }) => source === 'ccxt:binance' && state === 'done'));
    assert.ok(loads.some(({ source, state }) => source === 'live binance' && state === 'running'));
  });

  it('are polled where the exchange has no stream of tickers', async t => {
    const live = await Live.prepare(t);
    const prices = { last: '50.5' };
    const urls = fakeBitstamp(provider, () => prices, series(5, 1));
    live.run({ ...live.options([]), exchanges: [{ exchange: 'bitstamp', urls, rateLimitMillis: 1 }], quotes: ['USD'] });
    await live.until('the first price', async () => (await live.prices()).get('BTC') === 50.5);
    prices.last = '51.5';
    await live.until('the next price', async () => (await live.prices()).get('BTC') === 51.5);
    assert.equal(live.exchange.connected(), 0);
  });

  it('need an exchange that exists and has such markets', async t => {
    const live = await Live.prepare(t);
    const options = live.options([btc()]);
    await assert.rejects(followPrices({ ...options, exchanges: [{ exchange: 'binanse' }] }), /no exchange binanse/);
    await assert.rejects(followPrices({ ...options, quotes: ['XYZ'] }), /no spot market for XYZ/);
  });
});
