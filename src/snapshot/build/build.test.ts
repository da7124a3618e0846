import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  asset,
  type Market,
  NOW,
  type Plain,
  pick,
  plainAssets,
  plainListing,
  plainOrder,
  plainTable,
  type Random,
  randomAsset,
  randomMarket,
  randomRow,
  row,
  TODAY,
  uniform,
} from '../../../test/support/market.ts';
import { INDICATORS, PUBLISHED_COLUMNS } from '../../domain/catalogue.ts';
import { isOptional } from '../../domain/columns.ts';
import type { Day } from '../../domain/day.ts';
import { PastFacts } from '../columns/past-facts.ts';
import { foldForSearch } from '../columns/texts.ts';
import { hasOptional, type Snapshot, type Table } from '../table.ts';
import { buildSnapshot, prepareUpdate, readContent, updateSnapshot } from './build.ts';

const DAY = 86_400_000;

function build(market: Market, version = 1): Snapshot {
  return buildSnapshot({ version, ...market });
}

function assertOrders(table: Table, rows: readonly Plain[]): void {
  table.dataset.columns.forEach((each, column) => {
    const order = table.order(column);
    assert.equal(order === null, isOptional(each) && each.name !== 'rank', `an order of ${each.name}`);
    if (order !== null) assert.deepEqual([...order], plainOrder(rows, each.name), `the order of ${each.name}`);
  });
  const histories = Array.from(table.history, history => ({ history }));
  assert.deepEqual([...table.historyOrder], plainOrder(histories, 'history'), 'the order of the histories');
}

/** As from a store that gives assets and rows in parts of any size. */
async function readInParts({ assets, rows, now }: Market, random: Random): Promise<Snapshot> {
  const inParts = <T>(all: readonly T[], take: (part: readonly T[]) => void): void => {
    for (let from = 0, to = 0; from < all.length; from = to) {
      to = from + Math.floor(random() * 40);
      take(all.slice(from, to));
    }
  };
  const content = await readContent({
    readAssetsSince: async (_, take) => {
      inParts(assets, take);
      return { version: 1, all: true };
    },
    readCurrentSince: async (_, take) => {
      inParts(rows, take);
      return { version: 1, all: true, columns: null };
    },
    ...NO_REVIEWS,
  });
  return content.build({ now });
}

const none = async () => [];
const NO_REVIEWS = {
  ...{ findings: none, acceptances: none, corrections: none, checks: none },
  ...{ sources: none, separateAssets: none },
};

/** Every row is found by its id and by its ticker. */
function assertSearched(table: Table, rows: readonly Plain[]): void {
  for (const [row, { id, symbol }] of rows.entries()) {
    assert.ok(table.symbols.rowsOf([String(symbol).toUpperCase()]).includes(row), `${symbol}`);
    assert.ok(table.search?.find(foldForSearch(String(id))).rows.includes(row), `${id}`);
  }
}

it('has the facts of the assets among the optional columns, also if no column that needs bars is published', () => {
  const ranks = [7, null, 3];
  const snapshot = build({
    assets: ranks.map((rank, i) =>
      asset({ assetNumber: i + 1, id: `t${i}`, symbol: `T${i}`, rank, supply: 10 * (i + 1) }),
    ),
    rows: ranks.map((_, i) =>
      row(i + 1, { price: i + 1, history: 30 + i, values: new Float64Array(INDICATORS.length) }),
    ),
    now: NOW,
  });
  const listing = snapshot.tables['ta-cur'];
  const place = (name: string) => listing.dataset.columns.findIndex(column => column.name === name);
  const values = (name: string) => {
    const column = listing.columns[place(name)]!;
    return column.kind === 'number' ? [...column.values] : assert.fail(name);
  };
  assert.equal(hasOptional(snapshot), false);
  assert.deepEqual(values('rsi14'), []);
  assert.deepEqual(values('rank'), [7, Number.NaN, 3]);
  assert.deepEqual([...listing.order(place('rank'))!], [2, 0, 1]);
  assert.deepEqual(values('supply'), [10, 20, 30]);
  assert.deepEqual(values('market_cap'), [10, 40, 90]);
  assert.deepEqual(values('history'), [30, 31, 32]);
});

