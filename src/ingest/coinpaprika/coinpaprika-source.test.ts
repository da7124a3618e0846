import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { type Answer, fakeClock, fakeProvider } from '../../../test/support/fake-provider.ts';
import { type Day, dayFromIso, isoFromDay } from '../../domain/day.ts';
import { type Since, SourceError, type SourceItem } from '../source.ts';
import { type CoinpaprikaOptions, coinpaprikaSource } from './coinpaprika-source.ts';

const provider = await fakeProvider();
after(() => provider.close());

const NOON = Date.UTC(2024, 4, 10, 12);
const TODAY = '2024-05-10';
const YESTERDAY = '2024-05-09';

const coin = (id: string, rank: number, more = {}) => ({
  id,
  name: id.split('-')[1],
  symbol: id.split('-')[0]?.toUpperCase(),
  rank,
  is_new: false,
  is_active: rank > 0,
  type: 'coin',
  ...more,
});
const ticker = (id: string, rank: number, price: unknown, more = {}) => ({
  id,
  name: id.split('-')[1],
  symbol: id.split('-')[0]?.toUpperCase(),
  rank,
  total_supply: 1000,
  max_supply: 0,
  last_updated: `${TODAY}T11:58:01Z`,
  quotes: { USD: { price, volume_24h: 5e9, percent_change_24h: '' } },
  ...more,
});
const candle = (day: string, close: unknown, more = {}) => ({
  time_open: `${day}T00:00:00Z`,
  time_close: `${day}T23:59:59Z`,
  open: 10,
  high: 30,
  low: null,
  close,
  volume: 123456789,
  market_cap: 987654321,
  ...more,
});
const PAYMENT_REQUIRED = { type: 'payment_required', error: 'request limits were reached' };

/** Two active coins and an inactive one, with yesterday's closes. */
beforeEach(() => {
  provider.reset();
  provider.on('/coins', { json: [coin('bbb-beta', 2), coin('aaa-alpha', 1), coin('old-dead', 0)] });
  provider.on('/tickers', { json: [ticker('bbb-beta', 2, 2.5), ticker('aaa-alpha', 1, 100.25)] });
  for (const id of ['aaa-alpha', 'bbb-beta']) {
    provider.on(`/coins/${id}`, { json: { ...coin(id, 1), logo: 'l', links: { medium: ['m'] } } });
    provider.on(`/coins/${id}/ohlcv/latest`, { json: [candle(YESTERDAY, id === 'aaa-alpha' ? 99 : 2)] });
  }
});

const nothingStored: Since = async () => null;
const stored =
  (days: Readonly<Record<string, string>>): Since =>
  async ({ id }) => {
    const last = dayFromIso(days[id ?? ''] ?? '');
    return last === null ? null : { first: 0, last };
  };

function source(options: CoinpaprikaOptions = {}, now = NOON) {
  const clock = fakeClock(now);
  const http = { clock, attempts: 3, timeoutMillis: 2000 };
  return { clock, source: coinpaprikaSource({ baseUrl: provider.url, http, ...options }) };
}

const signal = new AbortController().signal;
const profilesOf = (options?: CoinpaprikaOptions) => Array.fromAsync(source(options).source.profiles(signal));
const barsOf = (since: Since, options?: CoinpaprikaOptions, now?: number) =>
  Array.fromAsync(source(options, now).source.bars(since, signal));

/** `id day close` for each bar, `! reason` for each reject, in order. */
function described(items: readonly SourceItem[]): string[] {
  return items.flatMap(item => {
    if (item.kind === 'profile') return [`profile ${item.sourced.profile.id}`];
    if (item.kind === 'asset') return [`asset ${item.asset.id} ${item.asset.rank} ${item.asset.type}`];
    if (item.kind === 'delisted') return [`delisted ${item.asset.id}`];
    if (item.kind === 'reject') return [`! ${item.reject.reason}`];
    if (item.kind !== 'bars') return [];
    const { batch } = item;
    return Array.from({ length: batch.count }, (_, i) => {
      const asset = batch.assets[batch.asset[i]!];
      return `${asset?.id} ${isoFromDay(batch.day[i] as Day)} ${batch.close[i]}`; // Made by the source from real days.
    });
  });
}

