// The store's contract: assets and profiles.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AssetFacts } from '../../src/store/store.ts';
import { batch, DAY, draft, profile } from './fixtures.ts';
import type { Subject } from './store.ts';

export function assetContract(use: () => Subject): void {
  test('assets with a ticker are found in any case, each with its bars', async () => {
    const store = await use().fresh();
    const drafts = [
      draft('btc-bitcoin', { symbol: 'BTC' }),
      draft('btc-bat', { symbol: 'btc' }),
      draft('b', { symbol: 'B' }),
    ];
    const [first] = await store.putAssets(drafts);
    const all = await store.assets();
    assert.deepEqual(await store.assetsWithTicker('Btc'), all.slice(0, 2));
    assert.deepEqual([all[0]?.assetNumber, await store.assetsWithTicker('none')], [first, []]);
  });

  test('an asset comes back as it was put, without prices', async () => {
    const store = await use().fresh();
    const named = { symbol: 'BTC', name: 'Bitcoin', rank: 1, type: 'coin' };
    const facts = draft('btc-bitcoin', { ...named, tags: 'layer-1,proof-of-work', provisional: true });
    const [assetNumber] = await store.putAssets([facts]);
    assert.deepEqual(await store.assets(), [{ assetNumber, ...facts, firstDay: null, lastDay: null, bars: 0 }]);
  });

  test('keys come in the order of the drafts and stay for good', async () => {
    const { store } = use();
    const [a, b, c] = await store.putAssets([draft('order-a'), draft('order-b'), draft('order-c')]);
    assert.equal(new Set([a, b, c]).size, 3);
    assert.deepEqual(await store.putAssets([draft('order-c'), draft('order-a')]), [c, a]);
  });

  test('of two drafts with one id the later counts', async () => {
    const { store } = use();
    const assetNumbers = await store.putAssets([draft('twice', { name: 'first' }), draft('twice', { name: 'second' })]);
    assert.equal(assetNumbers[0], assetNumbers[1]);
    assert.equal((await store.assets()).find(asset => asset.assetNumber === assetNumbers[0])?.name, 'second');
  });

  test('new and changed assets are pending, equal ones are not', async () => {
    const store = await use().fresh();
    const [a, b] = await store.putAssets([draft('a', { rank: 1 }), draft('b')]);
    assert.deepEqual(await store.pending(), [a, b]);
    await store.publish('x', [{ rows: [], removed: [a!, b!] }]);
    await store.putAssets([draft('a', { rank: 1 }), draft('b')]);
    assert.deepEqual(await store.pending(), []);
    await store.putAssets([draft('a', { rank: null }), draft('b', { tags: 'defi' })]);
    assert.deepEqual(await store.pending(), [a, b]);
  });

  test('no drafts are no change', async () => {
    assert.deepEqual(await use().store.putAssets([]), []);
  });

  test('a renamed asset has its new identity and keeps its bars', async () => {
    const store = await use().fresh();
    const [assetNumber] = await store.putAssets([draft('xyz', { provisional: true })]);
    await store.putBars(batch([{ assetNumber: assetNumber!, day: 0, close: 5 }]));
    await store.publish('x', [{ rows: [], removed: [assetNumber!] }]);
    const identity = draft('xyz-real-name', { symbol: 'XYZ', name: 'Real Name', rank: 9 });
    await store.renameAsset(assetNumber!, identity);
    assert.deepEqual(await store.assets(), [{ assetNumber, ...identity, firstDay: DAY, lastDay: DAY, bars: 1 }]);
    assert.deepEqual(await store.pending(), [assetNumber]);
    assert.equal((await store.bars(assetNumber!, DAY, DAY)).close[0], 5);
  });

  test('facts since a version are those that changed after it', async () => {
    const store = await use().fresh();
    const [a, b] = await store.putAssets([draft('a'), draft('b', { rank: 3 })]);
    const first = await store.assetsSince(0);
    assert.deepEqual(first.assets, [
      { assetNumber: a, ...draft('a') },
      { assetNumber: b, ...draft('b', { rank: 3 }) },
    ]);
    assert.equal(first.all, true);
    assert.deepEqual(await store.assetsSince(first.version), { version: first.version, all: false, assets: [] });

    const steps: [what: string, change: () => Promise<unknown>, changed: object[]][] = [
      ['an equal draft', () => store.putAssets([draft('a')]), []],
      [
        'another rank',
        () => store.putAssets([draft('a', { rank: 1 })]),
        [{ assetNumber: a, ...draft('a', { rank: 1 }) }],
      ],
      ['another id', () => store.renameAsset(b!, draft('c')), [{ assetNumber: b, ...draft('c') }]],
      ['a delisting', () => store.setDelisted([b!], true), [{ assetNumber: b, ...draft('c', { delisted: true }) }]],
      ['a delisting again', () => store.setDelisted([b!], true), []],
      ['bars', () => store.putBars(batch([{ assetNumber: a!, day: 0, close: 5 }])), []],
      ['a profile', () => store.putProfiles([{ assetNumber: a!, sourced: profile('a') }]), []],
    ];
    let { version } = first;
    for (const [what, change, changed] of steps) {
      await change();
      const since = await store.assetsSince(version);
      assert.deepEqual([since.all, since.assets], [false, changed], what);
      version = since.version;
    }
    assert.equal((await store.assetsSince(first.version)).assets.length, 2);
    for (const unknown of [-1, 0, version + 1]) {
      const { all, assets } = await store.assetsSince(unknown);
      assert.deepEqual([all, assets.length], [true, 2]);
    }
  });

  test('facts that are read in parts are those that are read at once', async () => {
    const store = await use().fresh();
    const none: unknown[] = [];
    const { version: empty } = await store.readAssetsSince(0, part => none.push(...part));
    assert.deepEqual(none, []);
    await store.putAssets(Array.from({ length: 5000 }, (_, i) => draft(`asset-${i}`, { rank: i + 1 })));
    const { version: first } = await store.assetsSince(0);
    await store.putAssets([draft('asset-7', { rank: 9 }), draft('another')]);
    for (const seen of [0, empty, first, first + 1, first + 2]) {
      const assets: AssetFacts[] = [];
      const changes = await store.readAssetsSince(seen, part => assets.push(...part));
      assert.deepEqual({ ...changes, assets }, await store.assetsSince(seen), `since ${seen}`);
    }
  });

  test('renaming to an id that is taken fails and changes nothing', async () => {
    const { store } = use();
    const [assetNumber] = await store.putAssets([draft('rename-from'), draft('rename-taken')]);
    await assert.rejects(store.renameAsset(assetNumber!, draft('rename-taken')), { code: 'id_taken' });
    assert.equal((await store.assets()).find(asset => asset.assetNumber === assetNumber)?.id, 'rename-from');
  });

  test('renaming an unknown asset fails', async () => {
    await assert.rejects(use().store.renameAsset(99_999, draft('nobody')), { code: 'unknown_asset' });
  });

  test('delisting marks those as pending that it changes', async () => {
    const store = await use().fresh();
    const assetNumbers = await store.putAssets([draft('a'), draft('b', { delisted: true }), draft('c')]);
    await store.publish('x', [{ rows: [], removed: assetNumbers }]);
    await store.setDelisted(assetNumbers.slice(0, 2), true);
    assert.deepEqual(await store.pending(), [assetNumbers[0]]);
    assert.deepEqual(
      (await store.assets()).map(asset => asset.delisted),
      [true, true, false],
    );
    await store.setDelisted(assetNumbers, false);
    assert.deepEqual(await store.pending(), [assetNumbers[0], assetNumbers[1]]);
  });

  test('a profile comes back as it was put, odd characters and unknown members included', async () => {
    const { store } = use();
    const [assetNumber] = await store.putAssets([draft('odd')]);
    const odd = profile(
      'odd',
      {
        description: '\0 \u{1F600} \uD800 "\\ \u2028 \uFEFF 漢字 e\u0301',
        links_extended: [{ url: 'x', type: 'y', stats: { stars: 3 } }],
      },
      { logo: 'https://example.org/\0', nested: { list: [1, null, 1e-300], __proto__name: true } },
    );
    assert.deepEqual(await store.putProfiles([{ assetNumber: assetNumber!, sourced: odd }]), {
      inserted: 1,
      replaced: 0,
      unchanged: 0,
    });
    assert.deepEqual(await store.profile(assetNumber!), odd);
  });

  test('profiles are told apart as new, changed and equal; the first two are pending', async () => {
    const store = await use().fresh();
    const assetNumbers = await store.putAssets([draft('a'), draft('b'), draft('c')]);
    const [a, b, c] = assetNumbers as [number, number, number];
    await store.putProfiles([a, b].map(assetNumber => ({ assetNumber, sourced: profile(`p${assetNumber}`) })));
    await store.publish('x', [{ rows: [], removed: assetNumbers }]);
    const changes = await store.putProfiles([
      { assetNumber: a, sourced: profile(`p${a}`) },
      { assetNumber: b, sourced: profile(`p${b}`, {}, { more: 1 }) },
      { assetNumber: c, sourced: profile(`p${c}`) },
    ]);
    assert.deepEqual(changes, { inserted: 1, replaced: 1, unchanged: 1 });
    assert.deepEqual(await store.pending(), [b, c]);
    assert.equal((await store.totals()).profiles, 3);
  });

  test('a profile of an unknown asset fails, and so does the whole batch', async () => {
    const { store } = use();
    const [assetNumber] = await store.putAssets([draft('with-unknown')]);
    const profiles = [assetNumber!, 99_999].map(one => ({ assetNumber: one, sourced: profile('p') }));
    await assert.rejects(store.putProfiles(profiles), { code: 'unknown_asset' });
    assert.equal(await store.profile(assetNumber!), null);
  });

  test('every profile is listed once, also while profiles are written', async () => {
    const store = await use().fresh();
    const assetNumbers = await store.putAssets(Array.from({ length: 450 }, (_, i) => draft(`many-${i}`)));
    await store.putProfiles(assetNumbers.map(assetNumber => ({ assetNumber, sourced: profile(`p${assetNumber}`) })));
    const seen: number[] = [];
    for await (const { assetNumber, sourced } of store.profiles()) {
      assert.equal(sourced.profile.id, `p${assetNumber}`);
      seen.push(assetNumber);
      if (seen.length === 100)
        await store.putProfiles([{ assetNumber: assetNumbers[400]!, sourced: profile(`p${assetNumbers[400]}`) }]);
    }
    assert.deepEqual(
      seen,
      assetNumbers.toSorted((a, b) => a - b),
    );
  });

  test('text that a database cannot keep is replaced where it cannot be kept', async () => {
    const { store } = use();
    const [assetNumber] = await store.putAssets([draft('nul', { name: 'a\0b\uD800c', symbol: '₿\u{1F600}' })]);
    const asset = (await store.assets()).find(one => one.assetNumber === assetNumber);
    assert.equal(asset?.name, 'a\uFFFDb\uFFFDc');
    assert.equal(asset?.symbol, '₿\u{1F600}');
  });
}
