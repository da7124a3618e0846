import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { barColumns } from '../domain/bar.ts';
import { INDICATORS } from '../domain/catalogue.ts';
import { dayFromIso, FIRST_DAY } from '../domain/day.ts';
import { dailySeries } from '../indicators/calendar.ts';
import { currentRow } from '../indicators/engine.ts';
import { checkAgain } from '../publish/checks.ts';
import { recomputePending } from '../publish/publish-pending.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { planUndo, undoLoad } from './corrections.ts';
import { StoreBusyError } from './only-writer.ts';
import { type LoadSummary, load, loadIfDue } from './pipeline.ts';
import { parseProfile } from './profiles/parse-profile.ts';
import { type AssetRef, type Source, SourceError, type SourceItem, type StoredSpan } from './source.ts';

const TODAY = dayFromIso('2026-03-01')!;

type TestBar = readonly [symbol: string, day: number, close: number, id?: string | null];

function barsItem(bars: readonly TestBar[]): SourceItem {
  const refs: AssetRef[] = [];
  const columns = barColumns(bars.length);
  const asset = new Uint32Array(bars.length);
  bars.forEach(([symbol, day, close, id = null], i) => {
    let at = refs.findIndex(ref => ref.symbol === symbol && ref.id === id);
    if (at < 0) at = refs.push({ id, symbol }) - 1;
    asset[i] = at;
    columns.day[i] = day;
    columns.close[i] = close;
  });
  const line = Uint32Array.from(bars, (_, i) => i + 1);
  return {
    kind: 'bars',
    batch: { interval: '1d', ...columns, count: bars.length, assets: refs, asset, origin: 'test', line },
  };
}

function profileItem(fields: Record<string, unknown>): SourceItem {
  const parsed = parseProfile(fields);
  return 'ok' in parsed ? { kind: 'profile', where: 'test', sourced: parsed.ok } : assert.fail(parsed.problems.join());
}

function source(items: readonly SourceItem[], profiles: readonly SourceItem[] = [], failure?: Error): Source {
  return {
    name: 'test',
    async *profiles() {
      yield* profiles;
    },
    async *bars() {
      yield* items;
      if (failure) throw failure;
    },
  };
}