it('lists another asset in every row when the newest close makes the others inactive', () => {
  const market = {
    assets: [1, 2].map(assetNumber => asset({ assetNumber, id: `t${assetNumber}`, symbol: `T${assetNumber}` })),
    rows: [row(1, { day: (TODAY - 100) as Day }), row(2, { day: (TODAY - 200) as Day })], // days before today
    now: NOW,
  };
  const listed = ({ tables }: Snapshot) => plainTable(tables['ta-cur']).map(({ symbol }) => symbol);
  const first = build(market);
  assert.deepEqual(listed(first), ['T1']);
  const second = updateSnapshot(first, { ...market, version: 2, rows: [row(2, { day: TODAY })] });
  assert.deepEqual(listed(second), ['T2']);
});

it('shows an asset of which every text has changed', () => {
  const before = asset({ assetNumber: 1, id: 'a', symbol: 'A', name: 'Aa', type: 'coin', tags: 'x' });
  const after = { ...before, id: 'b', symbol: 'B', name: 'Bb', type: 'token', tags: 'y' };
  const first = build({ assets: [before], rows: [row(1)], now: NOW });
  const second = updateSnapshot(first, { version: 2, assets: [after], rows: [], now: NOW });
  const [shown] = plainTable(second.tables.assets);
  assert.deepEqual([shown?.['id'], shown?.['symbol'], shown?.['name'], shown?.['type']], ['b', 'B', 'Bb', 'token']);
});

it('lists assets whose last close is at most so many days older than the newest, as the setting says', () => {
  const ages = new Map([
    [1, 0],
    [2, 1],
    [3, 30],
  ]);
  const market = {
    assets: [...ages.keys()].map(assetNumber =>
      asset({ assetNumber, id: `t${assetNumber}`, symbol: `T${assetNumber}` }),
    ),
    rows: [...ages].map(([assetNumber, age]) => row(assetNumber, { day: (TODAY - age) as Day })), // days before today
    now: NOW,
  };
  for (const [activeDays, symbols, active] of [
    [0, ['T1'], [true, false, false]],
    [undefined, ['T1', 'T2'], [true, true, false]],
    [30, ['T1', 'T2', 'T3'], [true, true, true]],
  ] as const) {
    const { tables } = buildSnapshot({ version: 1, ...market, ...(activeDays === undefined ? {} : { activeDays }) });
    assert.deepEqual(
      plainTable(tables['ta-cur']).map(({ symbol }) => symbol),
      symbols,
    );
    assert.deepEqual(
      plainTable(tables.assets).map(each => each['is_active']),
      active,
    );
  }
});