const paths = () => provider.asked.map(({ path }) => path);

describe('the circulating supply of a ticker', () => {
  for (const [what, more, supply] of [
    ['is what the ticker says', { circulating_supply: 900 }, 900],
    ['follows from the market capitalisation', { quotes: { USD: { price: 4, market_cap: 3600 } } }, 900],
    ['is unknown without both', {}, null],
    ['is unknown if it is 0', { circulating_supply: 0, quotes: { USD: { price: 4, market_cap: 0 } } }, null],
  ] as const) {
    it(what, async () => {
      provider.on('/tickers', { json: [ticker('aaa-alpha', 1, 4, more)] });
      const listed = (await profilesOf()).flatMap(item => (item.kind === 'asset' ? [item.asset.supply] : []));
      assert.deepEqual(listed, [supply]);
    });
  }
});

describe('assets and profiles', () => {
  it('come best-ranked first, with what is delisted', async () => {
    assert.deepEqual(described(await profilesOf()), [
      'asset aaa-alpha 1 coin',
      'asset bbb-beta 2 coin',
      'delisted old-dead',
      'profile aaa-alpha',
      'profile bbb-beta',
    ]);
  });

  it('keep what the record has no place for', async () => {
    const profile = (await profilesOf()).find(item => item.kind === 'profile');
    assert.deepEqual(profile?.sourced.extra, { logo: 'l' });
  });

  it('are limited in number', async () => {
    assert.deepEqual(described(await profilesOf({ limit: 1 })), [
      'asset aaa-alpha 1 coin',
      'delisted old-dead',
      'profile aaa-alpha',
    ]);
  });

  it('are pulled in detail for the best-ranked only where that is asked for', async () => {
    assert.deepEqual(described(await profilesOf({ details: 1 })).slice(-2), ['delisted old-dead', 'profile aaa-alpha']);
  });

  it('are not pulled again where they are there already', async () => {
    const items = await profilesOf({ hasProfile: id => id === 'aaa-alpha' });
    assert.deepEqual(described(items).slice(-1), ['profile bbb-beta']);
    assert.ok(!paths().includes('/coins/aaa-alpha'));
  });

  it('of an asset that was named but is unknown are refused, and the others come', async () => {
    assert.deepEqual(described(await profilesOf({ assets: ['nnn-nobody', 'BBB-beta'] })), [
      '! unknown_asset',
      'asset bbb-beta 2 coin',
      'delisted old-dead',
      'profile bbb-beta',
    ]);
  });

  it('of an asset that was named and is beyond the list of prices are asked for one by one', async () => {
    provider.on('/coins', { json: [coin('zzz-zeta', 4000)] });
    provider.on('/tickers/zzz-zeta', { json: ticker('zzz-zeta', 4000, 0.5) });
    assert.deepEqual(described(await profilesOf({ assets: ['zzz-zeta'], details: 0 })), ['asset zzz-zeta 4000 coin']);
  });

  it('that are not what they should be are refused one by one', async () => {
    provider.on('/coins/aaa-alpha', { json: { id: 'aaa-alpha', symbol: 5 } });
    const items = await profilesOf();
    assert.deepEqual(described(items).slice(-2), ['! bad_profile', 'profile bbb-beta']);
  });

  it('without an answer are refused one by one', async () => {
    provider.on('/coins/aaa-alpha', { status: 404, json: { error: 'id not found' } });
    assert.deepEqual(described(await profilesOf()).slice(-2), ['! unknown_asset', 'profile bbb-beta']);
  });
});

