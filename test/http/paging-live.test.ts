// Paging while new data arrives. docs/explanation/paging.md states what is tested here.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Chance } from '../contract/query/chance.ts';
import { TestService } from '../support/service.ts';
import { type Envelope, HISTORY, LISTING } from './contract.ts';
import { type MarketAsset, marketSource, NOW, wave } from './market.ts';

const LIMIT = 7;
const ROUNDS = 3;

let service: TestService;
let chance: Chance;
/** What the service was told last, by symbol. */
let assets: Map<string, MarketAsset>;

before(() => {
  chance = new Chance(20_260_310);
});

beforeEach(async () => {
  const symbols = Array.from({ length: 40 }, (_, i) => `P${String(i).padStart(2, '0')}`);
  assets = new Map(symbols.map((symbol, i) => [symbol, { symbol, name: 'Paged', closes: wave(3, 10 + i, i) }]));
  await service?.close();
  service = await TestService.start({ sources: [marketSource([...assets.values()])], now: () => NOW });
});
after(() => service.close());

/** A change of the data between two pages. */
type Change = () => MarketAsset[];

const repriced: Change = () =>
  chance
    .shuffled([...assets.values()])
    .slice(0, 10)
    .map(asset => ({ ...asset, closes: wave(3, 1 + chance.below(60), chance.below(1000)) }));

const added: Change = () => {
  const symbol = `${chance.pick(['A', 'P1', 'P2', 'Z'])}N${chance.below(1e6)}`;
  return [{ symbol, name: 'Added', closes: wave(3, 1 + chance.below(60), chance.below(1000)) }];
};

const removed: Change = () => {
  const active = [...assets.values()].filter(({ profile }) => profile?.['is_active'] !== false);
  return [{ ...chance.pick(active), profile: { is_active: false } }];
};

async function apply(change: Change): Promise<void> {
  const changed = change();
  for (const asset of changed) assets.set(asset.symbol, asset);
  await service.load(marketSource(changed));
}

interface Walk {
  /** How often each symbol was seen. */
  readonly seen: ReadonlyMap<string, number>;
  /** Where each symbol stood when each page was read; -1 where it was not listed. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

/** Follows `next` to the end; the data changes after every page but the last. */
async function walk(sort: string, change: Change): Promise<Walk> {
  const seen = new Map<string, number>();
  const listings: string[][] = [];
  let at: string | null = `${LISTING}?limit=${LIMIT}&sort=${sort}&order=asc`;
  while (at !== null) {
    assert.ok(listings.length < 100, 'the walk does not end');
    const { result, next }: Envelope = await service.get<Envelope>(at);
    for (const { symbol } of result) seen.set(String(symbol), (seen.get(String(symbol)) ?? 0) + 1);
    listings.push(await listed(sort));
    at = next;
    if (at !== null) await apply(change);
  }
  const symbols = new Set(listings.flat());
  const places = [...symbols].map(symbol => [symbol, listings.map(listing => listing.indexOf(symbol))] as const);
  return { seen, places: new Map(places) };
}

async function listed(sort: string): Promise<string[]> {
  const { result } = await service.get<Envelope>(`${LISTING}?limit=1000&sort=${sort}&order=asc`);
  return result.map(({ symbol }) => String(symbol));
}

const steps = (places: readonly number[]) => places.slice(1).map((place, i) => place - places[i]!);
const throughout = (places: readonly number[]) => places.every(place => place >= 0);

describe('following next while new snapshots arrive', () => {
  it('by symbol yields every symbol exactly once, however the numbers change', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { seen } = await walk('symbol', repriced);
      assert.deepEqual([...seen.keys()], await listed('symbol'));
      assert.deepEqual(new Set(seen.values()), new Set([1]));
    }
  });