describe('a snapshot of a random store', () => {
  for (const size of [0, 1, 30, 150]) {
    it(`of ${size} assets has the rows and the orders that plain code gives it`, () => {
      for (let seed = 0; seed < 3; seed++) {
        const market = randomMarket(size, uniform(seed));
        const { 'ta-cur': listing, assets } = build(market).tables;
        const [rows, facts] = [plainListing(market), plainAssets(market)];
        assert.deepEqual(plainTable(listing), rows);
        assert.deepEqual(plainTable(assets), facts);
        assertOrders(listing, rows);
        assertOrders(assets, facts);
      }
    });
  }

  it('knows how many closes each listed asset has', () => {
    const { 'ta-cur': listing } = build({
      assets: [asset({ assetNumber: 1 }), asset({ assetNumber: 2 })],
      rows: [row(2, { history: 9 }), row(1)],
      now: NOW,
    }).tables;
    assert.deepEqual([...listing.history], [400, 9]);
  });

  it('sees no prices but the published ones', () => {
    const ahead = asset({ assetNumber: 1, provisional: true, firstDay: TODAY, lastDay: TODAY, bars: 1 });
    const stale = row(2, { day: (TODAY - 8) as Day });
    const { 'ta-cur': listing, assets } = build({
      assets: [ahead, asset({ assetNumber: 2 })],
      rows: [stale],
      now: NOW,
    }).tables;
    assert.deepEqual(
      plainTable(listing).map(({ symbol }) => symbol),
      ['A2'],
    );
    assert.deepEqual(
      plainTable(assets).map(({ symbol }) => symbol),
      ['A2'],
    );
  });

  it('has the market capitalisation of assets whose supply is known, on past days by what was known then', () => {
    const assets = [1, 2, 3].map(assetNumber =>
      asset({ assetNumber, rank: 9, supply: assetNumber === 2 ? null : 1000 }),
    );
    const rows = [row(1, { price: 2.5 }), row(2, { price: 3 }), row(3, { price: 5 })];
    const facts = (past: { past?: PastFacts }) =>
      plainTable(buildSnapshot({ version: 1, assets, rows, now: NOW, ...past }).tables['ta-cur']).map(
        ({ rank, supply, market_cap }) => [rank, supply, market_cap],
      );
    assert.deepEqual(facts({}), [
      [9, 1000, 2500],
      [9, null, null],
      [9, 1000, 5000],
    ]);
    const none = Number.NaN;
    const known = {
      rank: Float64Array.of(4, none),
      supply: Float64Array.of(10, 20),
      marketCap: Float64Array.of(none, 61),
    };
    assert.deepEqual(facts({ past: new PastFacts([1, 2], known) }), [
      [4, 10, 25],
      [null, 20, 61],
      [null, null, null],
    ]);
  });

  it('refuses rows with other indicators than the catalogue has', () => {
    const rows = [row(1, { values: new Float64Array(3) })];
    assert.throws(
      () => build({ assets: [asset({ assetNumber: 1 })], rows, now: NOW }),
      new RegExp(`3 values, but the catalogue ${PUBLISHED_COLUMNS.length}$`),
    );
  });

  it('writes neither infinities nor negative zeros', () => {
    const rows = [row(1, { price: -0, values: row(1).values.fill(Number.POSITIVE_INFINITY) })];
    const [only] = plainTable(build({ assets: [asset({ assetNumber: 1 })], rows, now: NOW }).tables['ta-cur']);
    assert.ok(Object.is(only?.['price'], 0));
    assert.equal(only?.['change1'], null);
  });
});

describe('the row of a ticker that several assets share', () => {
  const listed = (assets: Market['assets'], rows: Market['rows']) =>
    plainTable(build({ assets, rows, now: NOW }).tables['ta-cur']).map(({ symbol, price }) => `${symbol} ${price}`);
  const better = asset({ assetNumber: 1, symbol: 'DUO', rank: 3 });
  const worse = asset({ assetNumber: 2, symbol: 'duo', rank: 8 });

  it('belongs to the best-ranked one', () => assert.deepEqual(listed([worse, better], [row(1), row(2)]), ['DUO 1']));
  it('belongs to the other one when the best-ranked one is delisted', () =>
    assert.deepEqual(listed([{ ...better, delisted: true }, worse], [row(1), row(2)]), ['duo 2']));
  it('belongs to the other one when the prices of the best-ranked one have ended', () =>
    assert.deepEqual(listed([better, worse], [row(1, { day: (TODAY - 8) as Day }), row(2)]), ['duo 2']));
  it('belongs to the other one when the best-ranked one has no prices', () =>
    assert.deepEqual(listed([better, worse], [row(2)]), ['duo 2']));
});

