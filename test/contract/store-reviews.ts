// The store's contract: corrections, actions, findings and acceptances.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AssetNumber } from '../../src/domain/asset.ts';
import type { Finding } from '../../src/domain/finding.ts';
import { FINDINGS_KEPT, type FindingPlace, type NewCorrection } from '../../src/store/store.ts';
import { DAY, row } from './fixtures.ts';
import type { Subject } from './store.ts';
import { clearPending, newAssets } from './store-bars.ts';

const UNKNOWN = 999_999;

function correction(assetNumber: AssetNumber, facts: Partial<NewCorrection> = {}): NewCorrection {
  const numbers = { open: null, high: null, low: null, close: 2.5, volume: null };
  return { assetNumber, interval: '1d', period: DAY, ...numbers, reason: 'a wrong tick', ...facts };
}

function finding(period: number, facts: Partial<Finding> = {}): Finding {
  return { rule: 'spike', period, value: 300, expected: 100.5, source: 'csv', detail: 'It rose ₿.', ...facts };
}

const placesOf = (found: readonly FindingPlace[]) =>
  found.map(({ assetNumber, interval, period, rule, source }) => [assetNumber, interval, period, rule, source]);

export function reviewContract(use: () => Subject): void {
  test('corrections are listed with time and reason, and stay listed when they are undone', async () => {
    const store = await use().fresh();
    const [a, b] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
    await clearPending(store);
    const began = Date.now();
    const first = await store.addCorrection(correction(a, { open: 1, high: 3, low: 0.1, volume: 0, reason: 'x \0' }));
    const second = await store.addCorrection(correction(b, { interval: '1m', period: 7, close: null }));
    assert.ok(second > first);
    assert.deepEqual(await store.pending(), [a, b]);
    const [one, two, ...others] = await store.corrections();
    assert.deepEqual(others, []);
    assert.ok(Date.parse(one!.createdAt) >= began && Date.parse(one!.createdAt) <= Date.now());
    const entered = { ...correction(a, { open: 1, high: 3, low: 0.1, volume: 0, reason: 'x \uFFFD' }), undoneAt: null };
    assert.deepEqual(one, { number: first, ...entered, createdAt: one!.createdAt });
    assert.deepEqual([two!.close, two!.interval, two!.period], [null, '1m', 7]);
    await clearPending(store);
    assert.equal((await store.undoCorrection(first))!.number, first);
    assert.deepEqual(await store.pending(), [a]);
    assert.equal(await store.undoCorrection(first), null);
    assert.equal(await store.undoCorrection(99), null);
    const [undone] = await store.corrections([a]);
    assert.ok(Date.parse(undone!.undoneAt!) >= began);
    assert.deepEqual(await store.corrections([b]), [two]);
    await assert.rejects(store.addCorrection(correction(UNKNOWN)), { code: 'unknown_asset' });
  });

  test('an action is entered for all of its assets or not at all, and its removal makes the same assets pending', async () => {
    const store = await use().fresh();
    const [a, b, c, d] = (await newAssets(store, 4)) as [AssetNumber, AssetNumber, AssetNumber, AssetNumber];
    const action = (assetNumber: AssetNumber, fromAsset: AssetNumber | null) => {
      return { assetNumber, day: DAY, ratio: 0.001, fromAsset, reason: 'redenominated' };
    };
    await assert.rejects(store.addActions([action(a, null), action(b, UNKNOWN)]), { code: 'unknown_asset' });
    assert.deepEqual([await store.actions(), await store.addActions([])], [[], []]);
    const numbers = await store.addActions([action(b, a), action(c, b)]);
    assert.equal(numbers.length, 2);
    const [first] = await store.actions();
    assert.deepEqual(first, { number: numbers[0], ...action(b, a), createdAt: first!.createdAt });
    await clearPending(store);
    // What became of an asset has its bars, and so on.
    await store.addActions([action(a, null)]);
    assert.deepEqual(await store.pending(), [a, b, c]);
    await clearPending(store);
    await store.addCorrection(correction(b));
    assert.deepEqual(await store.pending(), [b, c]);
    await clearPending(store);
    assert.deepEqual(await store.removeAction(numbers[0]!), first);
    assert.deepEqual(await store.pending(), [b, c]);
    assert.equal(await store.removeAction(numbers[0]!), null);
    assert.equal((await store.actions()).length, 2);
    await clearPending(store);
    await store.addActions([action(d, c), action(c, d)]);
    assert.deepEqual(await store.pending(), [c, d]);
  });

  test('findings of a publication are stored with its rows, or not at all', async () => {
    const store = await use().fresh();
    const [a, b] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
    const added: unknown[] = [];
    const part = (assetNumber: AssetNumber, period: number) => ({
      rows: [row(assetNumber, 1)],
      removed: [],
      checked: {
        interval: '1d' as const,
        series: [{ assetNumber, from: 0, findings: [finding(period)] }],
        onAdded: (found: readonly FindingPlace[]) => added.push(...placesOf(found)),
      },
    });
    await store.publish('x', [part(a, 5)]);
    const first = [a, '1d', 5, 'spike', 'csv'];
    assert.deepEqual([placesOf(await store.findings()), added], [[first], [first]]);
    async function* failing() {
      yield part(b, 6);
      yield part(a, 7);
      throw new Error('the rows cannot be computed');
    }
    await assert.rejects(store.publish('x', failing()), { message: 'the rows cannot be computed' });
    assert.deepEqual(placesOf(await store.findings()), [first]);
    assert.deepEqual(await store.pending(), [b]);
  });

  test('findings are replaced from a period on, and the new ones are returned', async () => {
    const store = await use().fresh();
    const assets = await newAssets(store, 30);
    const [a, b, far] = [assets[0]!, assets[1]!, assets[29]!];
    const all = Number.NEGATIVE_INFINITY;
    const first = [finding(5), finding(9, { rule: 'gap', source: null }), finding(9)];
    const added = await store.replaceFindings('1d', [
      { assetNumber: b, from: all, findings: [finding(1)] },
      { assetNumber: a, from: all, findings: first },
      { assetNumber: far, from: all, findings: [finding(2)] },
    ]);
    assert.equal(added.length, 5);
    await store.replaceFindings('1h', [{ assetNumber: a, from: all, findings: [finding(6)] }]);
    const ofA = [
      [a, '1d', 5, 'spike', 'csv'],
      [a, '1d', 9, 'gap', ''],
      [a, '1d', 9, 'spike', 'csv'],
    ];
    assert.deepEqual(placesOf(await store.findings({ assets: [a], interval: '1d' })), ofA);
    assert.deepEqual(placesOf(await store.findings({ assets: [far, a] })), [
      ...ofA,
      [a, '1h', 6, 'spike', 'csv'],
      [far, '1d', 2, 'spike', 'csv'],
    ]);
    assert.equal((await store.findings()).length, 6);
    assert.deepEqual(placesOf(await store.findings({ interval: '1d', from: 6 })), ofA.slice(1));
    assert.deepEqual(await store.findings({ assets: [] }), []);
    const [stored] = await store.findings({ assets: [b] });
    const { rule, period, value, expected, detail } = finding(1);
    assert.deepEqual(stored, { assetNumber: b, interval: '1d', period, rule, source: 'csv', value, expected, detail });
    // One goes, one has another value, one is new; what was before stays.
    const later = [finding(9, { value: 301 }), finding(10)];
    const news = await store.replaceFindings('1d', [{ assetNumber: a, from: 6, findings: later }]);
    assert.deepEqual(placesOf(news), [[a, '1d', 10, 'spike', 'csv']]);
    const now = await store.findings({ assets: [a], interval: '1d' });
    assert.deepEqual(
      now.map(each => [each.period, each.value]),
      [
        [5, 300],
        [9, 301],
        [10, 300],
      ],
    );
    assert.equal(await store.removeFindings('1d', 5), 2);
    assert.equal(await store.removeFindings('1h'), 1);
    assert.deepEqual(await store.findings(), now);
  });

  test('of each asset and rule, the newest findings are kept', async () => {
    const store = await use().fresh();
    const [a] = (await newAssets(store, 1)) as [AssetNumber];
    const many = Array.from({ length: FINDINGS_KEPT + 5 }, (_, i) => finding(i + 1));
    const other = finding(1, { rule: 'flat' });
    await store.replaceFindings('1d', [{ assetNumber: a, from: 0, findings: [other, ...many] }]);
    const periods = async () =>
      (await store.findings()).filter(({ rule }) => rule === 'spike').map(({ period }) => period);
    assert.deepEqual(
      await periods(),
      many.slice(5).map(({ period }) => period),
    );
    await store.replaceFindings('1d', [{ assetNumber: a, from: 300, findings: [finding(300), finding(301)] }]);
    const kept = await periods();
    assert.deepEqual([kept.length, kept[0], kept.at(-1)], [FINDINGS_KEPT, 8, 301]);
    assert.equal((await store.findings()).length, FINDINGS_KEPT + 1);
  });

  test('findings that a load has recorded stay until they are removed, and are bounded like others', async () => {
    const store = await use().fresh();
    const [a, b] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
    const recorded = (period: number, value = 300) => {
      const { expected, detail } = finding(period);
      return {
        assetNumber: a,
        interval: '1d',
        period,
        rule: 'inconsistent',
        source: 'csv',
        value,
        expected,
        detail,
      } as const;
    };
    const inconsistent = (period: number) => finding(period, { rule: 'inconsistent' });
    await store.replaceFindings('1d', [{ assetNumber: a, from: 0, findings: [inconsistent(5)] }]);
    await clearPending(store);
    assert.deepEqual(await store.recordFindings([recorded(7), recorded(5, 1)]), [recorded(7)]);
    assert.deepEqual(await store.pending(), [a]);
    await clearPending(store);
    assert.deepEqual(await store.recordFindings([recorded(7), recorded(5, 1)]), []);
    assert.deepEqual(await store.pending(), []);
    // A check adds and removes others only.
    const checked = [inconsistent(5), inconsistent(6), finding(6)];
    assert.equal((await store.replaceFindings('1d', [{ assetNumber: a, from: 0, findings: checked }])).length, 2);
    assert.equal((await store.findings()).length, 4);
    await store.replaceFindings('1d', [{ assetNumber: a, from: Number.NEGATIVE_INFINITY, findings: [] }]);
    assert.deepEqual(await store.findings(), [recorded(5, 1), recorded(7)]);
    assert.deepEqual(placesOf(await store.recordedFindings()), placesOf(await store.findings()));
    await clearPending(store);
    await store.removeRecorded([recorded(5)]);
    assert.deepEqual([await store.findings(), await store.pending()], [[recorded(7)], [a]]);
    // In any order of the loads, the newest are kept.
    const many = Array.from({ length: FINDINGS_KEPT }, (_, i) => recorded(i + 10));
    assert.equal((await store.recordFindings(many)).length, FINDINGS_KEPT);
    assert.deepEqual(await store.recordFindings([recorded(8)]), []);
    assert.deepEqual(await store.findings(), many);
    await assert.rejects(store.recordFindings([{ ...recorded(1), assetNumber: UNKNOWN }]), { code: 'unknown_asset' });
    assert.deepEqual(await store.findings({ assets: [b] }), []);
  });

  test('an acceptance belongs to a place, not to a finding that is there', async () => {
    const store = await use().fresh();
    const [a] = (await newAssets(store, 1)) as [AssetNumber];
    const place = { assetNumber: a, interval: '1d', period: DAY, rule: 'gap', source: '' } as const;
    await clearPending(store);
    await store.accept(place, 'a holiday');
    assert.deepEqual(await store.pending(), [a]);
    await store.accept(place, 'two holidays');
    const [found, ...others] = await store.acceptances();
    assert.deepEqual(others, []);
    assert.deepEqual(found, { ...place, reason: 'two holidays', createdAt: found!.createdAt });
    await store.replaceFindings('1d', [{ assetNumber: a, from: 0, findings: [] }]);
    assert.equal((await store.acceptances()).length, 1);
    await clearPending(store);
    assert.equal(await store.removeAcceptance({ ...place, source: 'csv' }), null);
    assert.deepEqual(await store.removeAcceptance(place), found);
    assert.deepEqual([await store.acceptances(), await store.pending()], [[], [a]]);
    await assert.rejects(store.accept({ ...place, assetNumber: UNKNOWN }, 'x'), { code: 'unknown_asset' });
  });

  test('the thresholds of a check are stored by interval', async () => {
    const store = await use().fresh();
    assert.deepEqual(await store.checks(), []);
    await store.putCheck({ interval: '1h', settings: { 'flat-closes': 20 }, complete: true });
    await store.putCheck({ interval: '1d', settings: {}, complete: true });
    await store.putCheck({ interval: '1d', settings: { 'flat-closes': 10 }, complete: false });
    const days = { interval: '1d', settings: { 'flat-closes': 10 }, complete: false };
    assert.deepEqual(await store.checks(), [days, { interval: '1h', settings: { 'flat-closes': 20 }, complete: true }]);
    await store.removeCheck('1h');
    assert.deepEqual(await store.checks(), [days]);
  });

  test('another asset gets what was said about bars that it lacks, with time and number; what it has itself stays', async () => {
    const store = await use().fresh();
    const [a, b, c] = (await newAssets(store, 3)) as [AssetNumber, AssetNumber, AssetNumber];
    const drop = await store.addCorrection(correction(b, { period: DAY + 2, close: null }));
    const action = (assetNumber: AssetNumber, day: number) => {
      return { assetNumber, day, ratio: 1000, fromAsset: null, reason: 'redenominated' };
    };
    const [known] = await store.addActions([action(b, DAY)]);
    const place = (assetNumber: AssetNumber, period: number): FindingPlace => {
      return { assetNumber, interval: '1d', period, rule: 'inconsistent', source: 'csv' };
    };
    const recorded = (assetNumber: AssetNumber, period: number, detail: string) => {
      return { ...place(assetNumber, period), value: 1, expected: 2, detail };
    };
    await store.recordFindings([recorded(b, DAY + 3, 'of b')]);
    await store.accept(place(b, DAY + 3), 'of b');

    const numbers: number[] = [];
    for (const period of [DAY, DAY + 1, DAY + 2, DAY + 3]) {
      numbers.push(await store.addCorrection(correction(a, { period })));
      await store.recordFindings([recorded(a, period, 'of a')]);
      await store.accept(place(a, period), 'of a');
    }
    await store.undoCorrection(numbers[3]!);
    await store.replaceFindings('1d', [{ assetNumber: a, from: DAY + 9, findings: [finding(DAY + 9)] }]);
    const [, other, same] = await store.addActions([action(c, DAY), action(a, DAY + 5), action(a, DAY)]);
    const [corrections, actions, acceptances] = [
      await store.corrections([a]),
      await store.actions(),
      await store.acceptances(),
    ];
    await store.forgetUnmerged(await store.unmerged());
    await clearPending(store);

    const own = { '1m': new Set([DAY + 1]), '1h': new Set<number>(), '1d': new Set([DAY]) };
    const moved = await store.moveReviews(a, b, own);
    assert.deepEqual(moved, { corrections: 2, actions: 1, findings: 2, acceptances: 2 });
    assert.deepEqual(await store.pending(), [a, b]);
    const intervals = (await store.unmerged()).map(each => [each.assetNumber, each.interval, each.firstPeriod]);
    for (const interval of ['1m', '1h', '1d'] as const)
      for (const asset of [a, b]) assert.ok(intervals.some(each => `${each}` === `${[asset, interval, 0]}`));

    const ofB = (await store.corrections([b])).filter(({ number }) => number !== drop);
    const expected = [corrections[1]!, corrections[3]!].map(each => ({ ...each, assetNumber: b }));
    assert.deepEqual(ofB, expected, 'also one that was undone');
    const left = (await store.corrections([a])).map(({ number }) => number);
    assert.deepEqual(left, [numbers[0], numbers[2]], 'of an own bar, and where another correction counts');
    const movedAction = actions.find(({ number }) => number === other)!;
    assert.deepEqual(
      (await store.actions()).map(({ number, assetNumber }) => [number, assetNumber]),
      [
        [known, b],
        [other! - 1, c],
        [other, b],
        [same, a],
      ],
    );
    assert.deepEqual(
      (await store.actions()).find(({ number }) => number === other),
      { ...movedAction, assetNumber: b },
    );
    const told = (await store.findings()).map(each => [each.assetNumber, each.period - DAY, each.detail]);
    assert.deepEqual(told, [
      [a, 0, 'of a'],
      [a, 3, 'of a'],
      [a, 9, finding(0).detail],
      [b, 1, 'of a'],
      [b, 2, 'of a'],
      [b, 3, 'of b'],
    ]);
    assert.deepEqual(
      (await store.recordedFindings()).filter(({ assetNumber }) => assetNumber === b),
      [place(b, DAY + 1), place(b, DAY + 2), place(b, DAY + 3)],
      'no check removes them',
    );
    const accepted = await store.acceptances();
    assert.deepEqual(
      accepted.map(each => [each.assetNumber, each.period - DAY, each.reason]),
      [
        [a, 0, 'of a'],
        [a, 3, 'of a'],
        [b, 1, 'of a'],
        [b, 2, 'of a'],
        [b, 3, 'of b'],
      ],
    );
    assert.equal(accepted[2]!.createdAt, acceptances[1]!.createdAt);
    await assert.rejects(store.moveReviews(a, UNKNOWN, own), { code: 'unknown_asset' });
    await store.checkIntegrity();
  });
}