describe('prices', () => {
  it('are the closes of past days, then the latest price as the close of the running day', async () => {
    assert.deepEqual(described(await barsOf(nothingStored)), [
      `aaa-alpha ${YESTERDAY} 99`,
      `bbb-beta ${YESTERDAY} 2`,
      `aaa-alpha ${TODAY} 100.25`,
      `bbb-beta ${TODAY} 2.5`,
    ]);
  });

  it('never come from the daily averages', async () => {
    await barsOf(nothingStored);
    assert.deepEqual(
      paths().filter(path => /tickers\/.*historical/.test(path)),
      [],
    );
  });

  it('have the range where it is known, and no volume, which is in dollars', async () => {
    const item = (await barsOf(nothingStored)).find(one => one.kind === 'bars');
    const { open, high, low, volume } = item!.batch;
    assert.deepEqual([open[0], high[0], low[0], volume[0]], [10, 30, Number.NaN, Number.NaN]);
  });

  it('of the day before replace what was stored while it ran', async () => {
    const since = stored({ 'aaa-alpha': YESTERDAY, 'bbb-beta': YESTERDAY });
    assert.deepEqual(described(await barsOf(since)).slice(0, 2), [
      `aaa-alpha ${YESTERDAY} 99`,
      `bbb-beta ${YESTERDAY} 2`,
    ]);
  });

  it('of the day before are not asked for again on the same day', async () => {
    const since = stored({ 'aaa-alpha': TODAY, 'bbb-beta': TODAY });
    assert.deepEqual(described(await barsOf(since)), [`aaa-alpha ${TODAY} 100.25`, `bbb-beta ${TODAY} 2.5`]);
    assert.deepEqual(paths(), ['/coins', '/tickers']);
  });

  it('of today wait while the candle of a day that was stored half is not there yet', async () => {
    provider.on('/coins/aaa-alpha/ohlcv/latest', { json: [candle('2024-05-08', 98)] });
    const since = stored({ 'aaa-alpha': YESTERDAY, 'bbb-beta': TODAY });
    assert.deepEqual(described(await barsOf(since)), ['aaa-alpha 2024-05-08 98', `bbb-beta ${TODAY} 2.5`]);
  });

  it('that were not updated since a full day give way to its close', async () => {
    provider.on('/tickers', { json: [ticker('aaa-alpha', 1, 97, { last_updated: `${YESTERDAY}T23:50:00Z` })] });
    assert.deepEqual(described(await barsOf(nothingStored)), [`aaa-alpha ${YESTERDAY} 99`]);
  });

  for (const [name, json, expected] of [
    ['an empty answer', [], []],
    ['a close that is null', [candle(YESTERDAY, null)], ['! bad_number']],
    ['a close that is an empty text', [candle(YESTERDAY, '')], ['! bad_number']],
    ['a day that is none', [candle(YESTERDAY, 5, { time_open: 'yesterday' })], ['! bad_day']],
    ['an object instead of a list', { candles: [] }, ['! bad_answer']],
    ['a number instead of a candle', [7], ['! bad_answer']],
  ] as const) {
    it(`survive ${name}`, async () => {
      provider.on('/coins/aaa-alpha/ohlcv/latest', { json });
      assert.deepEqual(described(await barsOf(nothingStored)), [
        ...expected,
        `bbb-beta ${YESTERDAY} 2`,
        `aaa-alpha ${TODAY} 100.25`,
        `bbb-beta ${TODAY} 2.5`,
      ]);
    });
  }

  for (const [name, change, reason] of [
    ['an empty price', { quotes: { USD: { price: '' } } }, 'bad_number'],
    ['no quotes', { quotes: null }, 'bad_number'],
    ['no time', { last_updated: '' }, 'bad_day'],
    ['no symbol', { symbol: null }, 'bad_answer'],
  ] as const) {
    it(`come for the others when one has ${name}`, async () => {
      provider.on('/tickers', { json: [ticker('aaa-alpha', 1, 1, change), 'junk', ticker('bbb-beta', 2, 2.5)] });
      assert.deepEqual(described(await barsOf(nothingStored, { details: 0 })), [
        `! ${reason}`,
        '! bad_answer',
        `bbb-beta ${TODAY} 2.5`,
      ]);
    });
  }
});