describe('a load', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-pipeline-'));
  let store: Store;
  let file = 0;

  beforeEach(async () => {
    store = await openStore(`sqlite:${join(folder, `${file++}.db`)}`);
  });
  after(() => rmSync(folder, { recursive: true }));

  const run = (items: readonly SourceItem[], profiles: readonly SourceItem[] = []): Promise<LoadSummary> =>
    load({ store, source: source(items, profiles), today: TODAY, signal: new AbortController().signal });

  const rowOf = async (id: string) => {
    const asset = (await store.assets()).find(item => item.id === id) ?? assert.fail(`no asset ${id}`);
    return (await store.currentSince(0)).rows.find(row => row.assetNumber === asset.assetNumber);
  };

  describe('of a bar whose high contradicts its close', () => {
    /** A high of 1 below the close. */
    const impossible = (bars: readonly TestBar[], ...days: number[]): SourceItem => {
      const item = barsItem(bars);
      if (item.kind === 'bars')
        for (const [i, [, day]] of bars.entries()) item.batch.high[i] = days.includes(day) ? 1 : 9;
      return item;
    };
    const found = async () =>
      (await store.findings()).map(({ period, rule, source: name, value, expected, detail }) => ({
        ...{ period, rule, source: name, value, expected, detail },
      }));
    const finding = (period: number) => ({
      ...{ period, rule: 'inconsistent', source: 'test', value: 1, expected: 4 },
      detail: 'The high 1 is below the close 4.',
    });
    const days = [100, 101, 102].map(day => ['A', day, 4] as const);

    it('stores the bar without the high, and the finding, which a check of all bars keeps', async () => {
      const { recomputed } = await run([impossible(days, 101)]);
      assert.deepEqual([recomputed.newFindings, await found()], [{ inconsistent: 1 }, [finding(101)]]);
      const [asset] = await store.assets();
      const { high } = await store.bars(asset!.assetNumber, FIRST_DAY, TODAY);
      assert.deepEqual([...high], [9, Number.NaN, 9]);
      await checkAgain(store);
      await recomputePending(store);
      assert.deepEqual(await found(), [finding(101)]);
      const again = await run([impossible(days, 101)]);
      assert.deepEqual(again.recomputed, { ...again.recomputed, rows: 0, newFindings: {} });
      assert.deepEqual(await found(), [finding(101)]);
    });

    it('removes the finding when a later load of the source replaces the bar, or the load is undone', async () => {
      await run([impossible(days, 100, 101)]);
      await run([impossible([['A', 100, 4]])]);
      assert.deepEqual(await found(), [finding(101)]);
      // Of another source.
      const other = { ...source([impossible([['A', 101, 4]])]), name: 'other' };
      await load({ store, source: other, today: TODAY, signal: new AbortController().signal });
      assert.deepEqual(await found(), [finding(101)]);
      await undoLoad(store, (await planUndo(store, 1))!);
      assert.deepEqual(await found(), []);
    });

    it('removes it too if a later part of the same load has the bar again', async () => {
      await run([impossible(days, 100), impossible([['A', 100, 4]])]);
      assert.deepEqual(await found(), []);
      await run([impossible(days), impossible([['A', 100, 4]], 100)]);
      assert.deepEqual(await found(), [finding(100)]);
    });
  });

  it('records ranks and supplies with the day and the load that brought them', async () => {
    const told = (rank: number, supply?: number) =>
      profileItem({
        id: 'a-alpha',
        name: 'Alpha',
        symbol: 'A',
        rank,
        ...(supply ? { circulating_supply: supply } : {}),
      });
    await run([barsItem([['A', 100, 1]])], [told(5)]);
    await run([], [told(5, 70)]);
    const loads = async (day: number, rank: number) =>
      load({
        store,
        source: source([], [told(rank)]),
        today: (TODAY + day) as typeof TODAY,
        signal: new AbortController().signal,
      });
    await loads(1, 5);
    await loads(2, 4);
    await loads(2, 3);
    const [asset] = await store.assets();
    assert.deepEqual(await store.factsOf(asset!.assetNumber), [
      { day: TODAY, load: 2, rank: 5, supply: 70 },
      { day: TODAY + 2, load: 5, rank: 3 },
    ]);
  });

  it('begins the history of a store that has none with the facts of all assets', async () => {
    const draft = { type: null, tags: '', provisional: false, delisted: false };
    await store.putAssets([
      { ...draft, id: 'a', symbol: 'A', name: 'A', rank: 1, supply: null },
      { ...draft, id: 'b', symbol: 'B', name: 'B', rank: null, supply: 9 },
    ]);
    await run([barsItem([['A', 100, 1]])]);
    const numbers = (await store.assets()).map(({ assetNumber }) => assetNumber);
    assert.deepEqual(await Promise.all(numbers.map(asset => store.factsOf(asset))), [
      [{ day: TODAY, load: 1, rank: 1 }],
      [{ day: TODAY, load: 1, supply: 9 }],
    ]);
  });

  it('stores facts of past days, and refuses those of unknown assets and of days to come', async () => {
    await run([barsItem([['A', 100, 1]])]);
    const rows = [
      { asset: { id: null, symbol: 'a' }, line: 2, day: (TODAY - 9) as typeof TODAY, rank: 1, marketCap: 50 },
      { asset: { id: 'nobody', symbol: '' }, line: 3, day: TODAY, rank: 1 },
      { asset: { id: null, symbol: 'A' }, line: 4, day: (TODAY + 1) as typeof TODAY, rank: 1 },
      { asset: { id: null, symbol: 'A' }, line: 5, day: TODAY },
    ];
    const summary = await run([{ kind: 'facts', stated: { origin: 'f.csv', rows } }]);
    const { read, inserted, unchanged, rejectsByReason, recomputed } = summary;
    assert.deepEqual([read, inserted, unchanged, rejectsByReason], [4, 1, 1, { unknown_asset: 1, future_day: 1 }]);
    // A new version, so that servers read it.
    assert.equal(recomputed.rows, 1);
    const [asset] = await store.assets();
    assert.deepEqual(await store.factsOf(asset!.assetNumber), [{ day: TODAY - 9, load: 2, rank: 1, marketCap: 50 }]);
    const details = (await store.rejects(2, 10)).map(reject => `${reject.where} ${reject.detail}`);
    assert.match(details.join(), /f.csv:3 the store has no asset with the id "nobody"/);
  });

  it('stores the bars, computes the rows and publishes them under a new version', async () => {
    const summary = await run([
      barsItem([
        ['AAA', 100, 1],
        ['AAA', 103, 2],
        ['BBB', 103, 5],
      ]),
    ]);
    assert.equal(summary.state, 'done');
    assert.deepEqual([summary.read, summary.inserted, summary.recomputed.rows], [3, 3, 2]);
    assert.equal(await store.version(), summary.recomputed.version);
    const row = await rowOf('aaa-aaa');
    assert.deepEqual([row?.day, row?.history, row?.price], [103, 4, 2]);
    assert.deepEqual(row?.values.subarray(0, INDICATORS.length), currentRow(dailySeries([100, 103], [1, 2]).closes));
  });

  it('that is repeated changes nothing, not even the version', async () => {
    const items = () => [
      barsItem([
        ['AAA', 100, 1],
        ['AAA', 101, 2],
      ]),
    ];
    const first = await run(items());
    const second = await run(items());
    assert.deepEqual([second.inserted, second.replaced, second.unchanged], [0, 0, 2]);
    assert.deepEqual(second.recomputed, { rows: 0, removed: 0, version: first.recomputed.version, newFindings: {} });
  });

  it('keeps its bars apart from those of another source that no load has recorded, as in a store of an older version', async () => {
    await run([barsItem([['AAA', 100, 1]])]);
    const draft = { id: 'bbb-bbb', symbol: 'BBB', name: 'BBB', provisional: false };
    const [asset] = await store.putAssets([
      { ...draft, rank: null, type: null, supply: null, tags: '', delisted: false },
    ]);
    const bars = { ...barColumns(1), count: 1, assetNumber: Uint32Array.of(asset!) };
    bars.day[0] = 100;
    bars.close[0] = 7;
    await store.putBars(bars, await store.beginLoad('other'));
    await run([barsItem([['BBB', 100, 5]])]);
    const sources = await store.sources([asset!]);
    assert.deepEqual(
      Array.from(sources, ({ name, separate }) => [name, separate]),
      [
        ['other', true],
        ['test', true],
      ],
    );
    assert.equal((await rowOf('bbb-bbb'))?.price, 7);
  });

  it('with a corrected bar replaces it, and the indicators follow', async () => {
    await run([
      barsItem([
        ['AAA', 100, 1],
        ['AAA', 101, 2],
      ]),
    ]);
    const summary = await run([barsItem([['AAA', 100, 4]])]);
    assert.deepEqual([summary.replaced, summary.recomputed.rows], [1, 1]);
    const change1 = INDICATORS.findIndex(column => column.name === 'change1');
    assert.equal((await rowOf('aaa-aaa'))?.values[change1], -50);
  });

  it('with late history extends backwards', async () => {
    await run([barsItem([['AAA', 105, 2]])]);
    await run([barsItem([['AAA', 100, 1]])]);
    const row = await rowOf('aaa-aaa');
    assert.deepEqual([row?.history, row?.price], [6, 2]);
  });

  it('refuses what cannot be right, with its place and the reason, and loads the rest', async () => {
    const summary = await run([
      barsItem([
        ['AAA', 100, 1],
        ['AAA', 101, 0],
        ['AAA', 102, -1],
        ['AAA', 103, Number.POSITIVE_INFINITY],
        ['AAA', 104, 1e16],
        ['AAA', TODAY + 1, 1],
        ['AAA', -5, 1],
        ['AAA', TODAY, 3],
        ['ONLY', 101, Number.NaN],
      ]),
    ]);
    assert.deepEqual([summary.read, summary.inserted, summary.rejected], [9, 2, 7]);
    assert.deepEqual(summary.rejectsByReason, { bad_price: 5, future_day: 1, bad_day: 1 });
    const kept = await store.rejects(summary.load, 10);
    assert.deepEqual(
      kept.map(({ where, reason }) => `${where} ${reason}`),
      ['2 bad_price', '3 bad_price', '4 bad_price', '5 bad_price', '6 future_day', '7 bad_day', '9 bad_price'].map(
        text => `test:${text}`,
      ),
    );
    assert.match(kept[4]!.detail, /2026-03-02 of AAA; today is 2026-03-01/);
    assert.deepEqual(
      (await store.assets()).map(asset => asset.symbol),
      ['AAA'],
      'a refused line leaves no asset',
    );
  });

  it('refuses a ticker that is too long for a row', async () => {
    const summary = await run([
      barsItem([
        ['X'.repeat(64), 100, 1],
        ['X'.repeat(65), 100, 1],
      ]),
    ]);
    assert.deepEqual([summary.inserted, summary.rejectsByReason], [1, { bad_symbol: 1 }]);
    const [kept] = await store.rejects(summary.load, 10);
    assert.equal(kept?.detail, '"XXXXXXXXXXXXXXXXXXXX…" has 65 characters; a ticker has at most 64');
  });

  for (const [what, items, error] of [
    ['nothing is found', [], 'nothing was loaded: the source has no records'],
    ['all is refused', [barsItem([['AAA', 100, -1]])], 'nothing was loaded: all that was read was refused (1)'],
  ] as const) {
    it(`fails when ${what}, and computes nothing`, async () => {
      const phases: string[] = [];
      const summary = await load({
        store,
        source: source(items),
        today: TODAY,
        signal: new AbortController().signal,
        onProgress: progress => phases.push(progress.phase),
      });
      assert.deepEqual([summary.state, summary.error], ['failed', error]);
      const [recorded] = await store.loads(1);
      assert.deepEqual([recorded?.state, recorded?.error], ['failed', error]);
      assert.ok(!phases.includes('indicators'));
    });
  }

  it('of a list of assets alone is done', async () => {
    const asset = { id: 'a-a', symbol: 'A', name: 'A', rank: 1, type: null, supply: null };
    assert.equal((await run([], [{ kind: 'asset', asset }])).state, 'done');
  });

  it('keeps and publishes what it stored when the source fails on the way, and records the failure', async () => {
    const broken = source([barsItem([['AAA', 100, 1]])], [], new SourceError('the wire was cut', 'mend it'));
    const options = { store, source: broken, today: TODAY, signal: new AbortController().signal };
    await assert.rejects(load(options), { name: 'SourceError', message: 'the wire was cut' });
    assert.equal((await rowOf('aaa-aaa'))?.price, 1);
    const [last] = await store.loads(1);
    assert.deepEqual([last?.state, last?.error, last?.inserted], ['failed', 'the wire was cut', 1]);
  });

  it('that is stopped keeps and publishes what it stored', async () => {
    const stop = new AbortController();
    const items: Source = {
      ...source([]),
      async *bars() {
        yield barsItem([['AAA', 100, 1]]);
        stop.abort();
        yield barsItem([['BBB', 100, 1]]);
        yield barsItem([['CCC', 100, 1]]);
      },
    };
    const summary = await load({ store, source: items, today: TODAY, signal: stop.signal });
    assert.equal(summary.state, 'stopped');
    assert.deepEqual((await store.assets()).map(asset => asset.symbol).sort(), ['AAA', 'BBB']);
    assert.equal((await store.currentSince(0)).rows.length, 2);
  });

  it('completes what an interrupted one left behind', async () => {
    const [assetNumber] = await store.putAssets([
      {
        id: 'old-old',
        symbol: 'OLD',
        name: 'Old',
        rank: null,
        type: null,
        supply: null,
        tags: '',
        provisional: false,
        delisted: false,
      },
    ]);
    const bars = barColumns(1);
    bars.day[0] = 50;
    bars.close[0] = 9;
    await store.putBars({ ...bars, count: 1, assetNumber: Uint32Array.of(assetNumber!) });
    await run([]);
    assert.equal((await rowOf('old-old'))?.price, 9);
    assert.deepEqual(await store.pending(), []);
  });

  it('that loses the lock writes nothing more: what it stored stays pending, and the run is recorded as failed', async () => {
    const lost = new AbortController();
    const locked: Store = Object.assign(Object.create(store), {
      lock: async () => ({ lost: lost.signal, release: async () => undefined, async [Symbol.asyncDispose]() {} }),
    });
    const items: Source = {
      ...source([]),
      async *bars() {
        yield barsItem([['AAA', 100, 1]]);
        lost.abort();
        yield barsItem([['BBB', 100, 1]]);
      },
    };
    const options = { store: locked, source: items, today: TODAY, signal: new AbortController().signal };
    await assert.rejects(load(options), { name: 'StoreError', code: 'unreachable' });
    assert.equal(await store.version(), 0, 'nothing was published');
    assert.equal((await store.pending()).length, 1);
    assert.equal((await store.totals()).bars, 1);
    assert.equal((await store.loads(1))[0]?.state, 'failed');
  });

  it('closes the record of one whose process is gone', async () => {
    await store.beginLoad('killed');
    await run([]);
    const abandoned = (await store.loads(5)).find(item => item.source === 'killed');
    assert.deepEqual([abandoned?.state, abandoned?.error], ['failed', 'its process ended before it was done']);
    assert.notEqual(abandoned?.endedAt, null);
  });

  it('does not wait: a second load at the same time is refused', async () => {
    const lock = await store.lock('load');
    await assert.rejects(run([]), StoreBusyError);
    await lock?.release();
    await run([]);
  });

  describe('finds the asset that a ticker means', () => {
    const profile = (id: string, symbol: string, rank: number) => profileItem({ id, name: id, symbol, rank });

    it('the best-ranked one that has it, whatever the case', async () => {
      await run([barsItem([['btc', 100, 7]])], [profile('btc-bytecash', 'BTC', 900), profile('btc-bitcoin', 'BTC', 1)]);
      assert.equal((await rowOf('btc-bitcoin'))?.price, 7);
      assert.equal(await rowOf('btc-bytecash'), undefined);
    });

    it('or a provisional one, which the best-ranked profile with that ticker takes over with its prices', async () => {
      await run([barsItem([['BTC', 100, 7]])]);
      assert.equal((await rowOf('btc-btc'))?.price, 7);
      await run([], [profile('btc-bytecash', 'BTC', 900), profile('btc-bitcoin', 'BTC', 1)]);
      assert.equal((await rowOf('btc-bitcoin'))?.price, 7);
      assert.deepEqual((await store.assets()).map(asset => asset.id).sort(), ['btc-bitcoin', 'btc-bytecash']);
    });

    it('and an id means that asset alone', async () => {
      await run([barsItem([['BTC', 100, 7, 'btc-other']])], [profile('btc-bitcoin', 'BTC', 1)]);
      assert.equal(await rowOf('btc-bitcoin'), undefined);
      assert.equal((await rowOf('btc-other'))?.price, 7);
    });

    it('also when tickers have no letters or make the same slug', async () => {
      await run([
        barsItem([
          ['$$', 100, 1],
          ['A B', 100, 2],
          ['A-B', 100, 3],
          ['Ж', 100, 4],
        ]),
      ]);
      const assets = await store.assets();
      assert.deepEqual(assets.map(asset => asset.symbol).sort(), ['$$', 'A B', 'A-B', 'Ж']);
      assert.equal(new Set(assets.map(asset => asset.id)).size, 4);
    });
  });

  it('brings names and ranks that a list gives without a profile, and keeps what came before a failure', async () => {
    const listed: SourceItem = {
      kind: 'asset',
      asset: { id: 'aaa-alpha', symbol: 'AAA', name: 'Alpha', rank: 7, type: 'coin', supply: null },
    };
    await run([barsItem([['AAA', 100, 1]])]);
    const broken: Source = {
      ...source([]),
      async *profiles() {
        yield listed;
        yield profileItem({ id: 'bbb-beta', name: 'Beta', symbol: 'BBB' });
        throw new SourceError('quota', 'wait');
      },
    };
    const options = { store, source: broken, today: TODAY, signal: new AbortController().signal };
    await assert.rejects(load(options), { message: 'quota' });
    const assets = (await store.assets()).sort((a, b) => a.assetNumber - b.assetNumber);
    assert.deepEqual(
      assets.map(({ id, name, rank, provisional, bars }) => ({ id, name, rank, provisional, bars })),
      [
        { id: 'aaa-alpha', name: 'Alpha', rank: 7, provisional: false, bars: 1 },
        { id: 'bbb-beta', name: 'Beta', rank: null, provisional: false, bars: 0 },
      ],
    );
  });

  it('tells a source up to which day it need not ask, unless there are only a few closes', async () => {
    const many = Array.from({ length: 40 }, (_, i): TestBar => ['MANY', 100 + i, 1]);
    await run([barsItem([...many, ['FEW', 139, 1]])]);
    const told: (StoredSpan | null)[] = [];
    const asking: Source = {
      ...source([]),
      async *bars(since) {
        for (const symbol of ['MANY', 'FEW', 'NONE']) told.push(await since({ id: null, symbol }, '1d'));
        yield barsItem([]);
      },
    };
    await load({ store, source: asking, today: TODAY, signal: new AbortController().signal });
    assert.deepEqual(told, [{ first: 100, last: 139 }, null, null]);
  });

  it('that is not due is not run, and of several at once one is', async () => {
    const options = () => ({
      store,
      source: source([barsItem([['AAA', 100, 1]])]),
      today: TODAY,
      signal: new AbortController().signal,
    });
    assert.equal((await loadIfDue(options(), 3_600_000))?.state, 'done');
    assert.equal(await loadIfDue(options(), 3_600_000), null);
    assert.equal((await loadIfDue(options(), 0))?.state, 'done');
  });

  it('is due although a clock that was wrong has recorded one of the far future', async t => {
    const options = {
      store,
      source: source([barsItem([['AAA', 100, 1]])]),
      today: TODAY,
      signal: new AbortController().signal,
    };
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 400 * 86_400_000 });
    assert.equal((await loadIfDue(options, 3_600_000))?.state, 'done');
    t.mock.timers.reset();
    assert.equal((await loadIfDue(options, 3_600_000))?.state, 'done');
    assert.equal(await loadIfDue(options, 3_600_000), null);
  });

  describe('marks an asset as delisted', () => {
    const delisted = async () => (await store.assets())[0]?.delisted;
    const gone: SourceItem = { kind: 'delisted', asset: { id: null, symbol: 'AAA' } };

    it('when its source says so, until prices resume', async () => {
      await run([barsItem([['AAA', 100, 1]]), gone]);
      assert.equal(await delisted(), true);
      await run([barsItem([['AAA', 100, 1]])]);
      assert.equal(await delisted(), true, 'the same bars again are not new prices');
      await run([barsItem([['AAA', 101, 1]])]);
      assert.equal(await delisted(), false);
    });

    it('also when its profile says so in the load that brings its history', async () => {
      const dead = profileItem({ id: 'aaa-aaa', name: 'A', symbol: 'AAA', is_active: false });
      await run([barsItem([['AAA', 100, 1]]), barsItem([['AAA', 101, 1]])], [dead]);
      assert.equal(await delisted(), true);
    });
  });

  describe('refuses a profile that would give an asset a second id', () => {
    const named = (id: string, name = 'Alpha', more = {}) => profileItem({ id, name, symbol: 'AAA', ...more });
    const ids = async () => (await store.assets()).map(asset => asset.id).sort();

    for (const [when, loads] of [
      ['in a later load', [[named('aaa-alpha')], [named('alpha')]]],
      ['in the same load', [[named('aaa-alpha'), named('alpha', 'ALPHA')]]],
    ] as const) {
      it(when, async () => {
        let last: LoadSummary | undefined;
        for (const profiles of loads) last = await run([], profiles);
        assert.deepEqual(await ids(), ['aaa-alpha']);
        assert.deepEqual(last?.rejectsByReason, { duplicate_asset: 1 });
        const [kept] = await store.rejects(last?.load ?? 0, 1);
        assert.match(kept?.detail ?? '', /^alpha: AAA \(.*\) is aaa-alpha already/);
      });
    }

    it('but not another asset of that ticker, nor one that is gone, nor the same record again', async () => {
      await run([], [named('aaa-alpha')]);
      await run([], [named('aaa-beta', 'Beta'), named('aaa-old', 'Alpha', { is_active: false }), named('aaa-alpha')]);
      assert.deepEqual(await ids(), ['aaa-alpha', 'aaa-beta', 'aaa-old']);
    });
  });

  it('that only changes a profile is published too', async () => {
    const described = (description: string) => profileItem({ id: 'a-a', name: 'A', symbol: 'A', description });
    const first = await run([], [described('one')]);
    const second = await run([], [described('two')]);
    const third = await run([], [described('two')]);
    assert.ok(second.recomputed.version > first.recomputed.version);
    assert.equal(third.recomputed.version, second.recomputed.version);
  });
});