describe('an updated snapshot', () => {
  /** Some closes; now and then new assets, other facts, an asset less, another day. */
  function change(market: Market, random: Random): { next: Market; rows: Market['rows'] } {
    const assets = market.assets.map(facts => (random() < 0.01 ? randomAsset(facts.assetNumber, random) : facts));
    if (random() < 0.3) assets.push(randomAsset((assets.length + 1000 * (1 + random())) | 0, random));
    if (random() < 0.1) assets.splice(Math.floor(random() * assets.length), 1);
    const unique = [...new Map(assets.map(facts => [facts.assetNumber, facts])).values()];
    const share = pick(random, [0, 0.005, 0.05, 0.5]);
    const rows = unique.filter(() => random() < share).map(({ assetNumber }) => randomRow(assetNumber, random));
    const merged = new Map([...market.rows, ...rows].map(current => [current.assetNumber, current]));
    const now = market.now + (random() < 0.2 ? DAY : 0);
    return { next: { assets: random() < 0.5 ? market.assets : unique, rows: [...merged.values()], now }, rows };
  }

  function contentOf({ tables, listed }: Snapshot): unknown {
    const ofTable = (table: Table) => ({
      // Bit by bit.
      columns: table.columns
        .map(column => (column.kind === 'text' ? column.bytes : column.values))
        .map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength).toString('latin1')),
      orders: table.columns.map((_, column) => table.order(column)?.join()),
      history: table.history.join(),
      historyOrder: table.historyOrder.join(),
    });
    return {
      listing: ofTable(tables['ta-cur']),
      assets: ofTable(tables.assets),
      assetNumbers: listed.assetNumbers.join(),
    };
  }

  it('equals one built from everything, after any changes', () => {
    for (let seed = 0; seed < 9; seed++) {
      const random = uniform(seed);
      let market = randomMarket(100, random);
      let snapshot = build(market);
      for (let version = 2; version < 10; version++) {
        const { next, rows } = change(market, random);
        const known = new Set(next.assets.map(({ assetNumber }) => assetNumber));
        // What the store does: a row's asset is always there.
        market = { ...next, rows: next.rows.filter(({ assetNumber }) => known.has(assetNumber)) };
        if (random() < 0.5) prepareUpdate(snapshot);
        snapshot = updateSnapshot(snapshot, {
          version,
          assets: next.assets,
          rows: rows.filter(({ assetNumber }) => known.has(assetNumber)),
          now: next.now,
        });
        const rebuilt = build(market, version);
        assert.deepEqual(plainTable(snapshot.tables['ta-cur']), plainTable(rebuilt.tables['ta-cur']));
        assert.deepEqual(plainTable(snapshot.tables.assets), plainTable(rebuilt.tables.assets));
        assert.equal(snapshot.fingerprint, rebuilt.fingerprint);
        assertOrders(snapshot.tables['ta-cur'], plainListing(market));
        assertOrders(snapshot.tables.assets, plainAssets(market));
        assertSearched(snapshot.tables.assets, plainAssets(market));
      }
    }
  });

  for (const columns of [PUBLISHED_COLUMNS, INDICATORS]) {
    it(`equals one built from everything after single closes, ${columns.length} columns, prepared or not`, () => {
      for (let seed = 0; seed < 3; seed++) {
        const random = uniform(seed);
        const narrow = (current: Market['rows'][number]) => ({
          ...current,
          values: current.values.slice(0, columns.length),
        });
        let market = randomMarket(60, random);
        market = { ...market, rows: market.rows.map(narrow) };
        let snapshot = build(market);
        for (let version = 2; version < 40; version++) {
          if (random() < 0.8) prepareUpdate(snapshot);
          if (random() < 0.1) prepareUpdate(snapshot);
          // Mostly one close; now and then several, a delisting, a new asset or a new day.
          const closes = pick(random, [1, 1, 1, 1, 2, 5, 40]);
          const rows = Array.from({ length: closes }, () => pick(random, market.assets).assetNumber).map(number =>
            narrow(randomRow(number, random)),
          );
          const unique = new Map(rows.map(current => [current.assetNumber, current]));
          const assets = [...market.assets];
          if (random() < 0.05) assets.push(randomAsset(1000 + version, random));
          if (random() < 0.05) assets[0] = { ...assets[0]!, delisted: !assets[0]!.delisted };
          const latest = new Map(market.rows.map(current => [current.assetNumber, current]));
          for (const current of unique.values()) latest.set(current.assetNumber, current);
          market = { assets, rows: [...latest.values()], now: market.now + (random() < 0.05 ? DAY : 0) };
          const [before, seen] = [snapshot, contentOf(snapshot)];
          snapshot = updateSnapshot(snapshot, { ...market, version, rows: [...unique.values()] });
          assert.deepEqual(contentOf(before), seen, 'the one before stays as it was');
          const rebuilt = build(market, version);
          assert.equal(snapshot.fingerprint, rebuilt.fingerprint);
          assert.deepEqual(contentOf(snapshot), contentOf(rebuilt));
          for (const { assetNumber } of unique.values()) {
            const row = snapshot.listed.assetNumbers.indexOf(assetNumber);
            if (row >= 0) assert.equal(snapshot.listed.versions[row], version);
          }
        }
      }
    });
  }

  it('equals one built from everything after one that was read in parts', async () => {
    for (let seed = 0; seed < 9; seed++) {
      const random = uniform(seed);
      let market = randomMarket(100, random);
      let snapshot = await readInParts(market, random);
      const whole = build(market);
      assert.equal(snapshot.fingerprint, whole.fingerprint);
      assert.deepEqual(contentOf(snapshot), contentOf(whole));
      for (let version = 2; version < 5; version++) {
        const { next, rows } = change(market, random);
        const known = new Set(next.assets.map(({ assetNumber }) => assetNumber));
        market = { ...next, rows: next.rows.filter(({ assetNumber }) => known.has(assetNumber)) };
        snapshot = updateSnapshot(snapshot, {
          ...market,
          version,
          rows: rows.filter(row => known.has(row.assetNumber)),
        });
        assert.equal(snapshot.fingerprint, build(market, version).fingerprint);
        assert.deepEqual(plainTable(snapshot.tables['ta-cur']), plainListing(market));
        assert.deepEqual(plainTable(snapshot.tables.assets), plainAssets(market));
      }
    }
  });

  it('equals one built from everything when it is told of the assets that differ only', () => {
    for (let seed = 0; seed < 9; seed++) {
      const random = uniform(seed);
      let market = randomMarket(60, random);
      let snapshot = build(market);
      for (let version = 2; version < 10; version++) {
        const changed = market.assets
          .filter(() => random() < 0.05)
          .map(({ assetNumber }) => randomAsset(assetNumber, random));
        const added = Array.from({ length: random() * 3 }, (_, i) => randomAsset(version * 1000 - i, random));
        const assets = [...changed, ...added];
        const rows = added.map(({ assetNumber }) => randomRow(assetNumber, random));
        const merged = new Map([...market.assets, ...assets].map(facts => [facts.assetNumber, facts]));
        market = { ...market, assets: [...merged.values()], rows: [...market.rows, ...rows] };
        snapshot = updateSnapshot(snapshot, { version, assets, someAssets: true, rows, now: market.now });
        const rebuilt = build(market, version);
        assert.deepEqual(plainTable(snapshot.tables['ta-cur']), plainListing(market));
        assert.deepEqual(plainTable(snapshot.tables.assets), plainAssets(market));
        assert.equal(snapshot.fingerprint, rebuilt.fingerprint);
      }
    }
  });

  it('knows the latest prices of an asset that comes back to the listing', () => {
    const [better, worse] = [
      asset({ assetNumber: 1, symbol: 'DUO', rank: 3 }),
      asset({ assetNumber: 2, symbol: 'DUO', rank: 8 }),
    ];
    let market: Market = { assets: [better, worse], rows: [row(1), row(2)], now: NOW };
    let snapshot = build(market);
    for (const [delisted, rows] of [
      [true, []],
      [false, []],
      [true, [row(1, { price: 7 })]],
      [false, []],
      [false, [row(2, { price: 9 })]],
      [true, []],
    ] as const) {
      const latest = new Map([...market.rows, ...rows].map(current => [current.assetNumber, current]));
      market = { ...market, assets: [{ ...better, delisted }, worse], rows: [...latest.values()] };
      snapshot = updateSnapshot(snapshot, { version: snapshot.version + 1, assets: market.assets, rows, now: NOW });
      assert.deepEqual(plainTable(snapshot.tables['ta-cur']), plainListing(market));
    }
  });

  it('leaves the one before as it was', () => {
    const market = randomMarket(50, uniform(1));
    const first = build(market);
    const [before, order] = [plainTable(first.tables['ta-cur']), [...first.tables['ta-cur'].order(2)!]];
    updateSnapshot(first, {
      ...market,
      version: 2,
      rows: market.rows.map(({ assetNumber }) => randomRow(assetNumber, uniform(assetNumber))),
    });
    assert.deepEqual(plainTable(first.tables['ta-cur']), before);
    assert.deepEqual([...first.tables['ta-cur'].order(2)!], order);
  });

  it('follows the calendar without new data', () => {
    const market = { assets: [asset({ assetNumber: 1 })], rows: [row(1, { history: 6 })], now: NOW };
    const first = build(market);
    const later = updateSnapshot(first, { ...market, version: 1, rows: [], now: NOW + DAY });
    assert.equal(plainTable(first.tables.assets)[0]?.['is_new'], true);
    assert.equal(plainTable(later.tables.assets)[0]?.['is_new'], false);
    assert.notEqual(later.fingerprint, first.fingerprint);
  });

  it('can follow one that failed', () => {
    const market = { assets: [asset({ assetNumber: 1 }), asset({ assetNumber: 2 })], rows: [row(1), row(2)], now: NOW };
    const first = build(market);
    const renamed = [asset({ assetNumber: 1, symbol: 'A11' }), asset({ assetNumber: 2 })];
    const broken = { version: 2, assets: renamed, rows: [row(1, { values: new Float64Array(1) })], now: NOW };
    assert.throws(() => updateSnapshot(first, broken));
    const second = updateSnapshot(first, { ...broken, rows: [row(1, { price: 9 })] });
    assert.deepEqual(
      plainTable(second.tables['ta-cur']).map(({ symbol, price }) => [symbol, price]),
      [
        ['A11', 9],
        ['A2', 2],
      ],
    );
  });

  it('is refused for a snapshot that has been replaced already', () => {
    const market = { assets: [asset({ assetNumber: 1 })], rows: [row(1)], now: NOW };
    const first = build(market);
    updateSnapshot(first, { ...market, version: 2 });
    assert.throws(() => updateSnapshot(first, { ...market, version: 3 }), /only the newest/);
  });
});