describe('with a key', () => {
  const apiKey = 'k-123456';
  const year = (days: number) =>
    Array.from({ length: days }, (_, i) => isoFromDay((dayFromIso(YESTERDAY)! - i) as Day)).reverse(); // In the calendar.

  /** Answers with the days of the span that was asked for, as far back as a plan reaches. */
  const history = (reach: number) =>
    provider.on('/coins/aaa-alpha/ohlcv/historical', ({ query }): Answer => {
      const [start, end] = [query.get('start')!, query.get('end')!.slice(0, 10)];
      const oldest = year(reach)[0]!;
      if (start < oldest) return { status: 402, json: { error: 'insufficient plan' } };
      return {
        json: year(800)
          .filter(day => day >= start && day <= end)
          .slice(0, Number(query.get('limit')))
          .map(day => candle(day, 5)),
      };
    });

  it('the key is sent bare', async () => {
    await profilesOf({ apiKey: ` ${apiKey}\n` });
    assert.ok(provider.asked.every(({ headers }) => headers.authorization === apiKey));
  });

  it('a year of closes is pulled, each day once', async () => {
    history(800);
    const items = await barsOf(nothingStored, { apiKey, assets: ['aaa-alpha'] });
    assert.deepEqual(described(items), [...year(365).map(day => `aaa-alpha ${day} 5`), `aaa-alpha ${TODAY} 100.25`]);
  });

  it('older closes come in several requests, none dropped or doubled', async () => {
    history(800);
    const since = dayFromIso(year(800)[0]!)!;
    const items = await barsOf(nothingStored, { apiKey, assets: ['aaa-alpha'], since });
    assert.deepEqual(
      described(items).slice(0, -1),
      year(800).map(day => `aaa-alpha ${day} 5`),
    );
    assert.equal(paths().filter(path => path.endsWith('historical')).length, 3);
  });

  it('a plan that reaches less far is found out', async () => {
    history(30);
    const items = await barsOf(nothingStored, { apiKey, assets: ['aaa-alpha'] });
    assert.deepEqual(
      described(items).slice(0, -1),
      year(29).map(day => `aaa-alpha ${day} 5`),
    );
  });

  it('only what is not stored yet is pulled, from the last stored day on', async () => {
    history(800);
    const items = await barsOf(stored({ 'aaa-alpha': '2024-05-07' }), { apiKey, assets: ['aaa-alpha'] });
    assert.deepEqual(described(items), [
      'aaa-alpha 2024-05-07 5',
      'aaa-alpha 2024-05-08 5',
      `aaa-alpha ${YESTERDAY} 5`,
      `aaa-alpha ${TODAY} 100.25`,
    ]);
  });
});

describe('trouble that passes costs nothing', () => {
  for (const [name, trouble] of [
    [
      '429 with Retry-After',
      { status: 429, headers: { 'retry-after': '3' }, json: { error: 'you have reached maximum request limit' } },
    ],
    ['500', { status: 500, json: { error: 'oops' } }],
    ['a cut connection', { cut: '[{"id":' }],
    ['malformed JSON', { text: '[{"id":"aaa' }],
    ['the request limit with status 200', { json: { error: 'you have reached maximum request limit' } }],
  ] as const) {
    it(name, async () => {
      const undisturbed = described(await barsOf(nothingStored));
      provider.on('/tickers', trouble, { json: [ticker('bbb-beta', 2, 2.5), ticker('aaa-alpha', 1, 100.25)] });
      provider.on('/coins/aaa-alpha/ohlcv/latest', trouble, { json: [candle(YESTERDAY, 99)] });
      assert.deepEqual(described(await barsOf(nothingStored)), undisturbed);
    });
  }

  it('Retry-After is what is waited', async () => {
    provider.on('/coins', { status: 429, headers: { 'retry-after': '3' }, json: {} }, { json: [] });
    const { clock, source: one } = source();
    await Array.fromAsync(one.profiles(signal));
    assert.equal(clock.slept[0], 3125);
  });

  it('requests keep to ten a second', async () => {
    const { clock, source: one } = source();
    await Array.fromAsync(one.profiles(signal));
    assert.deepEqual(clock.slept, [100, 100, 100]);
  });
});