  it('by symbol misses no asset when assets are added', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { seen, places } = await walk('symbol', added);
      for (const [symbol, at] of places) if (throughout(at)) assert.ok(seen.has(symbol), symbol);
    }
  });

  it('by symbol shows no asset twice when assets are removed', async () => {
    for (let round = 0; round < 3; round++) {
      const { seen } = await walk('symbol', removed);
      assert.deepEqual(new Set(seen.values()), new Set([1]));
    }
  });

  it('shows a row once if its place stays, never misses one that only moves back, never repeats one that only moves up', async () => {
    const kinds = { stays: 0, back: 0, up: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const change = chance.pick([repriced, repriced, added]);
      const { seen, places } = await walk(chance.pick(['price', 'sma5', 'vol5', 'change1']), change);
      for (const [symbol, at] of places) {
        if (!throughout(at)) continue;
        const times = seen.get(symbol) ?? 0;
        const [back, up] = [steps(at).every(step => step >= 0), steps(at).every(step => step <= 0)];
        if (back) assert.ok(times >= 1, `${symbol} at ${at} was missed`);
        if (up) assert.ok(times <= 1, `${symbol} at ${at} was seen ${times} times`);
        if (back || up) kinds[back && up ? 'stays' : back ? 'back' : 'up']++;
      }
    }
    for (const [kind, count] of Object.entries(kinds)) assert.ok(count > 0, `no row ${kind}`);
  });

  it('by day yields every day of a history exactly once, those that are added meanwhile too', async () => {
    const closes = wave(20, 10, 1);
    const until = (days: number) =>
      service.load(marketSource([{ symbol: 'DAYS', name: 'Days', closes: closes.slice(0, days), age: 20 - days }]));
    await until(10);
    const seen: unknown[] = [];
    let at: string | null = `${HISTORY}?symbol=DAYS&order=asc&limit=3`;
    for (let days = 11; at !== null; days++) {
      assert.ok(days < 100, 'the walk does not end');
      const { result, next }: Envelope = await service.get<Envelope>(at);
      seen.push(...result.map(({ price }) => price));
      if (days <= 12) await until(days);
      at = next;
    }
    assert.deepEqual(seen, closes.slice(0, 12));
  });

  it('tells at the end whether all pages were of one snapshot: the first page is 304 then, and only then', async () => {
    const first = await service.ask(`${LISTING}?limit=${LIMIT}&sort=price&order=asc`);
    const again = async () => {
      const headers = { 'if-none-match': String(first.headers.etag) };
      return (await service.ask(`${LISTING}?limit=${LIMIT}&sort=price&order=asc`, { headers })).status;
    };
    let at = first.json<Envelope>().next;
    for (let pages = 1; at !== null; pages++) {
      assert.ok(pages < 100, 'the walk does not end');
      at = (await service.get<Envelope>(at)).next;
    }
    assert.equal(await again(), 304);

    // A change that the first page does not show, and one that takes it back, are told too.
    const last = (await listed('price')).at(-1)!;
    const asset = assets.get(last)!;
    await service.load(marketSource([{ ...asset, closes: wave(3, 1e6, 1) }]));
    assert.equal(await again(), 200);
    await service.load(marketSource([asset]));
    assert.equal(await again(), 200);
  });

  it('every page is of one snapshot', async () => {
    // Each load sets all prices alike, so a page of two loads would show two prices.
    const load = (price: number) =>
      service.load(marketSource([...assets.values()].map(asset => ({ ...asset, closes: [price, price, price] }))));
    await load(1);
    const reader = (async () => {
      const prices = new Set<number>();
      for (let page = 0; page < 10; page++) {
        const { result } = await service.get<Envelope>(`${LISTING}?limit=1000&sort=price&order=asc`);
        assert.equal(new Set(result.map(({ price }) => price)).size, 1);
        prices.add(Number(result[0]?.['price']));
      }
      return prices.size;
    })();
    let reading = true;
    const done = reader.finally(() => {
      reading = false;
    });
    for (let price = 2; reading; price++) {
      await load(price);
      // A load into SQLite never waits, so other tasks would get no turn.
      await setImmediate();
    }
    assert.ok((await done) > 1, 'no data arrived between two pages');
  });
});