describe('the fingerprint', () => {
  const market: Market = {
    assets: [asset({ assetNumber: 1, type: 'coin' }), asset({ assetNumber: 2 })],
    rows: [row(1), row(2)],
    now: NOW,
  };
  const fingerprint = (changed: Partial<Market>, version = 1) => build({ ...market, ...changed }, version).fingerprint;
  const [first, second] = market.assets;

  it('is the same for the same content', () => assert.equal(fingerprint({}), fingerprint({ now: NOW + 1 })));

  for (const [what, changed] of [
    ['a price', { rows: [row(1, { price: 1.0000000000000002 }), row(2)] }],
    ['an indicator', { rows: [row(1, { values: row(1).values.fill(7, 30) }), row(2)] }],
    ['a length of history', { rows: [row(1, { history: 401 }), row(2)] }],
    ['a day', { rows: [row(1, { day: (TODAY - 1) as Day }), row(2)] }],
    ['a name', { assets: [{ ...first!, name: 'Other' }, second!] }],
    ['a rank', { assets: [{ ...first!, rank: 1 }, second!] }],
    ['an empty type for none', { assets: [first!, { ...second!, type: '' }] }],
    [
      'a letter that moves to the next text',
      {
        assets: [
          { ...first!, name: 'Asset 1A' },
          { ...second!, name: 'sset 2' },
        ],
      },
    ],
    ['an asset less', { assets: [first!] }],
  ] as const satisfies [string, Partial<Market>][]) {
    it(`differs for ${what}`, () => assert.notEqual(fingerprint(changed), fingerprint({})));
  }

  it('differs for another version, which may bring another profile', () =>
    assert.notEqual(fingerprint({}, 2), fingerprint({}, 1)));
});