describe('trouble that stays ends with a clear word', () => {
  for (const [name, answer, message] of [
    ['402', { status: 402, json: PAYMENT_REQUIRED }, /refuses .*\/coins: status 402, request limits were reached/],
    ['the used-up quota with status 200', { json: PAYMENT_REQUIRED }, /status 402, request limits were reached/],
    ['403', { status: 403, json: { error: 'invalid key' } }, /does not accept the API key/],
    ['404', { status: 404, text: '404 page not found' }, /does not exist/],
    ['429', { status: 429, json: { error: 'you have reached maximum request limit' } }, /wants fewer requests/],
    ['500', { status: 500, json: {} }, /does not answer/],
    ['no list', { json: { coins: [] } }, /did not answer with a list/],
    ['malformed JSON', { text: '<html>' }, /does not answer .*the body is not JSON/],
  ] as const) {
    it(`${name} for a list`, async () => {
      provider.on('/coins', answer);
      await assert.rejects(profilesOf({ apiKey: 'k-secret' }), (error: unknown) => {
        assert.ok(error instanceof SourceError);
        assert.match(error.message, message);
        assert.ok(error.hint.length > 10);
        assert.doesNotMatch(`${error.message} ${error.hint}`, /k-secret/);
        return true;
      });
    });
  }

  for (const [name, answer] of [
    ['402', { status: 402, json: PAYMENT_REQUIRED }],
    ['status 200', { json: PAYMENT_REQUIRED }],
  ] as const) {
    it(`a quota that ends among the profiles (${name}) still lets the prices in`, async () => {
      provider.on('/coins/bbb-beta', answer);
      const { source: one } = source();
      const profiles = await Array.fromAsync(one.profiles(signal));
      assert.deepEqual(described(profiles).slice(-2), ['profile aaa-alpha', '! refused']);
      for (const path of ['/coins', '/tickers', '/coins/aaa-alpha/ohlcv/latest']) provider.on(path, answer);
      assert.deepEqual(described(await Array.fromAsync(one.bars(nothingStored, signal))), [
        '! refused',
        `aaa-alpha ${TODAY} 100.25`,
        `bbb-beta ${TODAY} 2.5`,
      ]);
    });
  }

  it('one asset that always fails costs no other', async () => {
    provider.on('/coins/aaa-alpha/ohlcv/latest', { status: 500, json: {} });
    assert.deepEqual(described(await barsOf(nothingStored)), [
      '! bad_answer',
      `bbb-beta ${YESTERDAY} 2`,
      `aaa-alpha ${TODAY} 100.25`,
      `bbb-beta ${TODAY} 2.5`,
    ]);
  });

  it('a provider that is down is not asked for every asset', async () => {
    const ids = Array.from({ length: 20 }, (_, i) => `c${i}-coin`);
    provider.on('/coins', { json: ids.map((id, i) => coin(id, i + 1)) });
    provider.on('/tickers', { json: ids.map((id, i) => ticker(id, i + 1, 1)) });
    for (const id of ids) provider.on(`/coins/${id}`, { disconnects: true });
    await assert.rejects(profilesOf(), SourceError);
    assert.ok(provider.asked.length < 20);
  });

  it('a stop ends it at once', async () => {
    const controller = new AbortController();
    provider.on('/coins/aaa-alpha', () => {
      controller.abort(new Error('stopped'));
      return { stall: '{' };
    });
    await assert.rejects(Array.fromAsync(source().source.profiles(controller.signal)), /stopped/);
  });
});
